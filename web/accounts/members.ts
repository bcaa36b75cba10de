// Finds the member who sent a request.
import type { IncomingMessage } from "node:http";
import type { Db } from "#db/client.ts";
import { isDatabaseAway } from "#db/database-away.ts";
import { findMemberByToken, type Member } from "#domain/accounts/sessions.ts";
import { may } from "#domain/permissions.ts";
import { type Asker, askerOfAccount, askerOfAddress } from "../request/fair-queue.ts";
import { readVisit } from "../request/visit.ts";
import { createSealCheck } from "./cookie-seal.ts";
import { cookieName } from "./cookies.ts";

/** How long a token without a running session is remembered, and how many of them. */
const ENDED_FOR_MS = 10_000;
const MOST_ENDED = 10_000;
/** Sessions whose account is remembered, so that an account's sessions share its slots. */
const MOST_OWNERS = 20_000;
/** The token of a request's cookies, "" for none. On the request: a WeakMap with thousands a second burdens the collector. */
const READ = Symbol("the session's token");
type Asked = IncomingMessage & { [READ]?: string };

/** Matches a cookie of a token, a dot and its seal in a Cookie header, as encodeURIComponent writes it. */
const sealedCookie = (name: string) =>
  new RegExp(`(?:^|;)\\s*${name}=([\\w-]{20,100})\\.((?:[A-Za-z0-9+/]|%2[BFbf]){43})(?:=|%3[Dd])\\s*(?:;|$)`);

/**
 * Reads members from Cookie headers. A cookie counts only with the seal of its token by the site's
 * `secret`: an invented one costs no more than no cookie, and causes no database query.
 */
export function createMembers(
  db: Db,
  { siteUrl, secret, trustProxy }: { siteUrl: string; secret: string; trustProxy: number },
) {
  const name = cookieName(siteUrl, "session");
  const form = sealedCookie(name);
  const ended = new Map<string, number>();
  const owners = new Map<string, Asker>();
  const isSealOf = createSealCheck(secret);
  // A seal is computed once per request, even if it is read several times with other requests in between, and once for
  // consecutive requests of one client.
  let lastCookies = "";
  let lastToken = "";

  /** Gets the token of a cookie with the site's seal; "" for none. */
  function sealedIn(cookies: string): string {
    if (cookies === lastCookies) return lastToken;
    const [, token = "", seal = ""] = form.exec(cookies) ?? [];
    lastCookies = cookies;
    const plain = seal.includes("%") ? decodeURIComponent(seal) : seal;
    lastToken = token !== "" && isSealOf(token, `${plain}=`) ? token : "";
    return lastToken;
  }

  function tokenOf(request: Asked): string | null {
    const { cookie } = request.headers;
    if (!cookie?.includes(name)) return null;
    request[READ] ??= sealedIn(cookie);
    return unlessEnded(request[READ]);
  }

  /** Gets the token of a session that may be running. An ended one never runs again: a new sign-in gets another. */
  function unlessEnded(token: string): string | null {
    if (token === "") return null;
    const until = ended.get(token);
    if (until === undefined) return token;
    if (until > performance.now()) return null;
    ended.delete(token);
    return token;
  }

  function remember(token: string, member: Member | null) {
    owners.delete(token);
    if (member) keep(owners, MOST_OWNERS, token, askerOf(member));
    else keep(ended, MOST_ENDED, token, performance.now() + ENDED_FOR_MS);
  }

  async function find(cookies: string | undefined | null): Promise<Member | null> {
    const token = unlessEnded(cookies ? sealedIn(cookies) : "");
    if (token === null) return null;
    const member = await findMemberByToken(db, token);
    remember(token, member);
    return member;
  }

  return {
    /** Checks whether a request's cookie may belong to a running session: such a request never gets an anonymous page. */
    names: (request: IncomingMessage): boolean => tokenOf(request) !== null,
    /** Finds the member, by one statement; null if none is signed in. */
    find,
    /** Finds the member; if the database is unavailable, returns its error as `away`. */
    async findUnlessAway(cookies: string | undefined | null): Promise<{ member: Member | null; away: Error | null }> {
      try {
        return { member: await find(cookies), away: null };
      } catch (error) {
        if (!(error instanceof Error) || !isDatabaseAway(error)) throw error;
        return { member: null, away: error };
      }
    },
    /** Finds whose limits a request counts against, without a query: the account's if it may have one, else the address's. */
    askerOf(request: IncomingMessage): Asker {
      const token = tokenOf(request);
      if (token !== null) return owners.get(token) ?? askerOfAccount("members", `session ${token}`);
      return askerOfAddress(readVisit(request, trustProxy).ip);
    },
  };
}

export type Members = ReturnType<typeof createMembers>;

/** Finds whose limits a member's requests use. */
export const askerOf = ({ user_id, role }: Pick<Member, "user_id" | "role">): Asker =>
  askerOfAccount(may(role, "admin:read") ? "staff" : "members", user_id);

function keep<Value>(kept: Map<string, Value>, most: number, key: string, value: Value) {
  const [oldest] = kept.keys();
  if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
  kept.set(key, value);
}
