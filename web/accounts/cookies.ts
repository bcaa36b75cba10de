// Names, writes and reads the site's cookies.

import { openSealed, seal, sealingKey } from "#domain/site/sealing.ts";
import type { AppParts } from "../context.ts";

/** Makes a cookie name that the browser ties to this very host, if the site has HTTPS. */
export const cookieName = (siteUrl: string, name: string): string =>
  `${siteUrl.startsWith("https:") ? "__Host-" : ""}spawnpoint_${name}`;

/** Makes a Set-Cookie header: for this host alone, out of reach of scripts. */
export function setCookie(siteUrl: string, name: string, value: string, maxAgeS: number): string {
  const secure = siteUrl.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(siteUrl, name)}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Reads the session's token from a Cookie header, sealed or not; null without a possible one. */
export function readSessionToken(cookies: string | undefined | null, siteUrl: string): string | null {
  const token = decodedCookie(cookies, cookieName(siteUrl, "session"))?.split(".", 1)[0] ?? "";
  return token.length < 20 ? null : token;
}

/** Reads a cookie's value as it was sent; null if missing or malformed. */
export function readCookie(header: string | undefined | null, name: string): string | null {
  return decodedCookie(header, name) === null ? null : readRaw(header, name);
}

function readRaw(header: string | undefined | null, name: string): string | null {
  if (!header) return null;
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at === -1 || part.slice(0, at).trim() !== name) continue;
    const value = part.slice(at + 1).trim();
    return /^[\w%.~!*'()+/=-]{1,4000}$/.test(value) ? value : null;
  }
  return null;
}

/** Reads a cookie's value, decoded; null if missing or malformed. */
function decodedCookie(header: string | undefined | null, name: string): string | null {
  const value = readRaw(header, name);
  try {
    return value === null ? null : decodeURIComponent(value);
  } catch {
    return null;
  }
}

type Site = Pick<AppParts, "siteUrl" | "secret">;

const keyFor = (site: Site) => sealingKey(site.secret, "what browsers store");

/**
 * Makes the Set-Cookie header that stores facts in the browser, sealed: requests write nothing to the database, and only this
 * browser brings them back, under this name, within `maxAgeS`.
 */
export function setSealedCookie(site: Site, name: string, facts: object, maxAgeS: number): string {
  const text = JSON.stringify({ facts, until: Date.now() + maxAgeS * 1000 });
  return setCookie(site.siteUrl, name, seal(keyFor(site), name, text), maxAgeS);
}

/** Reads what `setSealedCookie` stored under this name; null: nothing, too old, or not from this site. */
export function readSealedCookie<Facts extends object>(
  site: Site,
  cookies: string | undefined | null,
  name: string,
): Facts | null {
  const opened = openSealed(keyFor(site), name, readCookie(cookies, cookieName(site.siteUrl, name)) ?? "");
  if (opened === null) return null;
  const { facts, until }: { facts: Facts; until: number } = JSON.parse(opened);
  return until > Date.now() ? facts : null;
}
