/** News, from the admin's form to the reader's page, banner and feed: hostile texts first. Feeds are read by another's parser. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { parseFeed } from "@rowanmanning/feed-parser";
import { z } from "zod";
import { type NewsText, newsAbout, news as newsTable } from "#db/schema/index.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { tellDueNews } from "../../jobs/news.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { pause, until } from "../helpers/until.ts";

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

describe("news", () => {
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
    until(what, async () => {
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
    assert.ok((empty.updated?.getTime() ?? 0) > Date.now() - 3_600_000, `changed ${empty.updated?.toISOString()}`);
    await pause(5);
    const again = (await file("/feed.atom")).text;
    assert.equal(parseFeed(again).updated?.getTime(), empty.updated?.getTime(), "a fetch changes nothing");
    for (const method of ["POST", "PUT", "DELETE"]) {
      const refused = await fetch(`${site.base}/feed.json`, { method, headers: { "Sec-Fetch-Site": "same-origin" } });
      assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"], method);
    }
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
    const forMembers = await until("members see theirs", async () => {
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
    const feedsOf = (html: string) =>
      [...html.matchAll(/<link rel="alternate" type="application\/atom\+xml" href="([^"]+)"/g)].map(([, href]) => href);
    assert.deepEqual(feedsOf(await page("/de/")), ["/de/feed.atom"]);
    assert.deepEqual(feedsOf(await page("/games/valheim")), ["/feed.atom", "/games/valheim/feed.atom"]);
    const server = `/servers/${ids.public}`;
    assert.deepEqual(feedsOf(await page(server)), ["/feed.atom", `${server}/feed.atom`]);
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

  describe("an admin", () => {
    let admin: Browser;
    let moderator: Browser;
    before(async () => {
      for (const role of ["admin", "moderator"] as const) {
        const { at, user } = await site.signedIn(`${role}@example.org`);
        await site.sql`update roles set role = ${role} where user_id = ${user.id}`;
        if (role === "admin") admin = at;
        else moderator = at;
      }
    });
    const fields = (more: Record<string, string> = {}) => ({
      title_en: "A night at the longhall",
      title_de: "Ein Abend in der Langhalle",
      text_en: "Bring **torches**.",
      text_de: "Bringt **Fackeln** mit.",
      scope: "some",
      about: `server:${ids.public}`,
      starts_at: "",
      ends_at: "",
      time_zone: "Europe/Berlin",
      ...more,
    });
    const rowOf = async (title: string) => {
      const [row] = await site.sql<
        { news_id: number; slug: string; published: boolean; starts_at: string | null; revision: string }[]
      >`select news_id, slug, published, starts_at, (extract(epoch from updated_at) * 1000000)::bigint::text as revision
        from news where title->>'en' = ${title}`;
      return row;
    };
    const eventsOf = (newsId: number) => site.sql<{ dedupe_key: string; title: string; expires_at: string }[]>`
      select dedupe_key, facts->'title'->>'de' as title, expires_at from notification_events
      where subject_id = ${String(newsId)} and kind = 'news' order by 1`;

    const marked = (name: string) =>
      new RegExp(`<(?:input|textarea)(?=[^>]* name="${name}")(?=[^>]* aria-invalid="true")`);

    test("is refused what is wrong, with all that was typed", async () => {
      const cases: [Record<string, string>, RegExp][] = [
        [{ title_en: "", title_de: "", text_en: "", text_de: "" }, marked("title_en")],
        [{ title_de: "", text_de: "Ein Text" }, marked("title_de")],
        [{ title_en: "x".repeat(121) }, marked("title_en")],
        [{ text_en: "y ".repeat(5001) }, marked("text_en")],
        [{ about: "" }, /This is missing|Please/],
        [{ about: "server:999999" }, /longhall/],
        [{ about: "server:1; drop table news" }, /longhall/],
        [{ scope: "everywhere" }, /longhall/],
        [{ starts_at: "yesterday" }, marked("starts_at")],
        [{ starts_at: "2030-01-02T10:00", ends_at: "2030-01-02T09:59" }, /This has to be after the beginning/],
        [{ starts_at: "2030-01-02T10:00", time_zone: "Nowhere/Land" }, marked("starts_at")],
      ];
      for (const [wrong, said] of cases) {
        const answer = await admin.post("/admin/news/create", fields(wrong));
        assert.equal(answer.status, 422, JSON.stringify(wrong).slice(0, 80));
        assert.match(answer.text, said, JSON.stringify(wrong).slice(0, 80));
        if (wrong.text_en === undefined) assert.match(answer.text, /Bring \*\*torches\*\*\./);
      }
      assert.equal((await admin.post("/admin/news/create", fields({ text_en: "z".repeat(400_000) }))).status, 413);
      assert.equal((await moderator.post("/admin/news/create", fields())).status, 403);
      assert.equal((await site.browser().post("/admin/news/create", fields())).status, 302);
      assert.equal(await rowOf("A night at the longhall"), undefined);
    });

    test("sees it as readers will, without anything being stored", async () => {
      const { status, text } = await admin.post(
        "/admin/news/create",
        fields({ act: "preview", text_de: HOSTILE_TEXT }),
      );
      assert.equal(status, 200);
      assert.match(text, /Bring <strong>torches<\/strong>\./);
      assert.match(text, /five<\/a> <a href="\/servers\/1">six/);
      assert.ok(!/<img src=x|<script>alert|href="(?:javascript|data):/.test(text));
      assert.equal(await rowOf("A night at the longhall"), undefined);
    });

    test("writes a draft that nobody sees, publishes it, and whoever follows is told once", async () => {
      const made = await admin.post("/admin/news/create", fields());
      assert.equal(made.status, 302);
      const draft = await rowOf("A night at the longhall");
      assert.ok(draft);
      assert.equal(made.location, `/admin/news/${draft.news_id}/edit?done=created`);
      assert.equal(draft.starts_at, null);
      assert.equal((await site.browser().get(`/news/${draft.slug}`)).status, 404);
      assert.match((await moderator.get("/admin/news")).text, /A night at the longhall[\s\S]*Draft/);
      assert.equal((await moderator.get(`/admin/news/${draft.news_id}/edit`)).status, 403);
      assert.match((await admin.get(`/admin/news/${draft.news_id}/edit`)).text, /Longhall public/);

      const at = `/admin/news/${draft.news_id}/edit`;
      // A draft's address follows its title; an old revision changes nothing.
      const { revision } = draft;
      const title = "Torches for the longhall";
      assert.equal((await admin.post(at, { ...fields({ title_en: title, published: "on" }), revision })).status, 200);
      const late = await admin.post(at, { ...fields({ title_en: "Too late" }), revision });
      assert.equal(late.status, 409);
      assert.match(late.text, /Torches for the longhall[\s\S]*Too late|Too late[\s\S]*Torches for the longhall/);
      const shown = await rowOf(title);
      assert.equal(shown?.slug, "torches-for-the-longhall");
      await whenPage("it is read", "/news/torches-for-the-longhall", (text) => /<strong>torches/.test(text));
      await whenPage("it is read in German", "/de/news/torches-for-the-longhall", (text) =>
        text.includes("Ein Abend in der Langhalle"),
      );
      const events = await until("it is told", async () => {
        const rows = await eventsOf(draft.news_id);
        return rows.length > 0 ? rows : null;
      });
      assert.deepEqual(
        events.map(({ dedupe_key, title: told }) => [dedupe_key, told]),
        [[`news:${draft.news_id}:server:${ids.public}`, "Ein Abend in der Langhalle"]],
      );

      // Saved again as it is: the beginning stays, and nobody is told twice.
      const again = { ...fields({ title_en: title, published: "on", pinned: "on" }), revision: shown?.revision ?? "" };
      assert.equal((await admin.post(at, again)).status, 200);
      const after = await rowOf(title);
      assert.deepEqual(after?.starts_at, shown?.starts_at);
      await tellDueNews(site.database);
      assert.equal((await eventsOf(draft.news_id)).length, 1);
      const acts = await site.sql<{ what: string }[]>`
        select what from audit_events where subject_type = 'news' and subject_id = ${String(draft.news_id)} order by event_id`;
      assert.deepEqual(
        acts.map(({ what }) => what),
        ["news-created", "news-updated", "news-updated"],
      );

      // Taken off, it is gone everywhere; deleted after its title was typed.
      assert.equal((await admin.post(`/admin/news/${draft.news_id}/delete`, { confirm: "Torches" })).status, 422);
      assert.equal((await admin.post(`/admin/news/${draft.news_id}/delete`, { confirm: title })).status, 302);
      await until("it is gone", async () => (await site.browser().get(`/news/${after?.slug}`)).status === 404);
      assert.ok(!(await file("/feed.atom")).text.includes(title));
    });

    test("means the own clock by a time, also when it begins by itself", async () => {
      const wall = { starts_at: "2030-07-01T20:00", ends_at: "2030-12-01T20:00" };
      await admin.post("/admin/news/create", fields({ title_en: "In summer", published: "on", ...wall }));
      const [summer] = await site.sql<{ news_id: number; starts_at: string; ends_at: string }[]>`
        select news_id, starts_at, ends_at from news where title->>'en' = 'In summer'`;
      assert.equal(new Date(summer?.starts_at ?? "").toISOString(), "2030-07-01T18:00:00.000Z");
      assert.equal(new Date(summer?.ends_at ?? "").toISOString(), "2030-12-01T19:00:00.000Z");
      assert.match((await admin.get("/admin/news")).text, /In summer[\s\S]*Begins later/);
      await tellDueNews(site.database);
      assert.equal((await eventsOf(summer?.news_id ?? 0)).length, 0);
      assert.equal((await site.browser().get("/news/in-summer")).status, 404);
      await site.sql`update news set starts_at = now() + interval '0.5 seconds', ends_at = now() + interval '1 hour' where news_id = ${summer?.news_id ?? 0}`;
      // The table tells of no change any more: what it waits for is the clock.
      await until("it has begun", async () => {
        await site.sql`select pg_notify('collector', '')`;
        return (await page(`/servers/${ids.public}`)).includes("In summer");
      });
      await tellDueNews(site.database);
      const [event] = await until("it is told", async () => {
        const rows = await eventsOf(summer?.news_id ?? 0);
        return rows.length > 0 ? rows : null;
      });
      const [row] = await site.sql<
        { ends_at: Date }[]
      >`select ends_at from news where news_id = ${summer?.news_id ?? 0}`;
      assert.equal(Date.parse(String(event?.expires_at)), Date.parse(String(row?.ends_at)));
    });
  });
});
