// Manages the second factor: sets it up, removes it, and handles the second step of signing in.
import { createHmac, randomInt } from "node:crypto";
import { createOTP } from "@better-auth/utils/otp";
import { APIError } from "better-auth/api";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { findUser } from "#domain/members/users.ts";
import {
  claimTotpStep,
  createSecondFactor,
  enableSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  updateRecoveryCodes,
} from "#domain/sign-in/second-factors.ts";
import { tellSecurityChange } from "#domain/sign-in/security-mails.ts";
import { hashToken, type Member, removeSessionByToken } from "#domain/sign-in/sessions.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import type { AppParts } from "../context.ts";
import { ofAccount, ofAddress } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";
import { cookieName } from "./auth.ts";
import { afterSignIn, libraryHeaders, limited, type Refusal, type SignedIn } from "./auth-actions.ts";
import { type Renewed, renewSession } from "./auth-settings.ts";
import { sessionHere } from "./device.ts";
import { readCookie } from "./members.ts";

const PERIOD_S = 30;
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
    secret: await symmetricEncrypt({ key: await sealingKey(app), data: secret }),
    recoveryCodes: hashRecoveryCodes(app.secret, codes),
  });
  if (!begun) return null;
  const { site_name } = await readSiteSettings(app.db);
  const uri = createOTP(secret).url(site_name, member.email);
  return { uri, secret: new URL(uri).searchParams.get("secret") ?? "", recovery_codes: codes };
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
  const step = await matchStep(app, member.user_id, code);
  if (step === null || !(await claimTotpStep(app.db, member.user_id, step))) return CODE;
  const headers = await renewSession(app, request, visit, member, async (tx, newSessionId) => {
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
 * Completes a sign-in whose first step left its mark in a cookie: by a code of the app, or a recovery code. Used codes of the
 * app are refused, as are older ones.
 */
export async function takeSecondStep(
  app: AppParts,
  request: Request,
  visit: Visit,
  given: { code: string; kind: "app" | "recovery" },
): Promise<SignedIn | Refusal> {
  const wait = await app.limits.consume(ofAddress("second-step", visit.ip, { tries: 30, seconds: 15 * 60 }));
  if (wait !== null) return limited(wait);
  const code = given.code.replace(/[\s-]/g, "");
  // Only the first step's mark: the library would use a session instead, count no failure, and turn on an unfinished setup.
  const headers = libraryHeaders(request, visit);
  const mark = cookieName(app.siteUrl, "second_step");
  headers.set("Cookie", `${mark}=${readCookie(headers.get("Cookie"), mark) ?? ""}`);
  const asked = { headers, returnHeaders: true as const };
  try {
    const { headers, response } =
      given.kind === "app"
        ? await app.auth.api.verifyTOTP({ ...asked, body: { code } })
        : await app.auth.api.verifyBackupCode({
            ...asked,
            body: { code: hashRecoveryCode(await recoverySecretOf(app, asked.headers), code) },
          });
    const user = response.user ? await findUser(app.db, response.user.id) : null;
    if (!user) return CODE;
    if (given.kind === "app") {
      const step = await matchStep(app, user.id, code);
      if (step === null || !(await claimTotpStep(app.db, user.id, step))) {
        await removeSessionByToken(app.db, hashToken(String(response.token)));
        await recordFailure(app, visit, user.id, "USED_CODE");
        return CODE;
      }
    }
    const by = given.kind === "app" ? "second-factor" : "recovery-code";
    return { ok: true, headers, second_step: false, ...(await afterSignIn(app, request, visit, headers, user, by)) };
  } catch (error) {
    if (isSealedByOther(error)) {
      await recordFailure(app, visit, null, "SEALED_BY_ANOTHER_SECRET");
      return CODE;
    }
    if (!(error instanceof APIError)) throw error;
    await recordFailure(app, visit, null, String(error.body?.code ?? error.status));
    return error.body?.code === "ACCOUNT_TEMPORARILY_LOCKED" ? limited(15 * 60) : CODE;
  }
}

async function recordFailure(app: AppParts, visit: Visit, userId: string | null, code: string): Promise<void> {
  await recordAudit(app.db, {
    what: "sign-in-failed",
    actor_id: null,
    ...(userId ? { subject: { type: "user", id: userId } } : {}),
    origin: visit,
    details: { code },
  });
}

const consume = (app: AppParts, member: Member) =>
  app.limits.consume([ofAccount("confirm-totp", member.user_id, { tries: 10, seconds: 15 * 60 })]);

const sealingKey = async (app: AppParts) => (await app.auth.$context).secretConfig;

/** Checks whether unsealing a secret failed, as after a change of the site's secret: no code can be right then. */
const isSealedByOther = (error: unknown): boolean => error instanceof Error && error.message === "invalid tag";

/** Finds which of the site's secrets, present or earlier, hashed the recovery codes of the user in the second step. */
async function recoverySecretOf(app: AppParts, headers: Headers): Promise<string> {
  const { userId } = await app.auth.api.whoseSecondStep({ headers });
  const kept = userId ? await findSecondFactor(app.db, userId) : null;
  if (!kept?.recovery_secret) return app.secret;
  return symmetricDecrypt({ key: await sealingKey(app), data: kept.recovery_secret });
}

/** Finds the 30-second step of this code, among the current one, the one before and the one after; null: none of them. */
async function matchStep(app: AppParts, userId: string, code: string): Promise<number | null> {
  const kept = await findSecondFactor(app.db, userId);
  if (!kept) return null;
  const secret = await symmetricDecrypt({ key: await sealingKey(app), data: kept.secret }).catch((error: unknown) => {
    if (isSealedByOther(error)) return null;
    throw error;
  });
  if (secret === null) return null;
  const otp = createOTP(secret);
  const now = Math.floor(Date.now() / 1000 / PERIOD_S);
  let found: number | null = null;
  for (const step of [now - 1, now, now + 1]) if ((await otp.hotp(step)) === code.replace(/\s/g, "")) found = step;
  return found;
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
