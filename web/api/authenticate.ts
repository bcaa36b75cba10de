// Identifies the public API's client, by the Authorization header alone: cookies are ignored, so other sites can't make a
// browser call it for its user.
import type { Db } from "#db/client.ts";
import { type ApiKey, findApiKey, type KeyScope } from "#domain/accounts/api-keys.ts";
import { findMemberByAccessToken, type ProgramMember } from "#domain/accounts/program-sessions.ts";
import { may } from "#domain/permissions.ts";
import { clientKeysOf } from "../request/client-keys.ts";
import type { Visit } from "../request/visit.ts";
import type { CallBudgets } from "./call-budgets.ts";
import { problem, tooOften } from "./problem.ts";

export type Authenticated = { key: ApiKey | null; member: ProgramMember | null };

/** Checks whether the key has this scope, or the member's role the permission of that name. */
export const isAllowed = ({ key, member }: Authenticated, permission: KeyScope): boolean =>
  key ? key.scopes.includes(permission) : may(member?.role ?? null, permission);

const NOBODY: Authenticated = { key: null, member: null };

/** Finds the client and counts the call against their budget; otherwise refuses. */
export async function authenticate(
  db: Db,
  budgets: CallBudgets,
  visit: Visit,
  authorization: string | null,
): Promise<Authenticated | Response> {
  const { client, network } = clientKeysOf(visit.ip);
  const isWhole = network === client;
  const token = /^Bearer +(\S{1,200})$/i.exec(authorization ?? "")?.[1];
  if (token === undefined && !/^Bearer\b/i.test(authorization ?? "")) {
    const wait = budgets.consume("address", client) ?? (isWhole ? null : budgets.consume("network", network));
    return wait === null ? NOBODY : tooOften(wait);
  }
  const guessed = budgets.spent("wrong", client) ?? (isWhole ? null : budgets.spent("wrongOfNetwork", network));
  if (guessed !== null) return tooOften(guessed);
  const key = token?.startsWith("spk_") ? await findApiKey(db, token) : null;
  const member = token?.startsWith("spa_") ? await findMemberByAccessToken(db, token) : null;
  if (!key && !member) {
    budgets.consume("wrong", client);
    if (!isWhole) budgets.consume("wrongOfNetwork", network);
    return problem(401, "This is no key or access token of this site, or it has ended.", {
      code: "invalid_token",
      headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    });
  }
  const wait = budgets.consume("known", key ? `key ${key.key_id}` : `member ${member?.user_id}`);
  return wait === null ? { key, member } : tooOften(wait);
}
