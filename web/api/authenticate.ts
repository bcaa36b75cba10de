// Who calls the public API, by the Authorization header alone: cookies play no part, so that no browser can be made to call
// it for somebody.
import type { Db } from "#db/client.ts";
import { type ApiKey, findApiKey } from "#domain/sign-in/api-keys.ts";
import { findMemberByAccessToken, type ProgramMember } from "#domain/sign-in/program-sessions.ts";
import { limitedAddress, type Visit } from "../request/visit.ts";
import type { CallBudgets } from "./call-budgets.ts";
import { problem, tooOften } from "./problem.ts";

export type Authenticated = { key: ApiKey | null; member: ProgramMember | null };

const NOBODY: Authenticated = { key: null, member: null };

/** Who it is, counted against their budget; otherwise the refusal. */
export async function authenticate(
  db: Db,
  budgets: CallBudgets,
  visit: Visit,
  authorization: string | null,
): Promise<Authenticated | Response> {
  const address = limitedAddress(visit.ip);
  const token = /^Bearer +(\S{1,200})$/i.exec(authorization ?? "")?.[1];
  if (token === undefined && !/^Bearer\b/i.test(authorization ?? "")) {
    const wait = budgets.consume("address", address);
    return wait === null ? NOBODY : tooOften(wait);
  }
  const guessed = budgets.spent("wrong", address);
  if (guessed !== null) return tooOften(guessed);
  const key = token?.startsWith("spk_") ? await findApiKey(db, token) : null;
  const member = token?.startsWith("spa_") ? await findMemberByAccessToken(db, token) : null;
  if (!key && !member) {
    budgets.consume("wrong", address);
    return problem(401, "This is no key or access token of this site, or it has ended.", {
      code: "invalid_token",
      headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    });
  }
  const wait = budgets.consume("known", key ? `key ${key.key_id}` : `member ${member?.user_id}`);
  return wait === null ? { key, member } : tooOften(wait);
}
