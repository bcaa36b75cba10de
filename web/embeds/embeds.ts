// Serves a game server's badge and widget for other sites, in both languages, only from what visitors may see.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { formatAddress, joinableHost, joinFacts, joinHref } from "#shared/join-href.ts";
import { addressIn } from "#shared/locale.ts";
import { answerBare, message } from "../messages.ts";
import type { SiteOfRequest, SiteSnapshot } from "../pages/site-snapshot.ts";
import { namesTag, tagOf } from "../request/etag.ts";
import { BADGE_THEMES, type BadgeTheme, drawBadge } from "./badge.ts";
import { countText, faceOf } from "./status-faces.ts";
import { WIDGET_POLICY, type WidgetTexts, widgetPage } from "./widget.ts";

type Made = { bytes: string; etag: string };
/** Per state of the site. */
const MOST_KEPT = 2_000;

/** `site` reads what visitors may see; nothing else is served. */
export function embeds(site: SiteOfRequest) {
  const kept = new WeakMap<SiteSnapshot, Map<string, Promise<Made>>>();

  function keep(snapshot: SiteSnapshot, name: string, make: () => Promise<string>): Promise<Made> {
    const made = kept.get(snapshot) ?? new Map<string, Promise<Made>>();
    kept.set(snapshot, made);
    const found = made.get(name);
    if (found) return found;
    const making = make().then((bytes) => ({
      bytes,
      etag: tagOf(bytes),
    }));
    if (made.size < MOST_KEPT) made.set(name, making);
    return making;
  }

  async function answer(
    c: Context<{ Bindings: HttpBindings }>,
    kind: "badge" | "widget",
    locale: "en" | "de",
  ): Promise<Response> {
    const snapshot = site.readFor(c.env.incoming);
    const texts = widgetTexts(snapshot, c.req.param("id") ?? "", locale);
    if (!texts) return answerBare(c, "bare_no_game_server", 404);
    const theme = readTheme(new URL(c.req.url).searchParams, kind);
    if (theme === null) return answerBare(c, kind === "badge" ? "bare_badge_choice" : "bare_widget_choice", 400);
    const { bytes, etag } = await keep(snapshot, `${c.req.path} ${theme}`, () =>
      kind === "widget" ? widgetPage(texts, locale, theme) : drawBadge(texts, theme === "auto" ? "dark" : theme),
    );
    const headers: Record<string, string> = {
      ETag: etag,
      "Cache-Control": kind === "badge" ? "public, max-age=60" : "no-cache",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy":
        kind === "badge" ? "default-src 'none'; sandbox; frame-ancestors 'none'" : WIDGET_POLICY,
    };
    if (namesTag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    const type = kind === "badge" ? "image/svg+xml; charset=utf-8" : "text/html; charset=utf-8";
    return c.body(bytes, 200, { ...headers, "Content-Type": type });
  }

  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  for (const locale of ["en", "de"] as const) {
    const at = addressIn(locale, "/servers/:id{[1-9]\\d{0,9}}");
    endpoint.get(`${at}/badge.svg`, (c) => answer(c, "badge", locale));
    endpoint.get(`${at}/widget`, (c) => answer(c, "widget", locale));
  }
  return endpoint;
}

function readTheme(search: URLSearchParams, kind: "badge" | "widget"): BadgeTheme | "auto" | null {
  const [name, ...more] = [...search.keys()];
  if (name === undefined) return kind === "badge" ? "dark" : "auto";
  const theme = search.get("theme") ?? "";
  if (more.length > 0 || name !== "theme") return null;
  if (theme === "auto") return kind === "widget" ? "auto" : null;
  return Object.hasOwn(BADGE_THEMES, theme) ? (theme as BadgeTheme) : null;
}

function widgetTexts(snapshot: SiteSnapshot, id: string, locale: "en" | "de"): WidgetTexts | null {
  const server = snapshot.gameServers.find(({ server_id }) => String(server_id) === id);
  if (!server) return null;
  const row = snapshot.rowOf(server.server_id);
  const face = faceOf(server, row);
  const host = joinableHost(server);
  return {
    name: server.server_name,
    instead: server.game_name,
    game: server.game_name,
    status: message(locale, face.name),
    tone: face.tone,
    shape: face.shape,
    count: countText(row, locale),
    address: formatAddress(host, server.game_port),
    // Other sites never show a password, not even a public one.
    join: joinHref(server.join_link, { ...joinFacts(server), password: null }),
    site: snapshot.settings.site_name,
    page: snapshot.site_url + addressIn(locale, `/servers/${server.server_id}`),
  };
}
