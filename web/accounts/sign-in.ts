// Signs members in and out by forms: checks limits, acts, then writes the audit log. Returns expected outcomes as values.
import { setTimeout as pause } from "node:timers/promises";
import { hashPassword, PASSWORD_MAX, passwordLength, verifyPassword } from "#domain/accounts/passwords.ts";
import { type Member, removeSession } from "#domain/accounts/sessions.ts";
import { findPasswordHash, findUserByEmail, isEmail, normalizeEmail, type User } from "#domain/accounts/users.ts";
import { removePushTargets } from "#domain/notifications/push-targets.ts";
import { recordAudit } from "#domain/site/audit.ts";
import type { AppParts } from "../context.ts";
import type { Visit } from "../request/visit.ts";
import { signInBudgets } from "./auth-budgets.ts";
import { beginSession } from "./begin-session.ts";
import { setCookie } from "./cookies.ts";
import { browserHash } from "./device.ts";
import { limited, type Refusal, type SignedIn } from "./refusal.ts";
import { repeatVerification } from "./verification-mail.ts";

/** Work that depends on whether an address is known takes this time, so that the time reveals nothing. */
const UNIFORM_MS = 500;

/** The audit log's codes of refused passwords. */
const CODES: Partial<Record<Refusal["reason"], string>> = {
  wrong: "INVALID_EMAIL_OR_PASSWORD",
  unverified: "EMAIL_NOT_VERIFIED",
  closed: "ACCOUNT_CLOSED",
  banned: "ACCOUNT_BANNED",
};

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
  const user = await findUserByEmail(app.db, email);
  const outcome = await signInByPassword(app, request, visit, user, given.password);
  if (outcome.ok) {
    await app.limits.forgive(limits.filter(({ name }) => name.endsWith(":account")));
    return outcome;
  }
  await recordAudit(app.db, {
    what: "sign-in-failed",
    actor_id: null,
    ...(user ? { subject: { type: "user", id: user.id } } : {}),
    origin: visit,
    details: { code: CODES[outcome.reason] ?? outcome.reason },
  });
  await pause(Math.max(0, UNIFORM_MS - (performance.now() - startedAt)));
  if (outcome.reason === "unverified" && user) await repeatVerification(app, user, given.locale);
  return outcome;
}

async function signInByPassword(
  app: AppParts,
  request: Request,
  visit: Visit,
  user: User | null,
  password: string,
): Promise<SignedIn | Refusal> {
  const hash = user && (await findPasswordHash(app.db, user.id));
  // As much work without a password to compare with.
  if (!user || !hash) await hashPassword(password);
  if (!user || !hash || !(await verifyPassword(password, hash))) return { ok: false, status: 401, reason: "wrong" };
  if (!user.emailVerified) return { ok: false, status: 403, reason: "unverified" };
  return beginSession(app, request, visit, { user_id: user.id, by: "password" });
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
