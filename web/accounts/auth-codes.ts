// Signs members in by a mailed code.

import { CODE_MINUTES, consumeSignInCode, createSignInCode } from "#domain/accounts/codes.ts";
import { confirmEmail } from "#domain/accounts/unconfirmed-accounts.ts";
import { findUser, findUserByEmail, hasEmailForm, lockUser, normalizeEmail } from "#domain/accounts/users.ts";
import { queueMail } from "#domain/mails.ts";
import { findProfile } from "#domain/members/profiles.ts";
import type { AppParts } from "../context.ts";
import { ofAddress } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";
import { mailBudgets } from "./auth-budgets.ts";
import { beginSession } from "./begin-session.ts";
import { cookieName, readCookie, setCookie } from "./cookies.ts";
import { didSignUp } from "./device.ts";
import { limited, type Refusal, type SignedIn } from "./refusal.ts";
import { uniformly } from "./sign-in.ts";

/** Mails a code if the address has an account. The response and its time are the same if it has none. */
export async function requestSignInCode(
  app: AppParts,
  request: Request,
  visit: Visit,
  given: { email: string; locale: "en" | "de" },
): Promise<{ ok: true; headers: Headers } | Refusal> {
  const email = normalizeEmail(given.email);
  if (!hasEmailForm(email)) return { ok: false, status: 400, reason: "email" };
  const wait = await app.limits.consume(
    mailBudgets(app, request, visit, "sign-in-code", email, { address: 20, mailbox: 10, all: 300 }),
  );
  if (wait !== null) return limited(wait);
  const headers = new Headers();
  await uniformly(async () => {
    const user = await findUserByEmail(app.db, email);
    const known = user && !user.deactivated_at ? user : null;
    await app.db.transaction(async (tx) => {
      const { ticket, code } = await createSignInCode(tx, app.secret, known);
      headers.append("Set-Cookie", setCookie(app.siteUrl, "code", ticket, CODE_MINUTES * 60));
      if (!known) return;
      await queueMail(tx, {
        to: email,
        locale: (await findProfile(tx, known.id))?.locale ?? given.locale,
        template: "sign-in-code",
        data: { code: `${code.slice(0, 4)} ${code.slice(4)}`, minutes: CODE_MINUTES },
        useful_for_s: CODE_MINUTES * 60,
      });
    });
  });
  return { ok: true, headers };
}

/** Signs in by the code; a second factor is still required. */
export async function signInByCode(
  app: AppParts,
  request: Request,
  visit: Visit,
  given: string,
): Promise<SignedIn | Refusal> {
  const wait = await app.limits.consume(ofAddress("code", visit.ip, { tries: 30, seconds: 15 * 60 }));
  if (wait !== null) return limited(wait);
  const ticket = readCookie(request.headers.get("Cookie"), cookieName(app.siteUrl, "code"));
  const whose = ticket && (await consumeSignInCode(app.db, app.secret, ticket, given.replace(/\D/g, "").slice(0, 20)));
  const user = whose ? await findUser(app.db, whose.user_id) : null;
  // A change of address voids codes sent to the old one.
  if (!user || !whose || user.email !== whose.email) return { ok: false, status: 401, reason: "code" };
  // The code came by mail, so the address is theirs; other data of the account need not be.
  if (!user.emailVerified) {
    const cookies = request.headers.get("Cookie");
    await app.db.transaction(async (tx) => {
      if ((await lockUser(tx, user.id))?.emailVerified !== false) return;
      await confirmEmail(tx, user.id, (mark) => didSignUp(app, cookies, user.email, mark));
    });
  }
  if (user.deactivated_at) return { ok: false, status: 403, reason: "closed" };
  const signedIn = await beginSession(app, request, visit, { user_id: user.id, by: "code" });
  if (signedIn.ok) signedIn.headers.append("Set-Cookie", setCookie(app.siteUrl, "code", "", 0));
  return signedIn;
}
