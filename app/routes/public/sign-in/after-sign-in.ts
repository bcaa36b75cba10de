// Where a sign-in leads: to its second step, to the passkeys that are to be looked at after a reset, or to where it was asked from.

import { addressIn, type Locale } from "#shared/locale.ts";
import type { SignedIn } from "#web/accounts/auth-actions.ts";

/** The path of the next page; `to`: where the person wants to go in the end. */
export function pageAfterSignIn(locale: Locale, signedIn: SignedIn, to: string): string {
  const on = `?next=${encodeURIComponent(to)}`;
  if (signedIn.second_step) return addressIn(locale, "/two-factor") + on;
  return signedIn.check_passkeys ? addressIn(locale, "/user/check-passkeys") + on : to;
}
