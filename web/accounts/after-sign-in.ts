// Picks the page after a login: second factor, passkey check after a reset, or the page that required it.

import { addressIn, type Locale } from "#shared/locale.ts";
import type { SignedIn } from "./refusal.ts";

/** Returns the path of the next page; `to`: the final target. */
export function pageAfterSignIn(locale: Locale, signedIn: SignedIn, to: string): string {
  const on = `?next=${encodeURIComponent(to)}`;
  if (signedIn.second_step) return addressIn(locale, "/two-factor") + on;
  return signedIn.check_passkeys ? addressIn(locale, "/user/check-passkeys") + on : to;
}
