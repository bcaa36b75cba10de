// Signs members in and out by forms: checks limits, acts, then writes the audit log. Returns expected outcomes as values.
import { setTimeout as pause } from "node:timers/promises";
import { APIError } from "better-auth/api";
import { type Ban, findBan } from "#domain/members/user-list.ts";
import { findUserByEmail, isEmail, normalizeEmail } from "#domain/members/users.ts";
import { removePushTargets } from "#domain/notifications/push-targets.ts";
import type { Weakness } from "#domain/sign-in/common-passwords.ts";
import { hasUncheckedPasskeys } from "#domain/sign-in/passkeys.ts";
import { PASSWORD_MAX, passwordLength } from "#domain/sign-in/passwords.ts";
import { hashToken, type Member, removeSession, removeSessionByToken } from "#domain/sign-in/sessions.ts";
import { recordAudit } from "#domain/site/audit.ts";
import type { AppParts } from "../context.ts";
import type { Visit } from "../request/visit.ts";
import { CLIENT_IP_HEADER } from "./auth.ts";
import { signInBudgets } from "./auth-budgets.ts";
import { browserHash, rememberDevice, setCookie } from "./device.ts";
import { readSessionToken } from "./members.ts";
import { repeatVerification } from "./verification-mail.ts";

/** Why a request was refused; the page turns it into a text. */
export type Refusal =
  | { ok: false; status: 400 | 422; reason: "missing" | "email" | "taken" | Weakness }
  | { ok: false; status: 401; reason: "wrong" | "code" | "link" }
  | { ok: false; status: 403; reason: "unverified" | "closed" | "sign_ups_closed" | "invitation" }
  /** `ban`: only for a user who has proved that the account is theirs. */
  | { ok: false; status: 403; reason: "banned"; ban?: Ban | null }
  | { ok: false; status: 429; reason: "limit"; wait_s: number };

/** `headers` contain the response's cookies; `check_passkeys`: the member must review their passkeys first. */
export type SignedIn = { ok: true; headers: Headers; second_step: boolean; check_passkeys: boolean };

export const limited = (wait_s: number): Refusal => ({ ok: false, status: 429, reason: "limit", wait_s });

export const RESET_MINUTES = 60;
/** Work that depends on whether an address is known takes this time, so that the time reveals nothing. */
const UNIFORM_MS = 500;

/** Makes the headers that the library sees: the request's cookies, and the verified client address. */
export const libraryHeaders = (request: Request, visit: Visit): Headers =>
  new Headers({
    Cookie: request.headers.get("Cookie") ?? "",
    "User-Agent": visit.user_agent,
    [CLIENT_IP_HEADER]: visit.ip,
  });

/** Signs in with email and password. Known and unknown addresses are refused alike, at the same cost and time. */
export async function signIn(
  app: AppParts,
  request: Request,
  visit: Visit,
  given: { email: string; password: string; locale: "en" | "de" },
): Promise<SignedIn | Refusal> {
  const email = normalizeEmail(given.email);
  if (email === "" || given.password === "") return { ok: false, status: 400, reason: "missing" };
  if (!isEmail(email)) return { ok: false, status: 400, reason: "email" };
  const limits = signInBudgets(app, request, visit, email);
  const wait = await app.limits.consume(limits);
  if (wait !== null) return limited(wait);
  if (passwordLength(given.password) > PASSWORD_MAX) return { ok: false, status: 401, reason: "wrong" };
  const startedAt = performance.now();
  try {
    const { headers, response } = await app.auth.api.signInEmail({
      body: { email, password: given.password },
      headers: libraryHeaders(request, visit),
      returnHeaders: true,
    });
    await app.limits.forgive(limits.filter(({ name }) => name.endsWith(":account")));
    const second_step = "twoFactorRedirect" in response;
    if (second_step) {
      await endSessionBefore(app, request);
      return { ok: true, headers, second_step, check_passkeys: false };
    }
    const user = { id: response.user.id, email };
    return { ok: true, headers, second_step, ...(await afterSignIn(app, request, visit, headers, user, "password")) };
  } catch (error) {
    const code = error instanceof APIError ? error.body?.code : undefined;
    if (code === undefined) throw error;
    const user = await findUserByEmail(app.db, email);
    await recordAudit(app.db, {
      what: "sign-in-failed",
      actor_id: null,
      ...(user ? { subject: { type: "user", id: user.id } } : {}),
      origin: visit,
      details: { code },
    });
    await pause(Math.max(0, UNIFORM_MS - (performance.now() - startedAt)));
    if (code === "EMAIL_NOT_VERIFIED" && user) await repeatVerification(app, user, given.locale);
    if (code === "ACCOUNT_BANNED" && user) {
      return { ok: false, status: 403, reason: "banned", ban: await findBan(app.db, user.id) };
    }
    return refusalOf(code);
  }
}

/** Maps the library's error code to a refusal. */
export function refusalOf(code: string): Refusal {
  if (code === "EMAIL_NOT_VERIFIED") return { ok: false, status: 403, reason: "unverified" };
  if (code === "ACCOUNT_CLOSED") return { ok: false, status: 403, reason: "closed" };
  if (code === "ACCOUNT_BANNED") return { ok: false, status: 403, reason: "banned" };
  return { ok: false, status: 401, reason: "wrong" };
}

/** Completes a sign-in: ends the previous session, logs it, remembers the device. */
export async function afterSignIn(
  app: AppParts,
  request: Request,
  visit: Visit,
  headers: Headers,
  user: { id: string; email: string },
  by: string,
): Promise<{ check_passkeys: boolean }> {
  await endSessionBefore(app, request);
  // The browser is this member's now: another member's push notifications must stop.
  const browser = browserHash(app, request.headers.get("Cookie"));
  const [check_passkeys] = await Promise.all([
    hasUncheckedPasskeys(app.db, user.id),
    recordAudit(app.db, { what: "sign-in", actor_id: user.id, origin: visit, details: { by } }),
    browser && app.db.transaction((tx) => removePushTargets(tx, { browser, except_user: user.id })),
  ]);
  headers.append("Set-Cookie", rememberDevice(app, request.headers.get("Cookie"), user.email));
  return { check_passkeys };
}

/**
 * Ends this browser's previous session: a browser has only one. The first step of a two-step sign-in ends it already, so the
 * second step comes without it.
 */
export async function endSessionBefore(app: AppParts, request: Request): Promise<void> {
  const before = readSessionToken(request.headers.get("Cookie"), app.siteUrl);
  if (before !== null) await removeSessionByToken(app.db, hashToken(before));
}

/** Runs `work` in the same time whatever it finds; a failure is immediate, for it reveals nothing about an address. */
export async function uniformly(work: () => Promise<void>): Promise<void> {
  await Promise.all([work(), pause(UNIFORM_MS)]);
}

/**
 * Ends the member's session and removes members' push targets of this browser. The headers delete the session cookie.
 * @param member null: the session had ended before
 */
export async function signOut(app: AppParts, request: Request, visit: Visit, member: Member | null): Promise<Headers> {
  const browser = browserHash(app, request.headers.get("Cookie"));
  if (member || browser) {
    // All or nothing: if it reports a failure, the member is still logged in.
    await app.db.transaction(async (tx) => {
      if (member) {
        await removeSession(tx, member.user_id, member.session_id);
        await recordAudit(tx, { what: "sign-out", actor_id: member.user_id, origin: visit });
      }
      if (browser) await removePushTargets(tx, { browser, except_user: null });
    });
  }
  const headers = new Headers();
  headers.append("Set-Cookie", setCookie(app.siteUrl, "session", "", 0));
  return headers;
}
