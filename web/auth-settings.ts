// What a member does to the own account: showing that it is still them, changing password and address. Whoever calls the
// changes has asked web/guards.ts for a fresh session before.
import { recordAudit } from "#domain/audit.ts";
import { findWeakness } from "#domain/common-passwords.ts";
import { queueMail } from "#domain/mails.ts";
import { consumeToken, countTokens, createToken, findToken, removeTokens } from "#domain/one-time-tokens.ts";
import { hashPassword, verifyPassword } from "#domain/passwords.ts";
import { type Member, removeSession } from "#domain/sessions.ts";
import {
  endSessions,
  findPasswordHash,
  findUserByEmail,
  isEmail,
  lockUser,
  normalizeEmail,
  setPasswordHash,
  updateEmail,
} from "#domain/users.ts";
import { libraryHeaders, limited, type Refusal, uniformly } from "./auth-actions.ts";
import { tellPasswordChanged } from "./auth-links.ts";
import type { AppParts } from "./context.ts";
import { ofAccount } from "./rate-limits.ts";
import type { Visit } from "./visit.ts";

const EMAIL_CHANGE_HOURS = 24;
const WRONG: Refusal = { ok: false, status: 401, reason: "wrong" };
const LINK: Refusal = { ok: false, status: 401, reason: "link" };

/** `headers` carry the cookie of the session that takes the old one's place. */
export type Renewed = { ok: true; headers: Headers };

/** Tries at something that only the account's owner can ask for. */
const charge = (app: AppParts, name: string, member: Member) =>
  app.limits.charge([ofAccount(name, member.user_id, { tries: 10, seconds: 15 * 60 })]);

/** A new session in place of the member's own: another token, and a new "when they last proved who they are". */
export async function renewSession(app: AppParts, request: Request, visit: Visit, member: Member): Promise<Headers> {
  const { headers } = await app.auth.api.renewSession({
    body: { userId: member.user_id },
    headers: libraryHeaders(request, visit),
    returnHeaders: true,
  });
  await removeSession(app.db, member.user_id, member.session_id);
  return headers;
}

/** Shows by the password that it is still them. */
export async function reauthenticate(
  app: AppParts,
  request: Request,
  visit: Visit,
  member: Member,
  password: string,
): Promise<Renewed | Refusal> {
  const wait = await charge(app, "reauthenticate", member);
  if (wait !== null) return limited(wait);
  const hash = await findPasswordHash(app.db, member.user_id);
  if (!hash || !(await verifyPassword(password, hash))) {
    await recordAudit(app.db, { what: "sign-in-failed", actor_id: member.user_id, origin: visit });
    return WRONG;
  }
  return { ok: true, headers: await renewSession(app, request, visit, member) };
}

/** Changes the password, or sets the first one. All other sessions end, and the own one gets a new token. */
export async function changePassword(
  app: AppParts,
  request: Request,
  visit: Visit,
  member: Member,
  given: { current: string; next: string },
): Promise<Renewed | Refusal> {
  const wait = await charge(app, "change-password", member);
  if (wait !== null) return limited(wait);
  const hash = await findPasswordHash(app.db, member.user_id);
  if (hash && !(await verifyPassword(given.current, hash))) return WRONG;
  const weakness = await findWeakness(given.next, member.email);
  if (weakness) return { ok: false, status: 422, reason: weakness };
  const next = await hashPassword(given.next);
  await app.db.transaction(async (tx) => {
    await setPasswordHash(tx, member.user_id, next);
    await endSessions(tx, member.user_id, member.session_id);
    await removeTokens(tx, "reset-password", "user_id", member.user_id);
    await recordAudit(tx, { what: "password-changed", actor_id: member.user_id, origin: visit });
    await tellPasswordChanged(tx, app.siteUrl, { id: member.user_id, email: member.email }, member.locale);
  });
  return { ok: true, headers: await renewSession(app, request, visit, member) };
}

/**
 * Asks for a change of address: one mail to the old address, one to the new, and the change takes place when both links
 * were used. Whether the new address is somebody else's shows neither in the answer nor in its time.
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
  // Whose own budget is spent spends nothing of an address that may be a stranger's.
  const wait = (await app.limits.charge([own])) ?? (await app.limits.charge([theirs]));
  if (wait !== null) return limited(wait);
  await uniformly(async () => {
    if (await findUserByEmail(app.db, email)) return;
    await app.db.transaction(async (tx) => {
      for (const purpose of ["email-change-old", "email-change-new"] as const) {
        await removeTokens(tx, purpose, "user_id", member.user_id);
        const about = { user_id: member.user_id, old_email: member.email, new_email: email };
        const token = await createToken(tx, purpose, about, EMAIL_CHANGE_HOURS * 3600);
        const link = `${app.siteUrl}/confirm-email-change?token=${token}`;
        const common = {
          locale: member.locale,
          useful_until: new Date(Date.now() + EMAIL_CHANGE_HOURS * 3_600_000),
        };
        if (purpose === "email-change-old") {
          const data = { new_email: email, link, hours: EMAIL_CHANGE_HOURS };
          await queueMail(tx, { ...common, to: member.email, template: "change-email-old", data });
        } else {
          const data = { link, hours: EMAIL_CHANGE_HOURS };
          await queueMail(tx, { ...common, to: email, template: "change-email-new", data });
        }
      }
      await recordAudit(tx, { what: "email-change-asked", actor_id: member.user_id, origin: visit });
    });
  });
  return { ok: true };
}

/** What a link of a change of address is about; null: it is no good. */
export async function findEmailChange(
  app: AppParts,
  token: string,
): Promise<{ side: "old" | "new"; new_email: string } | null> {
  for (const side of ["old", "new"] as const) {
    const about = await findToken(app.db, `email-change-${side}`, token);
    if (about?.new_email) return { side, new_email: about.new_email };
  }
  return null;
}

/** Confirms one side. `done`: both are, and the address is the new one; every session ends then. */
export async function confirmEmailChange(
  app: AppParts,
  visit: Visit,
  token: string,
): Promise<{ ok: true; done: boolean } | Refusal> {
  return app.db.transaction(async (tx) => {
    let about: Record<string, string> | null = null;
    let other: "email-change-old" | "email-change-new" = "email-change-new";
    for (const side of ["old", "new"] as const) {
      about ??= await consumeToken(tx, `email-change-${side}`, token);
      if (about && side === "new") other = "email-change-old";
      if (about) break;
    }
    if (!about?.user_id || !about.new_email) return LINK;
    // Locked, so that the two links, used at the same moment, do not each wait for the other.
    const user = await lockUser(tx, about.user_id);
    if (!user || user.email !== about.old_email) return LINK;
    if ((await countTokens(tx, other, "user_id", user.id)) > 0) return { ok: true, done: false };
    if (!(await updateEmail(tx, user.id, about.new_email))) return LINK;
    await endSessions(tx, user.id);
    await recordAudit(tx, { what: "email-changed", actor_id: user.id, origin: visit });
    return { ok: true, done: true };
  });
}
