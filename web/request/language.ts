// Chooses the language of a request by its address. A visitor who opens the home page or the first admin's link is redirected once
// to their own language; a choice by the language switch is remembered.
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type Locale, localeAt, twinOf } from "#shared/locale.ts";
import { PROGRAMS } from "./program-paths.ts";

const answering = new AsyncLocalStorage<Locale>();
const COOKIE = "locale";
const YEAR_S = 365 * 24 * 3600;

/** Addresses without a chosen language: the site's own, and the link that its first start prints. */
const ARRIVALS = /^\/(?:setup\/[\w-]+)?(?:\?|$)/;

/** Answers a request in the language of its address, which applies to all that `answer` calls and awaits. */
export function inLanguageOf<T>(url: string, answer: () => T): T {
  return answering.run(localeAt(new URL(url).pathname), answer);
}

/** The language of the request in progress; English outside of any. */
export const currentLanguage = (): Locale => answering.getStore() ?? "en";

/** The Set-Cookie value that remembers a choice for a year. */
export function languageCookie(locale: Locale, siteUrl: string): string {
  const secure = siteUrl.startsWith("https:") ? "; Secure" : "";
  return `${COOKIE}=${locale}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax; HttpOnly${secure}`;
}

/** The Vary header of an address: only entry addresses redirect by language. */
export function varyAt(pathname: string): string {
  return ARRIVALS.test(pathname)
    ? "Accept-Encoding, Accept-Language, Cookie, Sec-Fetch-Mode, Sec-Fetch-Site"
    : "Accept-Encoding";
}

/**
 * Reads the language switch: any page's address with ?locale=de or en. Returns the clean address of that page in that language;
 * null without a switch, or if it can't be followed within this site.
 */
export function readSwitch(address: string): { locale: Locale; to: string } | null {
  if (!address.includes("locale=") || address.startsWith("//") || address.startsWith(PROGRAMS)) return null;
  const url = URL.parse(address, "http://site.invalid");
  const locale = url?.searchParams.get("locale");
  if (url?.host !== "site.invalid" || (locale !== "en" && locale !== "de")) return null;
  // The path after /de may look like another host once it is alone.
  const twin = twinOf(url.pathname, locale);
  if (!/^\/(?![/\\])/.test(twin) || url.pathname.endsWith(".data")) return null;
  url.searchParams.delete("locale");
  return { locale, to: twin + url.search };
}

/**
 * Finds the language address for a visitor from outside: by the member's setting, else by the remembered choice, else by the
 * browser's preference. Null: stay here. Only navigations of a browser count, not data, robots or links within the site.
 */
export function sendOn(address: string, headers: IncomingHttpHeaders, setting: Locale | null): string | null {
  if (!ARRIVALS.test(address) || headers["sec-fetch-mode"] !== "navigate") return null;
  if (headers["sec-fetch-site"] === "same-origin" || headers["sec-fetch-site"] === "same-site") return null;
  const wanted = setting ?? rememberedIn(headers.cookie) ?? preferredBy(headers["accept-language"]);
  return wanted === "de" ? `/de${address.replace(/^\/(?=\?|$)/, "")}` : null;
}

/** Runs before the page cache. True: the request is answered. `signedIn`: the member's setting decides later, once it is read. */
export function serveLanguage(
  request: IncomingMessage,
  response: ServerResponse,
  options: { signedIn: boolean; siteUrl: string; headers: Record<string, string> },
): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const address = request.url ?? "/";
  const choice = readSwitch(address);
  const to = choice?.to ?? (options.signedIn ? null : sendOn(address, request.headers, null));
  if (to === null) return false;
  response
    .writeHead(302, {
      ...options.headers,
      ...(choice ? { "Set-Cookie": languageCookie(choice.locale, options.siteUrl) } : {}),
      Location: to,
      "Cache-Control": "no-store",
      Vary: varyAt("/"),
    })
    .end();
  return true;
}

function rememberedIn(cookie: string | undefined): Locale | null {
  const found = /(?:^|;\s*)locale=(en|de)(?:;|$)/.exec(cookie ?? "")?.[1];
  return (found as Locale | undefined) ?? null;
}

/** Finds which of the site's languages an Accept-Language list (de-AT, de;q=0.9, en;q=0.5) prefers; null: neither is listed. */
function preferredBy(list: string | undefined): Locale | null {
  let best: { locale: Locale; weight: number } | null = null;
  for (const entry of (list ?? "").slice(0, 500).split(",")) {
    const [, locale, weight] = /^\s*(en|de)(?:-[\w-]+)?\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(entry) ?? [];
    if (!locale) continue;
    const q = weight === undefined ? 1 : Number(weight);
    if (q > (best?.weight ?? 0)) best = { locale: locale.toLowerCase() as Locale, weight: q };
  }
  return best?.locale ?? null;
}
