// Handles the links in mails: confirm an address, set a new password. Opening a link changes nothing, its form does.

import { removeApiKeysOf } from "#domain/accounts/api-keys.ts";
import { findWeakness } from "#domain/accounts/common-passwords.ts";
import { removeEmailChange } from "#domain/accounts/email-changes.ts";
import { createFirstAdmin, isFirstAdminLink } from "#domain/accounts/first-admin.ts";
import { takeLinkedSitesBack } from "#domain/accounts/linked-sites.ts";
import { consumeToken, createToken, findToken, removeTokens } from "#domain/accounts/one-time-tokens.ts";
import { askToCheckPasskeys } from "#domain/accounts/passkeys.ts";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { tellSecurityChange } from "#domain/accounts/security-mails.ts";
import { confirmEmail } from "#domain/accounts/unconfirmed-accounts.ts";
import {
  endSessions,
  findPasswordHash,
  findUserByEmail,
  isEmail,
  lockUser,
  normalizeEmail,
  setPasswordHash,
} from "#domain/accounts/users.ts";
import { queueMail } from "#domain/mails.ts";
import { findProfile } from "#domain/members/profiles.ts";
import { recordAudit } from "#domain/site/audit.ts";
import type { AppParts } from "../context.ts";
import { ofAddress } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";
import { mailBudgets } from "./auth-budgets.ts";
import { beginSession } from "./begin-session.ts";
import { didSignUp } from "./device.ts";
import { limited, type Refusal, type SignedIn } from "./refusal.ts";
import { uniformly } from "./sign-in.ts";

const RESET_MINUTES = 60;

const LINK: Refusal = { ok: false, status: 401, reason: "link" };

/** Finds the address that a link confirms; null: the link is invalid. */
export async function findVerification(app: AppParts, token: string): Promise<{ email: string } | null> {
  const about = await findToken(app.db, "verify-email", token);
  return about?.email ? { email: about.email } : null;
}

/**
 * Confirms the address. Signs in the browser of that very sign-up. For any other browser it discards all prepared data, and
 * returns a link's token for setting a password (null: the account has one). So no one gets into an account that another
 * person made with their address, or the other way round.
 */
export async function verifyEmail(
  app: AppParts,
  request: Request,
  visit: Visit,
  token: string,
): Promise<Refusal | { ok: true; signed_in: SignedIn | null; set_password: string | null }> {
  const confirmed = await app.db.transaction(async (tx) => {
    // Locks the account before its token, in the same order as a sign-up.
    const found = await findToken(tx, "verify-email", token);
    const user = found?.user_id ? await lockUser(tx, found.user_id) : null;
    const about = await consumeToken(tx, "verify-email", token);
    if (!user || user.email !== about?.email) return null;
    const own = didSignUp(app, request.headers.get("Cookie"), user.email, about.sign_up);
    if (!user.emailVerified) await confirmEmail(tx, user.id, () => own);
    await recordAudit(tx, { what: "email-verified", actor_id: user.id, origin: visit });
    if (own || (await findPasswordHash(tx, user.id))) return { user, own, set_password: null };
    const { id: user_id, email } = user;
    const set_password = await createToken(tx, "reset-password", { user_id, email }, RESET_MINUTES * 60);
    return { user, own, set_password };
  });
  if (!confirmed) return LINK;
  const { user, own, set_password } = confirmed;
  const signedIn = own ? await beginSession(app, request, visit, { user_id: user.id, by: "sign-up" }) : null;
  return { ok: true, signed_in: signedIn?.ok ? signedIn : null, set_password };
}

/** Mails a link to set a new password. The response and its time are the same for an address without an account. */
export async function requestPasswordReset(
  app: AppParts,
  request: Request,
  visit: Visit,
  given: { email: string; locale: "en" | "de" },
): Promise<{ ok: true } | Refusal> {
  const email = normalizeEmail(given.email);
  if (!isEmail(email)) return { ok: false, status: 400, reason: "email" };
  const wait = await app.limits.consume(
    mailBudgets(app, request, visit, "reset", email, { address: 20, mailbox: 5, all: 300 }),
  );
  if (wait !== null) return limited(wait);
  await uniformly(async () => {
    const user = await findUserByEmail(app.db, email);
    if (!user || user.deactivated_at) return;
    await app.db.transaction(async (tx) => {
      await removeTokens(tx, "reset-password", "user_id", user.id);
      const about = { user_id: user.id, email };
      const token = await createToken(tx, "reset-password", about, RESET_MINUTES * 60);
      await queueMail(tx, {
        to: email,
        locale: (await findProfile(tx, user.id))?.locale ?? given.locale,
        template: "reset-password",
        data: { link: `${app.siteUrl}/reset-password?token=${token}`, minutes: RESET_MINUTES },
        useful_for_s: RESET_MINUTES * 60,
      });
      await recordAudit(tx, {
        what: "password-reset-asked",
        actor_id: null,
        subject: { type: "user", id: user.id },
        origin: visit,
      });
    });
  });
  return { ok: true };
}

/** Checks whether a link can still set a password. */
export const isResetLink = async (app: AppParts, token: string): Promise<boolean> =>
  (await findToken(app.db, "reset-password", token)) !== null;

/**
 * Sets a new password by a link, and revokes what the old one may have given to others: every session, those of programs too,
 * the account's API keys and its links to other sites. Passkeys stay; the next sign-in leads to them. A weak password leaves
 * the link valid. Doesn't sign in: use the new password, with the second step if there is one.
 */
export async function resetPassword(
  app: AppParts,
  visit: Visit,
  given: { token: string; password: string },
): Promise<{ ok: true } | Refusal> {
  const about = await findToken(app.db, "reset-password", given.token);
  if (!about?.user_id) return LINK;
  const weakness = await findWeakness(given.password, about.email ?? "");
  if (weakness) return { ok: false, status: 422, reason: weakness };
  const hash = await hashPassword(given.password);
  const done = await app.db.transaction(async (tx) => {
    const used = await consumeToken(tx, "reset-password", given.token);
    const user = used?.user_id ? await lockUser(tx, used.user_id) : null;
    if (!user || user.email !== used?.email) return false;
    // The link came by mail, so the address is theirs; other data of the account need not be.
    if (!user.emailVerified) await confirmEmail(tx, user.id, () => false);
    await setPasswordHash(tx, user.id, hash);
    await endSessions(tx, user.id);
    await removeApiKeysOf(tx, { user_id: user.id, origin: visit });
    await removeEmailChange(tx, user.id);
    await takeLinkedSitesBack(tx, { user_id: user.id, origin: visit });
    await askToCheckPasskeys(tx, user.id);
    await recordAudit(tx, { what: "password-reset", actor_id: user.id, origin: visit });
    await tellSecurityChange(tx, { user_id: user.id, what: "password-reset", origin: visit });
    return true;
  });
  return done ? { ok: true } : LINK;
}

/** Checks whether a setup link can still make the first admin. */
export const isSetupLink = (app: AppParts, token: string): Promise<boolean> => isFirstAdminLink(app.db, token);

/** Makes the first admin and signs them in. */
export async function setUpFirstAdmin(
  app: AppParts,
  request: Request,
  visit: Visit,
  token: string,
  given: { email: string; password: string; locale: "en" | "de" },
): Promise<SignedIn | Refusal> {
  const email = normalizeEmail(given.email);
  if (!isEmail(email)) return { ok: false, status: 400, reason: "email" };
  const wait = await app.limits.consume(ofAddress("setup", visit.ip, { tries: 20, seconds: 15 * 60 }));
  if (wait !== null) return limited(wait);
  const weakness = await findWeakness(given.password, email);
  if (weakness) return { ok: false, status: 422, reason: weakness };
  if (!(await isFirstAdminLink(app.db, token))) return LINK;
  // The holder of this link runs the site, so this may be revealed.
  if (await findUserByEmail(app.db, email)) return { ok: false, status: 422, reason: "taken" };
  const passwordHash = await hashPassword(given.password);
  const user = await createFirstAdmin(app.db, token, { email, passwordHash, locale: given.locale });
  return user ? beginSession(app, request, visit, { user_id: user.id, by: "setup" }) : LINK;
}
