// Serves calendars of the site, of a game and of a game server, in both languages, from the data that visitors may see, without
// the database.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { addressIn, type Locale } from "#shared/locale.ts";
import { createMadeTexts, findScope, type Scope } from "../feeds/scope.ts";
import { answerBare } from "../messages.ts";
import type { SiteOfRequest } from "../pages/site-snapshot.ts";
import { namesTag } from "../request/etag.ts";
import { mountOnlyRead } from "../request/only-read.ts";
import { calendarOf } from "./calendar.ts";

/** Calendars are made again after this time even without a change: they contain clock changes for the coming years. */
const KEPT_MS = 3_600_000;

/** `site` reads what visitors may see, with links that begin with the requested address; `siteUrl` is the site's own. */
export function calendarEndpoint(site: SiteOfRequest, siteUrl: string) {
  const keep = createMadeTexts(KEPT_MS);

  function answer(c: Context<{ Bindings: HttpBindings }>, locale: Locale, of: Scope["of"]): Response {
    const snapshot = site.readFor(c.env.incoming);
    const scope = findScope(snapshot, of, c.req.param("id") ?? "");
    if (!scope) return answerBare(c, "bare_no_calendar", 404);
    const name = site.keepsFor(c.env.incoming) ? `${snapshot.site_url} ${c.req.path}` : null;
    const { body, etag } = keep(snapshot, name, (now) => calendarOf(snapshot, scope, locale, siteUrl, now));
    const headers = { "Cache-Control": "no-cache", ETag: etag };
    if (namesTag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    return c.body(body, 200, { ...headers, "Content-Type": "text/calendar; charset=utf-8" });
  }

  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  for (const locale of ["en", "de"] as const) {
    const at = (path: string) => addressIn(locale, `${path}/calendar.ics`);
    mountOnlyRead(endpoint, at(""), (c) => answer(c, locale, "site"));
    mountOnlyRead(endpoint, at("/games/:id{[\\w-]{1,80}}"), (c) => answer(c, locale, "game"));
    mountOnlyRead(endpoint, at("/servers/:id{[1-9]\\d{0,9}}"), (c) => answer(c, locale, "server"));
  }
  return endpoint;
}
