// Signs users up by the form: the same response for every address.

import { findWeakness } from "#domain/accounts/common-passwords.ts";
import { consumeInvitation, isInvitation } from "#domain/accounts/invitations.ts";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { replacePrepared } from "#domain/accounts/unconfirmed-accounts.ts";
import { createUser, findUserByEmail, isEmail, isRefusedBy, lockUser, normalizeEmail } from "#domain/accounts/users.ts";
import { queueMail } from "#domain/mails.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import type { AppParts } from "../context.ts";
import type { Visit } from "../request/visit.ts";
import { mailBudgets } from "./auth-budgets.ts";
import { setCookie } from "./cookies.ts";
import { newSignUp } from "./device.ts";
import { limited, type Refusal } from "./refusal.ts";
import { uniformly } from "./sign-in.ts";
import { sendVerification, VERIFY_HOURS } from "./verification-mail.ts";

/**
 * Makes an account and mails the link that opens it. For an address with an account the response and its time are the same,
 * and the mail reports the attempt. The browser remembers this sign-up, and is signed in by its link.
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
  const wait = await app.limits.consume(
    mailBudgets(app, request, visit, "sign-up", email, { address: sign_ups_per_hour, mailbox: 5, all: 300 }),
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
  headers.append("Set-Cookie", setCookie(app.siteUrl, "sign_up", id, VERIFY_HOURS * 3600));
  return { ok: true, headers };
}

/** A concurrent sign-up with the same address won: it got the mail, and the response is the same. */
function unlessTaken(error: unknown): void {
  if (!isRefusedBy(error, "users_email_unique")) throw error;
}

/** Creates user, profile, role, password, the link and its mail in one transaction. `too late`: the invitation is used up. */
async function register(
  app: AppParts,
  visit: Visit,
  given: { email: string; passwordHash: string; locale: "en" | "de"; invitation: string | null; mark: string },
): Promise<"made" | "too late"> {
  const { email, passwordHash, locale, invitation, mark } = given;
  return app.db.transaction(async (tx) => {
    // Of two sign-ups with the last use of a code at the same moment, one is too late.
    if (invitation !== null && !(await consumeInvitation(tx, invitation))) return "too late";
    const user = await createUser(tx, { email, passwordHash, locale });
    await sendVerification({ ...app, db: tx }, user, locale, mark);
    await recordAudit(tx, { what: "sign-up", actor_id: user.id, origin: visit });
    return "made";
  });
}

/**
 * Repeats the sign-up of an unconfirmed address: replaces the earlier password and browser, which may be a stranger's.
 * False: the address is confirmed by now.
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
