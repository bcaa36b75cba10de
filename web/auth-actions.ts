// Signing in, up and out, as forms ask for it: limits first, then the act, then the audit log. Expected outcomes are values.
import { setTimeout as pause } from "node:timers/promises";
import { APIError } from "better-auth/api";
import { recordAudit } from "#domain/audit.ts";
import { findWeakness, type Weakness } from "#domain/common-passwords.ts";
import { consumeInvitation, isInvitation } from "#domain/invitations.ts";
import { queueMail } from "#domain/mails.ts";
import { createToken, removeTokens } from "#domain/one-time-tokens.ts";
import { hashPassword, PASSWORD_MAX } from "#domain/passwords.ts";
import { type Ban, findBan } from "#domain/people.ts";
import { hashToken, type Member, removeSession, removeSessionByToken } from "#domain/sessions.ts";
import { readSiteSettings } from "#domain/site-settings.ts";
import { replacePrepared } from "#domain/unconfirmed-accounts.ts";
import { createUser, findUserByEmail, isEmail, lockUser, normalizeEmail, type User } from "#domain/users.ts";
import { CLIENT_IP_HEADER } from "./auth.ts";
import type { AppParts } from "./context.ts";
import { knownDevice, newSignUp, rememberDevice, setCookie } from "./device.ts";
import { readSessionToken } from "./members.ts";
import { type Charge, ofAccount, ofAddress, ofAll } from "./rate-limits.ts";
import type { Visit } from "./visit.ts";

/** Why something was refused, for the page to put into words. */
export type Refusal =
  | { ok: false; status: 400 | 422; reason: "missing" | "email" | Weakness }
  | { ok: false; status: 401; reason: "wrong" | "code" | "link" }
  | { ok: false; status: 403; reason: "unverified" | "closed" | "sign_ups_closed" | "invitation" }
  /** `ban`: told only to somebody who has shown that the account is theirs. */
  | { ok: false; status: 403; reason: "banned"; ban?: Ban | null }
  | { ok: false; status: 429; reason: "limit"; wait_s: number };

/** `headers` carry the cookies that go out with the answer. */
export type SignedIn = { ok: true; headers: Headers; second_step: boolean };

export const limited = (wait_s: number): Refusal => ({ ok: false, status: 429, reason: "limit", wait_s });

const VERIFY_HOURS = 24;
export const RESET_MINUTES = 60;
/** What depends on whether an address is known takes place within this time, so that the time tells nothing. */
const UNIFORM_MS = 500;

const MINUTE = 60;
const HOUR = 3600;

/** The budgets of a try with this address: a device that knows the account has its own, and strangers cannot spend it. */
export function budgets(
  app: AppParts,
  request: Request,
  visit: Visit,
  name: string,
  email: string,
  tries: { address: number; account: number; all: number; seconds: number },
): Charge[] {
  const device = knownDevice(app, request.headers.get("Cookie"), email);
  const account = { tries: tries.account, seconds: tries.seconds };
  if (device) return [ofAccount(`${name}:device`, `${device} ${email}`, account)];
  return [
    ofAddress(name, visit.ip, { tries: tries.address, seconds: tries.seconds }),
    ofAccount(name, email, account),
    ofAll(name, { tries: tries.all, seconds: MINUTE }),
  ];
}

/** What the library sees of a request: the cookies, and an address that we vouch for. */
export const libraryHeaders = (request: Request, visit: Visit): Headers =>
  new Headers({
    Cookie: request.headers.get("Cookie") ?? "",
    "User-Agent": visit.user_agent,
    [CLIENT_IP_HEADER]: visit.ip,
  });

/** Signs in with e-mail and password. A known and an unknown address are refused alike, at the same cost and time. */
export async function signIn(
  app: AppParts,
  request: Request,
  visit: Visit,
  given: { email: string; password: string; locale: "en" | "de" },
): Promise<SignedIn | Refusal> {
  const email = normalizeEmail(given.email);
  if (email === "" || given.password === "") return { ok: false, status: 400, reason: "missing" };
  if (!isEmail(email)) return { ok: false, status: 400, reason: "email" };
  const charges = budgets(app, request, visit, "sign-in", email, {
    address: 60,
    account: 10,
    all: 6_000,
    seconds: 15 * MINUTE,
  });
  const wait = await app.limits.charge(charges);
  if (wait !== null) return limited(wait);
  if (given.password.length > PASSWORD_MAX) return { ok: false, status: 401, reason: "wrong" };
  const startedAt = performance.now();
  try {
    const { headers, response } = await app.auth.api.signInEmail({
      body: { email, password: given.password },
      headers: libraryHeaders(request, visit),
      returnHeaders: true,
    });
    await app.limits.forgive(charges.filter(({ name }) => name.endsWith(":account")));
    const second_step = "twoFactorRedirect" in response;
    if (!second_step) await afterSignIn(app, request, visit, headers, { id: response.user.id, email }, "password");
    return { ok: true, headers, second_step };
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

/** A refusal by the library, as one of ours. */
export function refusalOf(code: string): Refusal {
  if (code === "EMAIL_NOT_VERIFIED") return { ok: false, status: 403, reason: "unverified" };
  if (code === "ACCOUNT_CLOSED") return { ok: false, status: 403, reason: "closed" };
  if (code === "ACCOUNT_BANNED") return { ok: false, status: 403, reason: "banned" };
  return { ok: false, status: 401, reason: "wrong" };
}

/** What follows every sign-in: the audit log, and a device that is remembered. */
export async function afterSignIn(
  app: AppParts,
  request: Request,
  visit: Visit,
  headers: Headers,
  user: { id: string; email: string },
  by: string,
): Promise<void> {
  // A session that this browser had before ends: nobody has two of them in one place.
  const before = readSessionToken(request.headers.get("Cookie"), app.siteUrl);
  if (before !== null) await removeSessionByToken(app.db, hashToken(before));
  await recordAudit(app.db, { what: "sign-in", actor_id: user.id, origin: visit, details: { by } });
  headers.append("Set-Cookie", rememberDevice(app, request.headers.get("Cookie"), user.email));
}

/**
 * Makes an account and mails the link that opens it. For an address that has one the answer is the same, at the same
 * time, and the mail says that somebody tried. The browser remembers this sign-up, and is signed in by its link.
 */
export async function signUp(
  app: AppParts,
  request: Request,
  visit: Visit,
  given: { email: string; password: string; locale: "en" | "de"; invitation: string },
): Promise<{ ok: true; headers: Headers } | Refusal> {
  const { registration, sign_ups_per_hour } = await readSiteSettings(app.db);
  if (registration === "closed") return { ok: false, status: 403, reason: "sign_ups_closed" };
  const email = normalizeEmail(given.email);
  if (email === "" || given.password === "") return { ok: false, status: 400, reason: "missing" };
  if (!isEmail(email)) return { ok: false, status: 400, reason: "email" };
  const weakness = await findWeakness(given.password, email);
  if (weakness) return { ok: false, status: 422, reason: weakness };
  const wait = await app.limits.charge(
    budgets(app, request, visit, "sign-up", email, {
      address: sign_ups_per_hour,
      account: 5,
      all: 300,
      seconds: HOUR,
    }),
  );
  if (wait !== null) return limited(wait);
  const invitation = registration === "invitation" ? given.invitation.slice(0, 60) : null;
  if (invitation !== null && !(await isInvitation(app.db, invitation)))
    return { ok: false, status: 403, reason: "invitation" };
  let tooLate = false;
  const { id, mark } = newSignUp(app, email);
  await uniformly(async () => {
    const passwordHash = await hashPassword(given.password);
    const known = await findUserByEmail(app.db, email);
    if (!known) {
      const asked = { email, passwordHash, locale: given.locale, invitation, mark };
      tooLate = (await register(app, visit, asked).catch(unlessTaken)) === "too late";
    }
    const replaced = known !== null && (await signUpAnew(app, known.id, { passwordHash, locale: given.locale, mark }));
    if (known && !replaced) {
      await queueMail(app.db, {
        to: email,
        locale: given.locale,
        template: "already-registered",
        data: { sign_in_link: `${app.siteUrl}/login/`, reset_link: `${app.siteUrl}/forgot-password` },
      });
    }
  });
  if (tooLate) return { ok: false, status: 403, reason: "invitation" };
  const headers = new Headers();
  headers.append("Set-Cookie", setCookie(app.siteUrl, "sign_up", id, VERIFY_HOURS * HOUR));
  return { ok: true, headers };
}

/** Somebody was quicker with the same address: they got the mail, and the answer is the same. */
function unlessTaken(error: unknown): void {
  const cause = error instanceof Error ? error.cause : null;
  if (cause instanceof Error && "constraint_name" in cause && cause.constraint_name === "users_email_unique") return;
  throw error;
}

/** User, profile, role, password, the link and its mail: all of it or nothing. `too late`: the invitation is used up. */
async function register(
  app: AppParts,
  visit: Visit,
  given: { email: string; passwordHash: string; locale: "en" | "de"; invitation: string | null; mark: string },
): Promise<"made" | "too late"> {
  const { email, passwordHash, locale, invitation, mark } = given;
  return app.db.transaction(async (tx) => {
    // Of two who use the last of a code at the same moment, one is too late.
    if (invitation !== null && !(await consumeInvitation(tx, invitation))) return "too late";
    const user = await createUser(tx, { email, passwordHash, locale });
    await sendVerification({ ...app, db: tx }, user, locale, mark);
    await recordAudit(tx, { what: "sign-up", actor_id: user.id, origin: visit });
    return "made";
  });
}

/**
 * Signs an address up that is signed up but not confirmed: this password and this browser in place of those before, which
 * may be a stranger's. False: the address is confirmed by now.
 */
async function signUpAnew(
  app: AppParts,
  userId: string,
  given: { passwordHash: string; locale: "en" | "de"; mark: string },
): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.emailVerified) return false;
    await replacePrepared(tx, user.id, given.passwordHash);
    await sendVerification({ ...app, db: tx }, user, given.locale, given.mark);
    return true;
  });
}

/** Another link for the sign-up that there is: it is as much its own browser's as the one before. */
async function repeatVerification(app: AppParts, { id }: User, locale: "en" | "de"): Promise<void> {
  await app.db.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    if (user && !user.emailVerified) await sendVerification({ ...app, db: tx }, user, locale);
  });
}

/** A fresh link that confirms the address; the ones before it are void. Without a mark it has that of the one before. */
async function sendVerification(
  app: Pick<AppParts, "db" | "siteUrl">,
  user: User,
  locale: "en" | "de",
  mark?: string,
): Promise<void> {
  const before = await removeTokens(app.db, "verify-email", "user_id", user.id);
  const sign_up = mark ?? before[0]?.sign_up;
  const about = { user_id: user.id, email: user.email, ...(sign_up ? { sign_up } : {}) };
  const token = await createToken(app.db, "verify-email", about, VERIFY_HOURS * HOUR);
  await queueMail(app.db, {
    to: user.email,
    locale,
    template: "verify-email",
    data: { link: `${app.siteUrl}/verify-email?token=${token}`, hours: VERIFY_HOURS },
    useful_until: new Date(Date.now() + VERIFY_HOURS * HOUR * 1000),
  });
}

/** Does something in the same time whatever it finds; a failure comes at once, for it says nothing of an address. */
export async function uniformly(work: () => Promise<void>): Promise<void> {
  await Promise.all([work(), pause(UNIFORM_MS)]);
}

/** Ends the session of the one who asks. The headers take its cookies away. */
export async function signOut(app: AppParts, visit: Visit, member: Member | null): Promise<Headers> {
  if (member) {
    await removeSession(app.db, member.user_id, member.session_id);
    await recordAudit(app.db, { what: "sign-out", actor_id: member.user_id, origin: visit });
  }
  const headers = new Headers();
  headers.append("Set-Cookie", setCookie(app.siteUrl, "session", "", 0));
  return headers;
}
