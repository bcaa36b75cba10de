// Manages the second factor: sets it up, removes it, and handles the second step of signing in.
import { createHmac, randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { consumeToken, countTry, findToken } from "#domain/accounts/one-time-tokens.ts";
import {
  claimTotpStep,
  consumeRecoveryCode,
  createSecondFactor,
  enableSecondFactor,
  findSecondFactor,
  forgetWrongCodes,
  LOCKED_S,
  recordWrongCode,
  removeSecondFactor,
  updateRecoveryCodes,
} from "#domain/accounts/second-factors.ts";
import { openSecret, sealSecret } from "#domain/accounts/secret-seal.ts";
import { tellSecurityChange } from "#domain/accounts/security-mails.ts";
import type { Member } from "#domain/accounts/sessions.ts";
import { findUser, lockUser } from "#domain/accounts/users.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import type { AppParts } from "../context.ts";
import { ofAccount, ofAddress } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";
import { type Renewed, renewSession } from "./auth-settings.ts";
import { beginSession } from "./begin-session.ts";
import { cookieName, readCookie } from "./cookies.ts";
import { sessionHere } from "./device.ts";
import { limited, type Refusal, type SignedIn } from "./refusal.ts";

/** Tries of one second step; then the first step has to be repeated. */
const MOST_TRIES = 5;
const CODE: Refusal = { ok: false, status: 401, reason: "code" };

/**
 * Starts the setup: the secret as a URI for an authenticator app, and ten recovery codes, shown this once. It applies from
 * `confirmTotp` on. Null: it is on already.
 */
export async function startTotp(
  app: AppParts,
  member: Member,
): Promise<{ uri: string; secret: string; recovery_codes: string[] } | null> {
  const secret = randomText("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 32);
  const codes = makeRecoveryCodes();
  const begun = await createSecondFactor(app.db, member.user_id, {
    secret: sealSecret(app.secret, secret),
    recoveryCodes: hashRecoveryCodes(app.secret, codes),
  });
  if (!begun) return null;
  const { site_name } = await readSiteSettings(app.db);
  const totp = new TOTP({ issuer: site_name, label: member.email, secret: Secret.fromUTF8(secret) });
  return { uri: totp.toString(), secret: totp.secret.base32, recovery_codes: codes };
}

/** Turns it on with a first code from the app. Other sessions end; the own one gets a new token. */
export async function confirmTotp(
  app: AppParts,
  request: Request,
  visit: Visit,
  member: Member,
  code: string,
): Promise<Renewed | Refusal> {
  const wait = await consume(app, member);
  if (wait !== null) return limited(wait);
  const factor = await findSecondFactor(app.db, member.user_id);
  const secret = factor && openSecret(app.secret, factor.secret);
  const step = secret ? findStep(secret, code) : null;
  if (step === null || !(await claimTotpStep(app.db, member.user_id, step))) return CODE;
  const headers = await renewSession(app, visit, member, async (tx, newSessionId) => {
    await enableSecondFactor(tx, member.user_id, sessionHere(app, request, { session_id: newSessionId }));
    await recordAudit(tx, { what: "second-factor-on", actor_id: member.user_id, origin: visit });
    await tellSecurityChange(tx, { user_id: member.user_id, what: "second-factor-on", origin: visit });
  });
  return { ok: true, headers };
}

/** Turns it off. */
export async function disableTotp(app: AppParts, visit: Visit, member: Member): Promise<void> {
  await app.db.transaction(async (tx) => {
    if (!(await removeSecondFactor(tx, member.user_id))) return;
    await recordAudit(tx, { what: "second-factor-off", actor_id: member.user_id, origin: visit });
    await tellSecurityChange(tx, { user_id: member.user_id, what: "second-factor-off", origin: visit });
  });
}

/** Replaces the recovery codes; null without a second factor. */
export async function remakeRecoveryCodes(app: AppParts, visit: Visit, member: Member): Promise<string[] | null> {
  const codes = makeRecoveryCodes();
  return app.db.transaction(async (tx) => {
    if (!(await updateRecoveryCodes(tx, member.user_id, hashRecoveryCodes(app.secret, codes)))) return null;
    await recordAudit(tx, { what: "recovery-codes-made", actor_id: member.user_id, origin: visit });
    await tellSecurityChange(tx, { user_id: member.user_id, what: "recovery-codes-made", origin: visit });
    return codes;
  });
}

/**
 * Completes a login whose first step left its mark in a cookie: by a code of the app, or a recovery code. Used codes of the app are
 * refused, as are older ones.
 */
export async function takeSecondStep(
  app: AppParts,
  request: Request,
  visit: Visit,
  given: { code: string; kind: "app" | "recovery" },
): Promise<SignedIn | Refusal> {
  const wait = await app.limits.consume(ofAddress("second-step", visit.ip, { tries: 30, seconds: 15 * 60 }));
  if (wait !== null) return limited(wait);
  const mark = readCookie(request.headers.get("Cookie"), cookieName(app.siteUrl, "second_step")) ?? "";
  const first = await countTry(app.db, "second-step", mark);
  const user = first?.about.user_id ? await findUser(app.db, first.about.user_id) : null;
  const failure =
    !first || !user
      ? "INVALID_TWO_FACTOR_COOKIE"
      : first.tries > MOST_TRIES
        ? "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE"
        : await consumeSecondStep(app, user.id, mark, given);
  if (failure || !user) {
    await recordAudit(app.db, {
      what: "sign-in-failed",
      actor_id: null,
      ...(user ? { subject: { type: "user", id: user.id } } : {}),
      origin: visit,
      details: { code: failure ?? "" },
    });
    return failure === "ACCOUNT_TEMPORARILY_LOCKED" ? limited(LOCKED_S) : CODE;
  }
  const by = given.kind === "app" ? "second-factor" : "recovery-code";
  return beginSession(app, request, visit, { user_id: user.id, by, two_factors: true });
}

/** Uses the mark and the code up. Returns the audit log's code of a refusal; null: both are right. */
async function consumeSecondStep(
  app: AppParts,
  userId: string,
  mark: string,
  { code, kind }: { code: string; kind: "app" | "recovery" },
): Promise<string | null> {
  return app.db.transaction(async (tx) => {
    // Of two codes at the same moment, the second finds the mark used.
    await lockUser(tx, userId);
    const factor = (await findToken(tx, "second-step", mark)) && (await findSecondFactor(tx, userId));
    if (!factor?.verified) return "INVALID_TWO_FACTOR_COOKIE";
    if (factor.locked) return "ACCOUNT_TEMPORARILY_LOCKED";
    const wrong = kind === "app" ? "INVALID_CODE" : "INVALID_BACKUP_CODE";
    let refusal: string | null;
    if (kind === "app") {
      const secret = openSecret(app.secret, factor.secret);
      if (secret === null) return "SEALED_BY_ANOTHER_SECRET";
      const step = findStep(secret, code);
      if (step === null) refusal = wrong;
      else refusal = (await claimTotpStep(tx, userId, step)) ? null : "USED_CODE";
    } else {
      // The codes are hashed with the secret that the site had when they were made.
      const secret = factor.recovery_secret === null ? app.secret : openSecret(app.secret, factor.recovery_secret);
      if (secret === null) return "SEALED_BY_ANOTHER_SECRET";
      refusal = (await consumeRecoveryCode(tx, userId, hashRecoveryCode(secret, code))) ? null : wrong;
    }
    if (refusal) await recordWrongCode(tx, userId);
    else {
      await consumeToken(tx, "second-step", mark);
      await forgetWrongCodes(tx, userId);
    }
    return refusal;
  });
}

const consume = (app: AppParts, member: Member) =>
  app.limits.consume([ofAccount("confirm-totp", member.user_id, { tries: 10, seconds: 15 * 60 })]);

/** Finds the 30-second step of this code, among the current one, the one before and the one after; null: none of them. */
function findStep(secret: string, code: string): number | null {
  const totp = new TOTP({ secret: Secret.fromUTF8(secret) });
  const delta = totp.validate({ token: code.replace(/[\s-]/g, ""), window: 1 });
  return delta === null ? null : totp.counter() + delta;
}

function randomText(letters: string, length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}

/** Makes ten codes of 50 bits, without letters that look alike. */
function makeRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => {
    const code = randomText("23456789abcdefghjkmnpqrstuvwxyz", 10);
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

const hashRecoveryCode = (secret: string, code: string) =>
  createHmac("sha256", secret)
    .update(`recovery ${code.replace(/[\s-]/g, "").toLowerCase()}`)
    .digest("base64url");

const hashRecoveryCodes = (secret: string, codes: string[]) =>
  JSON.stringify(codes.map((code) => hashRecoveryCode(secret, code)));
