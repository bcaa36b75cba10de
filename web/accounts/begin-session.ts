// Begins a session for a user who proved their identity, or the second step if their account requires it. Every way to log in ends
// here.

import { createToken } from "#domain/accounts/one-time-tokens.ts";
import { hasUncheckedPasskeys } from "#domain/accounts/passkeys.ts";
import { ABSOLUTE_END_S, createSession, findSessionRefusal, removeSessionByToken } from "#domain/accounts/sessions.ts";
import { findUser } from "#domain/accounts/users.ts";
import { findBan } from "#domain/members/user-list.ts";
import { removePushTargets } from "#domain/notifications/push-targets.ts";
import { recordAudit } from "#domain/site/audit.ts";
import type { AppParts } from "../context.ts";
import type { Visit } from "../request/visit.ts";
import { sealToken } from "./cookie-seal.ts";
import { readSessionToken, setCookie } from "./cookies.ts";
import { browserHash, rememberDevice } from "./device.ts";
import type { Refusal, SignedIn } from "./refusal.ts";

const SECOND_STEP_S = 10 * 60;

/** A user who proved their identity. `two_factors`: with nothing left to prove, as by a passkey or after the second step. */
type Proven = { user_id: string; by: string; two_factors?: boolean };

/**
 * Begins the session, or the second step; ends the browser's previous session, as a browser has only one. Refuses closed and banned
 * accounts.
 */
export async function beginSession(
  app: AppParts,
  request: Request,
  visit: Visit,
  { user_id, by, two_factors = false }: Proven,
): Promise<SignedIn | Refusal> {
  const headers = new Headers();
  const set = (name: string, value: string, maxAgeS: number) =>
    headers.append("Set-Cookie", setCookie(app.siteUrl, name, value, maxAgeS));
  // As it is now: confirming an address may have removed what a stranger had prepared.
  const user = await findUser(app.db, user_id);
  if (!user) return refuse(app, user_id, "closed");
  if (user.twoFactorEnabled && !two_factors) {
    const refused = await findSessionRefusal(app.db, user.id);
    if (refused) return refuse(app, user.id, refused);
    await endSessionBefore(app, request);
    set("session", "", 0);
    set("second_step", await createToken(app.db, "second-step", { user_id: user.id }, SECOND_STEP_S), SECOND_STEP_S);
    return { ok: true, headers, second_step: true, check_passkeys: false };
  }
  const made = await createSession(app.db, user.id, visit);
  if (!made) return refuse(app, user.id, (await findSessionRefusal(app.db, user.id)) ?? "closed");
  set("session", sealToken(app.secret, made.token), ABSOLUTE_END_S);
  if (two_factors) set("second_step", "", 0);
  await endSessionBefore(app, request);
  const cookies = request.headers.get("Cookie");
  // The browser is this member's now: another member's push notifications must stop.
  const browser = browserHash(app, cookies);
  const [check_passkeys] = await Promise.all([
    hasUncheckedPasskeys(app.db, user.id),
    recordAudit(app.db, { what: "sign-in", actor_id: user.id, origin: visit, details: { by } }),
    browser && app.db.transaction((tx) => removePushTargets(tx, { browser, except_user: user.id })),
  ]);
  headers.append("Set-Cookie", rememberDevice(app, cookies, user.email));
  return { ok: true, headers, second_step: false, check_passkeys };
}

async function refuse(app: AppParts, userId: string, reason: "banned" | "closed"): Promise<Refusal> {
  if (reason === "closed") return { ok: false, status: 403, reason };
  return { ok: false, status: 403, reason, ban: await findBan(app.db, userId) };
}

async function endSessionBefore(app: AppParts, request: Request): Promise<void> {
  const before = readSessionToken(request.headers.get("Cookie"), app.siteUrl);
  if (before !== null) await removeSessionByToken(app.db, before);
}
