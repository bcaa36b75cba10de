// Serves feeds of the site, of a game and of a game server, as Atom (RFC 4287) and as JSON (jsonfeed.org, 1.1), in both languages,
// only from what visitors may see, without the database.
import type { HttpBindings } from "@hono/node-server";
import { Feed } from "feed";
import { type Context, Hono } from "hono";
import { addressIn, type Locale } from "#shared/locale.ts";
import { escapeHtml } from "#shared/text/escape-html.ts";
import { answerBare, message } from "../messages.ts";
import type { SiteOfRequest, SiteSnapshot } from "../pages/site-snapshot.ts";
import { namesTag } from "../request/etag.ts";
import { mountOnlyRead } from "../request/only-read.ts";
import { type FeedItem, listFeedItems } from "./feed-items.ts";
import { createMadeTexts, findScope, type Scope } from "./scope.ts";

type Kind = "atom" | "json";

const TYPES: Record<Kind, string> = {
  atom: "application/atom+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8",
};

/** `site` reads what visitors may see, with links that begin with the requested address; `siteUrl` is the site's own. */
export function feedsEndpoint(site: SiteOfRequest, siteUrl: string) {
  const keep = createMadeTexts();

  function answer(c: Context<{ Bindings: HttpBindings }>, kind: Kind, locale: Locale, of: Scope["of"]): Response {
    const snapshot = site.readFor(c.env.incoming);
    const scope = findScope(snapshot, of, c.req.param("id") ?? "");
    if (!scope) return answerBare(c, "bare_no_feed", 404);
    const name = site.keepsFor(c.env.incoming) ? `${snapshot.site_url} ${c.req.path}` : null;
    const { body, etag } = keep(snapshot, name, () =>
      (kind === "atom" ? atomOf : jsonOf)({ snapshot, scope, locale, path: c.req.path, siteUrl }),
    );
    const headers = {
      "Cache-Control": "no-cache",
      ETag: etag,
      // Feed readers in a browser run on another site.
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    };
    if (namesTag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    return c.body(body, 200, { ...headers, "Content-Type": TYPES[kind] });
  }

  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  for (const locale of ["en", "de"] as const)
    for (const kind of ["atom", "json"] as const) {
      const at = (path: string) => addressIn(locale, `${path}/feed.${kind}`);
      mountOnlyRead(endpoint, at(""), (c) => answer(c, kind, locale, "site"));
      mountOnlyRead(endpoint, at("/games/:id{[\\w-]{1,80}}"), (c) => answer(c, kind, locale, "game"));
      mountOnlyRead(endpoint, at("/servers/:id{[1-9]\\d{0,9}}"), (c) => answer(c, kind, locale, "server"));
    }
  return endpoint;
}

type Asked = { snapshot: SiteSnapshot; scope: Scope; locale: Locale; path: string; siteUrl: string };

const pathOf = (scope: Scope): string =>
  scope.of === "site" ? "/news" : scope.of === "game" ? `/games/${scope.slug}` : `/servers/${scope.server_id}`;

const addressOf = (item: FeedItem, locale: Locale, origin: string): string =>
  new URL(addressIn(locale, item.path) + (item.hash ? `#${item.hash}` : ""), origin).href;

/**
 * Makes the content of both formats. A feed and its entries are identified by the site's own address, whatever address was
 * requested, so that no reader sees duplicates.
 */
function feedOf({ snapshot, scope, locale, path, siteUrl }: Asked, kind: Kind): { feed: Feed; items: FeedItem[] } {
  const items = listFeedItems(snapshot, scope, locale);
  const { site_name } = snapshot.settings;
  const name = scope.of === "site" ? site_name : `${scope.name} – ${site_name}`;
  const newest = items.map(({ updated_at }) => Date.parse(updated_at));
  const feed = new Feed({
    id: new URL(path, siteUrl).href,
    title: message(locale, "feed_title", { name }),
    link: new URL(addressIn(locale, pathOf(scope)), snapshot.site_url).href,
    feedLinks: { [kind]: new URL(path, snapshot.site_url).href },
    author: { name: site_name, link: new URL("/", snapshot.site_url).href },
    updated: newest.length > 0 ? new Date(Math.max(...newest)) : beginningOf(snapshot),
    generator: "Spawnpoint",
  });
  return { feed, items };
}

/** For a site that has not polled a game server yet: constant while this process runs. */
const BEGUN = new Date();

/**
 * Gets the last change of a feed without entries: when the site began, which is when it first polled one of its game servers. A
 * feed needs a date (RFC 4287, 4.1.1), and a different one at each fetch would look like news.
 */
function beginningOf({ asked }: SiteSnapshot): Date {
  const firsts = [...asked.values()].flatMap(({ first_at }) => (first_at === null ? [] : Date.parse(first_at)));
  return firsts.length > 0 ? new Date(Math.min(...firsts)) : BEGUN;
}

function atomOf(asked: Asked): string {
  const { feed, items } = feedOf(asked, "atom");
  for (const item of items)
    feed.addItem({
      id: addressOf(item, asked.locale, asked.siteUrl),
      link: addressOf(item, asked.locale, asked.snapshot.site_url),
      // The library marks these as HTML.
      title: escapeHtml(inXml(item.title)),
      description: escapeHtml(inXml(item.summary)),
      content: `<div lang="${item.lang}">${inXml(item.html)}</div>`,
      date: new Date(item.updated_at),
      published: new Date(item.published_at),
    });
  return feed.atom1();
}

function jsonOf(asked: Asked): string {
  const { feed, items } = feedOf(asked, "json");
  for (const item of items)
    feed.addItem({
      id: addressOf(item, asked.locale, asked.siteUrl),
      link: addressOf(item, asked.locale, asked.snapshot.site_url),
      title: item.title,
      description: item.summary,
      content: item.html || `<p>${escapeHtml(item.title)}</p>`,
      date: new Date(item.updated_at),
      published: new Date(item.published_at),
    });
  const made: { authors?: unknown; author?: unknown; items: object[] } & Record<string, unknown> = JSON.parse(
    feed.json1(),
  );
  // The library writes version 1, which has neither languages nor more than one author.
  const { author, ...rest } = made;
  return JSON.stringify({
    ...rest,
    version: "https://jsonfeed.org/version/1.1",
    language: asked.locale,
    authors: [author],
    items: made.items.map((item, place) => ({ ...item, language: items[place]?.lang })),
  });
}

/** Removes characters that XML forbids in any form: admins' texts are clean of most, but not of these. */
const inXml = (text: string): string => text.replace(/(?![\n\t])\p{Cc}|[\ufffe\uffff]/gu, "").toWellFormed();
