/** News, from the admin's form to the reader's page, banner and feed: hostile texts first. Feeds are read by another's parser. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { parseFeed } from "@rowanmanning/feed-parser";
import { z } from "zod";
import { type NewsText, newsAbout, news as newsTable } from "#db/schema/index.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import { until } from "../helpers/test-bed.ts";

const HOSTILE = `</script><script>alert(1)</script><!-- "quoted" ]]> & <b onclick='x'>`;
const HOSTILE_TEXT = [
  "Hello ]]> there",
  `<script>alert(1)</script> <img src=x onerror=alert(1)>`,
  "[one](javascript:alert(1)) [two](data:text/html,<b>) [three](//evil.example) [four](http://plain.example)",
  `[five](https://good.example/ "a \\" onmouseover=alert(1)") [six](/servers/1) ![seven](https://track.example/x.png)`,
  `${">".repeat(3000)} deep`,
  "![](".repeat(500),
  "\u202eturned\u202c and \u200fmarked \uffff \u000b",
].join("\n\n");

/** https://jsonfeed.org/version/1.1, as strictly as its rules are. */
const JSON_FEED = z.strictObject({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string().min(1),
  home_page_url: z.url(),
  feed_url: z.url(),
  language: z.enum(["en", "de"]),
  authors: z.array(z.strictObject({ name: z.string().min(1), url: z.url() })).min(1),
  items: z.array(
    z.strictObject({
      id: z.string().min(1),
      url: z.url(),
      title: z.string().min(1),
      summary: z.string().optional(),
      content_html: z.string().min(1),
      date_published: z.iso.datetime(),
      date_modified: z.iso.datetime(),
      language: z.enum(["en", "de"]),
    }),
  ),
});

describe("news", { timeout: 120_000 }, () => {
  let site: AccountSite;
  /** Game servers by how they are seen, all of one game; the id of that game, and of one that is not published. */
  const ids = { public: 0, members: 0, hidden: 0, game: 0, unpublished: 0 };

  before(async () => {
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    const [game, other] = await site.sql<{ game_id: number }[]>`
      select game_id from games where game_slug in ('valheim', 'aion') order by game_slug desc`;
    ids.game = game?.game_id ?? 0;
    ids.unpublished = other?.game_id ?? 0;
    await site.sql`update games set published = false where game_id = ${ids.unpublished}`;
    for (const seen of ["public", "members", "hidden"] as const) {
      const [made] = await site.sql<{ server_id: number }[]>`
        insert into gameserver (game_id, server_name, adapter, visibility)
        values (${ids.game}, ${`Longhall ${seen}`}, 'a2s', ${seen}) returning server_id`;
      ids[seen] = made?.server_id ?? 0;
    }
  });
  after(() => site?.stop());

  const page = async (path: string) => (await site.browser().get(path)).text;
  const whenPage = (what: string, path: string, shows: (html: string) => boolean) =>
    until(what, 5_000, async () => {
      const html = await page(path);
      return shows(html) ? html : null;
    });
  const file = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(site.base + path, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const entriesOf = async (path: string) => parseFeed((await file(path)).text).items.map(({ title }) => title);

  /** Publishes one, as its row stands in the database. */
  async function publish(news: {
    slug: string;
    title: NewsText;
    text?: NewsText;
    about?: { game_id?: number; server_id?: number }[];
    starts_at?: string;
    ends_at?: string | null;
    pinned?: boolean;
  }) {
    const { slug, title, text = {}, about, starts_at = "2026-01-02T03:04:05Z", ends_at = null, pinned = false } = news;
    await site.database.db.transaction(async (tx) => {
      const [made] = await tx
        .insert(newsTable)
        .values({
          slug,
          title,
          text,
          pinned,
          scope: about ? "some" : "site",
          published: true,
          starts_at: new Date(starts_at),
          ends_at: ends_at === null ? null : new Date(ends_at),
        })
        .returning({ news_id: newsTable.news_id });
      for (const one of about ?? []) await tx.insert(newsAbout).values({ news_id: made?.news_id ?? 0, ...one });
    });
  }

  test("there is no sign of news while there are none", async () => {
    const home = await page("/");
    assert.ok(!/href="\/news"|site-banner|feed\.atom/.test(home));
    assert.match(await page("/news"), /There is no news yet/);
    assert.ok(!(await file("/sitemap.xml")).text.includes("/news"));
    const empty = parseFeed((await file("/feed.atom")).text);
    assert.equal(empty.meta.type, "atom");
    assert.equal(empty.items.length, 0);
    assert.equal((await file("/games/nothing/feed.atom")).status, 404);
    assert.equal((await file(`/games/aion/feed.json`)).status, 404);
    for (const id of [ids.hidden, ids.members, 999_999, "01"])
      assert.equal((await file(`/servers/${id}/feed.atom`)).status, 404, `server ${id}`);
  });

  test("hostile texts reach a page, its data for search engines and both feeds as text alone", async () => {
    await publish({ slug: "hostile", title: { en: HOSTILE }, text: { en: HOSTILE_TEXT }, pinned: true });
    const html = await whenPage("the news are there", "/news/hostile", (text) => text.includes("Hello ]]"));
    const [, body = ""] = /<h1[^>]*>[\s\S]*?<\/h1>([\s\S]*?)<\/article>/.exec(html) ?? [];
    assert.ok(
      !/<script|<img|onerror=|onmouseover=[^&]|href="(?!https:|mailto:|\/)/i.test(body.replace(/&lt;[^&]*&gt;/g, "")),
    );
    assert.ok(!/<a [^>]*(?:javascript|data:|evil|plain\.example)/i.test(body));
    assert.match(body, /<a href="https:\/\/good\.example\/" rel="nofollow noopener noreferrer">five<\/a>/);
    assert.match(body, /<a href="\/servers\/1">six<\/a>/);
    assert.ok(!body.includes("<script>"));
    const [, graph = ""] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html) ?? [];
    const things: { "@type": string; headline?: string }[] = JSON.parse(graph)["@graph"];
    assert.equal(things.find((one) => one["@type"] === "NewsArticle")?.headline, HOSTILE);
    assert.match(html, /<meta property="og:title" content="&lt;\/script/);

    for (const path of ["/feed.atom", "/de/feed.atom"]) {
      const { text, headers } = await file(path);
      assert.equal(headers.get("content-type"), "application/atom+xml; charset=utf-8");
      const feed = parseFeed(text);
      const [item] = feed.items;
      assert.equal(feed.items.length, 1);
      assert.ok(feed.self?.endsWith(path), "a feed says where it is");
      assert.equal(item?.title, HOSTILE);
      assert.equal(item?.published?.toISOString(), "2026-01-02T03:04:05.000Z");
      assert.ok(item?.url?.endsWith(`${path.replace("/feed.atom", "")}/news/hostile`));
      // As it stands: this parser takes entities out once more than a reader does.
      const content = item?.element.findElementWithName("content")?.textContent ?? "";
      assert.ok(!/<(?:script|img)|href="(?!https?:|mailto:)/i.test(content), "links stand alone");
      assert.match(content, /Hello \]\]&gt; there/);
      assert.match(content, /href="http:\/\/127\.0\.0\.1:\d+\/servers\/1"/);
    }
    const { text, headers } = await file("/feed.json");
    assert.equal(headers.get("content-type"), "application/feed+json; charset=utf-8");
    const feed = JSON_FEED.parse(JSON.parse(text));
    assert.equal(feed.items[0]?.title, HOSTILE);
    assert.ok(!/<(?:script|img)/i.test(feed.items[0]?.content_html ?? ""));
    const etag = headers.get("etag") ?? "";
    assert.equal((await file("/feed.json", { "If-None-Match": etag })).status, 304);
  });

  test("what is hidden, for members alone or not published stands on no page and in no feed of visitors", async () => {
    const { at } = await site.signedIn("reader@example.org");
    await publish({
      slug: "for-members",
      title: { en: "Only members read this" },
      about: [{ server_id: ids.members }],
    });
    await publish({ slug: "hidden", title: { en: "Nobody reads this" }, about: [{ server_id: ids.hidden }] });
    await publish({ slug: "unpublished", title: { en: "Nor this" }, about: [{ game_id: ids.unpublished }] });
    await publish({ slug: "of-nothing", title: { en: "What it was about is gone" }, about: [] });
    await publish({
      slug: "mixed",
      title: { en: "The longhall is open" },
      about: [{ server_id: ids.public }, { server_id: ids.hidden }, { server_id: ids.members }],
      pinned: true,
    });
    await publish({ slug: "later", title: { en: "Not yet told" }, starts_at: "2099-01-01T00:00:00Z" });
    const list = await whenPage("the last one is there", "/news", (text) => text.includes("The longhall is open"));
    const never = /Nobody reads|Nor this|it was about is gone|Not yet told|Longhall hidden/;
    assert.ok(!/Only members|Longhall members/.test(list));
    const forMembers = await until("members see theirs", 5_000, async () => {
      const { text } = await at.get("/news");
      return text.includes("Only members read this") ? text : null;
    });
    for (const text of [list, forMembers, await page("/news/mixed")]) assert.ok(!never.test(text));
    for (const slug of ["hidden", "unpublished", "of-nothing", "later", "for-members"])
      assert.equal((await site.browser().get(`/news/${slug}`)).status, 404, slug);
    assert.equal((await at.get("/news/for-members")).status, 200);
    assert.equal((await at.get("/news/hidden")).status, 404);
    const map = (await file("/sitemap.xml")).text;
    assert.ok(map.includes("/de/news/mixed<") && !/news\/(?:hidden|unpublished|later|for-members)/.test(map));
    for (const kind of ["atom", "json"])
      for (const path of ["/", "/games/valheim/", `/servers/${ids.public}/`]) {
        const { text } = await file(`${path}feed.${kind}`);
        assert.ok(text.includes("The longhall is open"), path);
        assert.ok(!never.test(text) && !/Only members|Longhall members/.test(text), path);
      }
    assert.deepEqual(await entriesOf("/games/minecraft/feed.atom"), [HOSTILE]);
  });

  test("the banner stands on the pages that it concerns, and on no others", async () => {
    const banner = (html: string) => /<ul class="site-banner"[\s\S]*?<\/ul>/.exec(html)?.[0] ?? "";
    for (const path of ["/games/valheim", `/servers/${ids.public}`, `/de/servers/${ids.public}`])
      assert.match(banner(await page(path)), /The longhall is open/, path);
    for (const path of ["/", "/dashboard", "/games/minecraft"]) {
      const html = banner(await page(path));
      assert.ok(html.includes("alert(1)") && !html.includes("longhall"), path);
      assert.ok(!html.includes("<script"), path);
    }
    for (const path of ["/news", "/login/", "/impressum"]) assert.equal(banner(await page(path)), "", path);
    assert.match(await page("/"), /href="\/news"/);
  });

  test("a text without German is shown in English to Germans, and the other way round, and says so", async () => {
    await publish({ slug: "deutsch", title: { de: "Nur deutsch" }, text: { de: "Ein **Satz**." } });
    const english = await whenPage("it is there", "/news/deutsch", (text) => text.includes("Nur deutsch"));
    assert.match(english, /<h1 lang="de"[^>]*>Nur deutsch/);
    assert.match(english, /This text is in German only\./);
    assert.match(english, /<div [^>]*lang="de"[^>]*><p>Ein <strong>Satz<\/strong>\.<\/p>/);
    const german = await page("/de/news/deutsch");
    assert.match(german, /<h1 dir="auto">Nur deutsch/);
    assert.ok(!german.includes("nur auf"));
    assert.match(await page("/de/news/mixed"), /Diesen Text gibt es nur auf Englisch\./);
  });
});
