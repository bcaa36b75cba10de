// Sends the mail with the link that confirms an address.

import { createToken, removeTokens } from "#domain/accounts/one-time-tokens.ts";
import { lockUser, type User } from "#domain/accounts/users.ts";
import { queueMail } from "#domain/mails.ts";
import type { AppParts } from "../context.ts";

/** How long the link is valid, and its browser remembered. */
export const VERIFY_HOURS = 24;

/** Sends another link for the same sign-up, which signs in the same browser. */
export async function repeatVerification(app: AppParts, { id }: User, locale: "en" | "de"): Promise<void> {
  await app.db.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    if (user && !user.emailVerified) await sendVerification({ ...app, db: tx }, user, locale);
  });
}

/** Sends a new link that confirms the address; earlier ones become invalid. Without a mark it keeps the earlier one's. */
export async function sendVerification(
  app: Pick<AppParts, "db" | "siteUrl">,
  user: User,
  locale: "en" | "de",
  mark?: string,
): Promise<void> {
  const before = await removeTokens(app.db, "verify-email", "user_id", user.id);
  const sign_up = mark ?? before[0]?.sign_up;
  const about = { user_id: user.id, email: user.email, ...(sign_up ? { sign_up } : {}) };
  const token = await createToken(app.db, "verify-email", about, VERIFY_HOURS * 3600);
  await queueMail(app.db, {
    to: user.email,
    locale,
    template: "verify-email",
    data: { link: `${app.siteUrl}/verify-email?token=${token}`, hours: VERIFY_HOURS },
    useful_for_s: VERIFY_HOURS * 3600,
  });
}
