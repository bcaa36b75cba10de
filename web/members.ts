// From a request to the member who sent it.
import type { Db } from "#db/client.ts";
import { findMemberByToken, type Member } from "#domain/sessions.ts";
import { cookieName } from "./auth.ts";

/** Reads members off Cookie headers. Without the session's cookie nothing is asked of the database. */
export function createMembers(db: Db, siteUrl: string) {
  const name = cookieName(siteUrl, "session");
  return {
    /** Whether a Cookie header names a session, be it a running one or not: such a request never gets a visitor's page. */
    names: (cookies: string | undefined | null): boolean => readCookie(cookies, name) !== null,
    /** The member, by one statement; null where nobody is signed in. */
    async find(cookies: string | undefined | null): Promise<Member | null> {
      const token = readSessionToken(cookies, siteUrl);
      return token === null ? null : findMemberByToken(db, token);
    },
  };
}

export type Members = ReturnType<typeof createMembers>;

/** The session's token in a Cookie header; null where there is none that could be one. */
export function readSessionToken(cookies: string | undefined | null, siteUrl: string): string | null {
  const value = readCookie(cookies, cookieName(siteUrl, "session"));
  // The library seals the token by a signature behind a dot. 256 random bits, looked up by their hash, need none.
  const token = value === null ? "" : (decodeURIComponent(value).split(".", 1)[0] ?? "");
  return token.length < 20 ? null : token;
}

/** A cookie's value as it was sent; null where it is not there or has no right form. */
export function readCookie(header: string | undefined | null, name: string): string | null {
  if (!header) return null;
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at === -1 || part.slice(0, at).trim() !== name) continue;
    const value = part.slice(at + 1).trim();
    return /^[\w%.~!*'()+/=-]{1,4000}$/.test(value) && isDecodable(value) ? value : null;
  }
  return null;
}

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}
