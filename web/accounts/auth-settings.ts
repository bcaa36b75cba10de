// Changes a member's own account: confirms their identity, changes password and address. Callers of the changes require a fresh
// session first (web/guards.ts).

import type { Db } from "#db/client.ts";
import { findWeakness } from "#domain/accounts/common-passwords.ts";
import { createEmailChange, EMAIL_CHANGE_HOURS } from "#domain/accounts/email-changes.ts";
import { removeTokens } from "#domain/accounts/one-time-tokens.ts";
import { hashPassword, verifyPassword } from "#domain/accounts/passwords.ts";
import { tellSecurityChange } from "#domain/accounts/security-mails.ts";
import { ABSOLUTE_END_S, createSession, type Member, removeSession } from "#domain/accounts/sessions.ts";
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
import { recordAudit } from "#domain/site/audit.ts";
import type { AppParts } from "../context.ts";
import { ofAccount } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";
import { sealToken } from "./cookie-seal.ts";
import { setCookie } from "./cookies.ts";
import { sessionHere } from "./device.ts";
import { limited, type Refusal } from "./refusal.ts";
import { uniformly } from "./sign-in.ts";

const WRONG: Refusal = { ok: false, status: 401, reason: "wrong" };

/** `headers` contain the cookie of the session that replaces the old one. */
export type Renewed = { ok: true; headers: Headers };

/** Counts tries that only the account's owner can make. */
const consume = (app: AppParts, name: string, member: Member) =>
  app.limits.consume([ofAccount(name, member.user_id, { tries: 10, seconds: 15 * 60 })]);

/**
 * Replaces the member's session (a new token, and a new time of confirmed identity).
 * @param change runs with it in one transaction. Nothing follows its commit, so an error means that nothing was changed.
 * @returns the headers with the new cookie.
 */
export async function renewSession(
  app: AppParts,
  visit: Visit,
  member: Member,
  change: (tx: Db, newSessionId: string) => Promise<void> = async () => {},
): Promise<Headers> {
  const token = await app.db.transaction(async (tx) => {
    await lockUser(tx, member.user_id);
    const made = await createSession(tx, member.user_id, visit);
    if (!made) throw new Error("the account was closed or banned meanwhile");
    await change(tx, made.session_id);
    await removeSession(tx, member.user_id, member.session_id);
    return made.token;
  });
  return new Headers({ "Set-Cookie": setCookie(app.siteUrl, "session", sealToken(app.secret, token), ABSOLUTE_END_S) });
}

/** Confirms the member's identity by the password. */
export async function reauthenticate(
  app: AppParts,
  visit: Visit,
  member: Member,
  password: string,
): Promise<Renewed | Refusal> {
  const wait = await consume(app, "reauthenticate", member);
  if (wait !== null) return limited(wait);
  const hash = await findPasswordHash(app.db, member.user_id);
  if (!hash || !(await verifyPassword(password, hash))) {
    await recordAudit(app.db, { what: "sign-in-failed", actor_id: member.user_id, origin: visit });
    return WRONG;
  }
  return { ok: true, headers: await renewSession(app, visit, member) };
}

/** Changes the password, or sets the first one. All other sessions end, and the own one gets a new token. */
export async function changePassword(
  app: AppParts,
  request: Request,
  visit: Visit,
  member: Member,
  given: { current: string; next: string },
): Promise<Renewed | Refusal> {
  const wait = await consume(app, "change-password", member);
  if (wait !== null) return limited(wait);
  const hash = await findPasswordHash(app.db, member.user_id);
  if (hash && !(await verifyPassword(given.current, hash))) return WRONG;
  const weakness = await findWeakness(given.next, member.email);
  if (weakness) return { ok: false, status: 422, reason: weakness };
  const next = await hashPassword(given.next);
  const headers = await renewSession(app, visit, member, async (tx, newSessionId) => {
    await setPasswordHash(tx, member.user_id, next);
    await endSessions(tx, member.user_id, sessionHere(app, request, { session_id: newSessionId }));
    await removeTokens(tx, "reset-password", "user_id", member.user_id);
    await recordAudit(tx, { what: "password-changed", actor_id: member.user_id, origin: visit });
    await tellSecurityChange(tx, { user_id: member.user_id, what: "password-changed", origin: visit });
  });
  return { ok: true, headers };
}

/**
 * Requests a change of address: mails the old address and the new one, and the change takes place when both links were used.
 * Neither the response nor its time reveals whether another account has the new address.
 */
export async function requestEmailChange(
  app: AppParts,
  visit: Visit,
  member: Member,
  newEmail: string,
): Promise<{ ok: true } | Refusal> {
  const email = normalizeEmail(newEmail);
  if (!isEmail(email) || email === member.email) return { ok: false, status: 400, reason: "email" };
  const day = 24 * 3600;
  const own = ofAccount("change-email", member.user_id, { tries: 10, seconds: day });
  const theirs = ofAccount("change-email-to", email, { tries: 5, seconds: day });
  // If the member's own budget is spent, the new address's, maybe a stranger's, is not touched.
  const wait = (await app.limits.consume([own])) ?? (await app.limits.consume([theirs]));
  if (wait !== null) return limited(wait);
  await uniformly(async () => {
    if (await findUserByEmail(app.db, email)) return;
    await app.db.transaction(async (tx) => {
      const asked = { old_email: member.email, new_email: email };
      const { old_token, new_token } = await createEmailChange(tx, member.user_id, asked);
      const link = (token: string) => `${app.siteUrl}/confirm-email-change?token=${token}`;
      const common = {
        locale: member.locale,
        useful_for_s: EMAIL_CHANGE_HOURS * 3600,
      };
      const hours = EMAIL_CHANGE_HOURS;
      const data = { new_email: email, link: link(old_token), hours };
      await queueMail(tx, { ...common, to: member.email, template: "change-email-old", data });
      await queueMail(tx, {
        ...common,
        to: email,
        template: "change-email-new",
        data: { link: link(new_token), hours },
      });
      await recordAudit(tx, { what: "email-change-asked", actor_id: member.user_id, origin: visit });
    });
  });
  return { ok: true };
}
