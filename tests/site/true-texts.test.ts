/** Nothing untrue is public: no way into what nobody can join, no link to nowhere, and what is said of the person is so. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { listGameServers } from "#domain/game-servers/game-servers.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import { listMissingSettings } from "#domain/site/setup.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import { until } from "../helpers/until.ts";

describe("true texts", () => {
  let site: AccountSite;
  const ids: Record<string, number> = {};
  const HOST = "way.example.org";

  before(async () => {
    site = await startAccountSite();
    const { sql } = site;
    await seedDemoContent(site.database.db);
    await sql`update gameserver set visibility = 'public', host = ${HOST} where server_name like 'Valheim%'`;
    await sql`update gameserver set lifecycle = 'maintenance' where server_name = 'Valheim Modded'`;
    const rows = await sql<{ server_id: number; server_name: string }[]>`select server_id, server_name from gameserver`;
    for (const { server_id, server_name } of rows) ids[server_name] = server_id;
    await sql`update gameserver_live_metrics set status = 'online', user_online = 4321, last_asked_at = now(), map = 'hills'
      where server_id = ${ids["Valheim Modded"] ?? 0}`;
    await until("the news", async () => (await page("/games/valheim")).includes("Maintenance"));
  });
  after(() => site?.stop());

  const page = async (path: string) => (await site.browser().get(path)).text;
  for (const [lifecycle, expected, german] of [
    ["maintenance", /In maintenance: its address is back/, /In Wartung: Die Adresse steht wieder hier/],
    ["retired", /Inactive: there is no address to join/, /Inaktiv: Hier gibt es gerade nichts/],
  ] as const) {
    test(`a game server that is ${lifecycle} shows no players and no way in, wherever it is shown`, async () => {
      const id = ids["Valheim Modded"];
      await site.sql`update gameserver set lifecycle = ${lifecycle} where server_id = ${id ?? 0}`;
      await site.sql`update gameserver_live_metrics set status = 'online', user_online = 4321, last_asked_at = now()
        where server_id = ${id ?? 0}`;
      await until("the page", async () => expected.test(await page(`/servers/${id}`)));
      // The other game server of the game has the same host, and shows it.
      const own = await page(`/servers/${id}`);
      assert.ok(!own.includes(HOST), "its page");
      assert.doesNotMatch(own, /Copy address|aria-label="Join/);
      assert.match(await page(`/de/servers/${id}`), german);
      const card =
        (await page("/games/valheim"))
          .match(/<article.*?<\/article>/gs)
          ?.find((one) => one.includes("Valheim Modded")) ?? "";
      assert.match(card, expected);
      const row =
        (await page("/dashboard")).match(/<tr.*?<\/tr>/gs)?.find((one) => one.includes("Valheim Modded")) ?? "";
      assert.match(row, expected);
      const everything = [own, card, row];
      for (const path of ["/", "/dashboard", "/games/valheim", `/servers/${id}/badge.svg`, `/servers/${id}/widget`])
        everything.push(await page(path));
      for (const path of [
        `/api/v1/servers/${id}`,
        `/api/v1/servers/${id}/metrics`,
        "/api/v1/metrics",
        "/dashboard.data",
      ])
        everything.push(await page(path));
      // The site's own address holds a port by chance.
      for (const text of everything) assert.doesNotMatch(text.replaceAll(site.base, ""), /\b4,?321\b/);
      for (const text of [card, row, await page(`/servers/${id}/widget`)]) {
        assert.ok(!text.includes(HOST), text);
        assert.doesNotMatch(text, /Copy|Join/);
      }
      const told = JSON.parse(await page(`/api/v1/servers/${id}`));
      assert.deepEqual([told.host, told.game_port, told.address, told.join_link], [null, null, null, null]);
      assert.deepEqual([told.live.user_online, told.live.map], [null, null]);
      assert.ok((await page(`/servers/${ids["Valheim Vanilla"]}`)).includes(HOST), "the other one is as it was");
    });
  }

  test("whoever counts the game servers finds as many as the list says, and is told which of them are not among those online", async () => {
    const counts = async (path: string) => {
      const text = (await page(path)).replace(/<!--.*?-->/g, "").replace(/<[^>]+>/g, " ");
      const [, online] = /(?:Servers|Gameserver) online\s+\d+ (?:of|von) (\d+)/.exec(text) ?? [];
      const [, listed] = /(\d+) (?:game servers|Gameserver), /.exec(text) ?? [];
      const [, one, other] = / · (?:(\d+) of them inactive|davon (\d+) inaktiv)/.exec(text) ?? [];
      return { online: Number(online), listed: Number(listed), inactive: Number(one ?? other ?? 0) };
    };
    // One more is retired from the beginning.
    for (const [lifecycle, inactive] of [
      ["active", 1],
      ["retired", 2],
    ] as const) {
      await site.sql`update gameserver set lifecycle = ${lifecycle} where server_id = ${ids["Valheim Modded"] ?? 0}`;
      for (const path of ["/", "/dashboard", "/de/dashboard", "/de"])
        await until(`${path} says ${inactive} inactive`, async () => {
          const said = await counts(path);
          return said.inactive === inactive && said.listed > 1 && said.online + inactive === said.listed;
        });
    }
    // Of a part it would be read as how many of those are.
    assert.doesNotMatch(await page("/dashboard?q=vanilla"), /of them inactive/);
  });

  test("a game server that was just added and has not answered counts nowhere as one that is up", async () => {
    const { sql } = site;
    await sql`update gameserver_live_metrics set status = 'degraded', failures_in_row = 1, last_asked_at = now(), last_answered_at = null`;
    const statuses = async () =>
      [...(await page("/api/v1/metrics")).matchAll(/"status":"(\w+)"/g)].map(([, status]) => status);
    await until("unknown", async () => {
      const told = await statuses();
      return told.includes("unknown") && !told.includes("online");
    });
    assert.ok(!(await statuses()).includes("degraded"));
    assert.doesNotMatch(await page("/status"), /Everything is up|checking|being checked/i);
    assert.match(await page("/status"), /0 of \d+ servers? online · \d+ unknown</);
    await until("in German, too", async () => /0 von \d+ online · \d+ unbekannt</.test(await page("/de/status")));
    const listed = (status: "degraded" | "unknown") =>
      listGameServers(
        site.database.db,
        { q: "", sort: "order", descending: false, page: 1 },
        { gameId: null, status, siteIntervalS: 30 },
      );
    assert.equal((await listed("degraded")).total, 0);
    assert.ok((await listed("unknown")).total > 0);
  });

  test("the status page counts what is being checked, and says of nothing that it is up before that is known", async () => {
    await site.sql`update gameserver_live_metrics set status = 'online', failures_in_row = 0, last_asked_at = now(), last_answered_at = now()`;
    await site.sql`update gameserver_live_metrics set status = 'degraded', failures_in_row = 1
      where server_id = ${ids["Valheim Vanilla"] ?? 0}`;
    await until("it is counted", async () => /\d+ of \d+ servers? online · 1 checking</.test(await page("/status")));
    const [, up, total] = /(\d+) of (\d+) servers? online/.exec(await page("/status")) ?? [];
    assert.equal(Number(up), Number(total) - 1);
    assert.match(await page("/status"), /1 server is being checked\./);
    assert.doesNotMatch(await page("/status"), /Everything is up/);
    await until("in German, too", async () => (await page("/de/status")).includes("1 Gameserver wird geprüft."));
  });

  test("“How to join” leads to the guide on the page of its game server", async () => {
    await site.sql`update gameserver set host = '203.0.113.9', lifecycle = 'active', visibility = 'public'
      from games where games.game_id = gameserver.game_id and game_slug = 'aion'`;
    await until("its address", async () => /How to join Aion/.test(await page("/dashboard")));
    const html = await page("/dashboard");
    const links = [...html.matchAll(/<a (?=[^>]*aria-label="How to join [^"]*")[^>]*href="([^"]*)"/g)];
    assert.ok(links.length > 0, html);
    for (const [, href] of links) assert.match(href ?? "", /^\/servers\/\d+#how-to$/);
    assert.match(await page((links[0]?.[1] ?? "").split("#")[0] ?? ""), /id="how-to"/);
  });

  test("a country is said in the reader's language, and every other place as its admin wrote it", async () => {
    await site.sql`update gameserver set server_locations = '{Germany,Falkenstein,"united states"}' where server_name = 'Valheim Vanilla'`;
    const id = ids["Valheim Vanilla"];
    await until("the place", async () => (await page(`/servers/${id}`)).includes("Falkenstein"));
    for (const path of [`/de/servers/${id}`, "/de/games/valheim"]) {
      assert.match(await page(path), /Deutschland, Falkenstein, Vereinigte Staaten/, path);
      assert.match(await page(path.slice(3)), /Germany, Falkenstein, United States/, path);
    }
    for (const path of ["/de", "/de/dashboard"]) {
      await until("the list", async () => (await page(path)).includes("Falkenstein"));
      assert.match(await page(path), /Deutschland\u00a0· Falkenstein\u00a0· Vereinigte Staaten/, path);
    }
    // A filter's address is the same in both languages.
    const german = await page("/de/dashboard?region=Germany");
    assert.match(german, /<option value="Germany" selected="">Deutschland<\/option>/);
    assert.match(german, /Valheim Vanilla/);
  });

  test("no invite link is shown until there is one, and it counts among what is missing", async () => {
    for (const path of ["/", "/de", "/contact", "/login/"])
      assert.doesNotMatch(await page(path), /discord\.com|>Discord/);
    assert.equal((await site.browser().get("/demo/discord")).status, 404);
    const settings = await readSiteSettings(site.database.db);
    assert.equal(settings.discord_url, "");
    assert.ok(listMissingSettings(settings, true).contact.includes("discord_url"));
    const { at } = await site.signedInAdmin("operator@example.org");
    assert.match((await at.get("/admin/dashboard")).text, /step=contact"[^>]*>Contact<\/a><span[^>]*>The invite link/);
    await site.sql`insert into site_settings (setting_key, setting_value) values ('discord_url', '"https://discord.gg/harbour"')`;
    await until("the invite", async () => (await page("/")).includes('href="https://discord.gg/harbour"'));
    assert.doesNotMatch((await at.get("/admin/dashboard")).text, /The invite link of/);
  });

  test("whoever is logged in and asks for the login is told so; whoever asked for a page goes on to it", async () => {
    const { at } = await site.signedIn("told@example.org");
    for (const [path, home, expected] of [
      ["/login/", "/?notice=logged-in", "You are logged in"],
      ["/de/login/", "/de?notice=logged-in", "Du bist angemeldet"],
      ["/login/?next=https://evil.example/", "/?notice=logged-in", "You are logged in"],
    ] as const) {
      const answer = await at.get(path);
      assert.equal(answer.status, 302, path);
      assert.equal(answer.location, home);
      assert.match((await at.get(home)).text, new RegExp(`role="status"[^>]*>.*${expected}`));
    }
    assert.equal((await at.get("/login/?next=/dashboard")).location, "/dashboard");
    assert.doesNotMatch((await at.get("/")).text, /You are logged in/);
    assert.doesNotMatch(await page("/?notice=logged-in"), /You are logged in/, "nobody else is");
  });

  test("without a mail server nobody is told that a mail was sent, and no link is shown to a stranger", async () => {
    const { at } = await site.signedIn("mailless@example.org");
    const stranger = site.browser();
    const ask = (path: string, fields: Record<string, string>) => stranger.post(path, fields);
    const password = "a boat beside the lamp";
    const answers = [
      await ask("/login/", { intent: "register", email: "fresh@example.org", password }),
      await ask("/login/", { intent: "login", email: "fresh@example.org", password }),
      await ask("/forgot-password", { email: "mailless@example.org" }),
      await ask("/forgot-password", { email: "unheard-of@example.org" }),
      await ask("/sign-in-code", { email: "mailless@example.org" }),
      await at.post("/user/settings/account", { intent: "email", email: "other@example.org" }),
      await at.get("/keep-account"),
    ];
    for (const [place, { text }] of answers.entries()) {
      assert.match(
        text,
        /Email is not set up on this site, so (?:nothing|no new link|no link) was sent/,
        String(place),
      );
      assert.match(text, /contact form/, String(place));
      assert.doesNotMatch(
        text,
        /on its way|We have sent|have written|just sent|have mailed|token=|spam folder/,
        String(place),
      );
    }
    assert.match(
      (await ask("/de/forgot-password", { email: "x@example.org" })).text,
      /es wurde also nichts verschickt/,
    );
    const [known, unknown] = [answers[2], answers[3]].map((answer) => answer?.text.match(/<main.*<\/main>/s)?.[0]);
    assert.equal(known, unknown, "who has an account here is not told");
  });

  test("the demo shows what its mail would have brought, and has a page for each of its links", async () => {
    const demo = await startAccountSite({ SPAWNPOINT_DEMO: "1" });
    try {
      await demo.member("member@example.org");
      const asked = await demo.browser().post("/forgot-password", { email: "member@example.org" });
      const path = /href="(\/reset-password\?token=[\w-]+)"/.exec(asked.text)?.[1] ?? "";
      assert.equal(path, await demo.linkTo("member@example.org"));
      assert.equal((await demo.browser().get(path)).status, 200);
      const nobody = await demo.browser().post("/forgot-password", { email: "nobody@example.org" });
      assert.match(nobody.text, /there is no account with this address/);
      const again = { intent: "register", email: "member@example.org", password: "a lamp in the harbour" };
      for (const [path, text] of [
        ["/login", /there is already an account with this address/],
        ["/de/login", /mit dieser Adresse gibt es schon ein Konto/],
      ] as const) {
        const answer = await demo.browser().post(path, again);
        assert.match(answer.text, text);
        assert.doesNotMatch(answer.text, /no account with this address|gibt es kein Konto/);
      }
      // Its Message-ID begins with eight digits, as one in forty does.
      await demo.sql`alter table notification_deliveries alter delivery_id set default '12345678-0000-4000-8000-000000000000'`;
      const coded = await demo.browser().post("/sign-in-code", { email: "member@example.org" });
      assert.match(
        coded.text,
        new RegExp(`<code[^>]*>${(await demo.newestMail("member@example.org")).data.code}</code>`),
      );
      for (const page of ["client", "launcher", "torrent", "registration", "discord"])
        for (const language of ["", "/de"])
          assert.equal((await demo.browser().get(`${language}/demo/${page}`)).status, 200);
      assert.equal((await demo.browser().get("/demo/else")).status, 404);
      assert.match((await demo.browser().get("/de")).text, /href="\/de\/demo\/discord"/);
    } finally {
      await demo.stop();
    }
  });

  test("a log-out that fails says so, and that one is still logged in", async () => {
    const { at } = await site.signedIn("stays@example.org");
    await site.sql.unsafe(`
      create function refuse_end() returns trigger language plpgsql as $$ begin raise 'no room' using errcode = '53100'; end $$;
      create trigger refuse_end before delete on sessions for each row execute function refuse_end()`);
    const failed = await at.post("/logout", {});
    assert.equal(failed.status, 503);
    assert.match(failed.text, /role="alert".*Failed to log out/s);
    assert.match((await at.post("/de/logout", {})).text, /Abmelden fehlgeschlagen/);
    assert.equal(await site.isSignedIn(at), true);
    await site.sql`drop trigger refuse_end on sessions`;
    assert.equal((await at.post("/logout", {})).location, "/");
    assert.equal(await site.isSignedIn(at), false);
  });
});
