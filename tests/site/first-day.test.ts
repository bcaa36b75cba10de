/** A real site on its first day: nothing untrue is public, nothing leads nowhere, and an admin is told what comes next. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { FIRST_GAMES } from "#content/first-games.ts";
import { createGame } from "#domain/games/edits.ts";
import { updateRole } from "#domain/members/roles.ts";
import { prepareDatabase } from "../../cli/commands/migrate.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import { until } from "../helpers/until.ts";

/** As people would read them: "ARK" and "Ark: Survival Evolved" alike, and no "the front page". */
const NAMES = new RegExp(
  `\\b(?:${FIRST_GAMES.flatMap(({ game_name }) => [game_name, game_name.split(":")[0]]).join("|")}|ARK|Skyrim|Zomboid)\\b`,
);
/** What would be said of figures that nobody has measured. */
const CLAIMS = /\b0 (?:of|von) 0\b|up right now|asked every|gerade laufen|wird alle|Players now<|Spieler jetzt</;

describe("a real site on its first day", () => {
  let site: AccountSite;
  before(async () => {
    site = await startAccountSite({}, async (databaseUrl) => {
      await prepareDatabase(databaseUrl, { kind: "real", dataDir: "/nowhere", databaseUrl });
      return databaseUrl;
    });
  });
  after(() => site?.stop());
  const page = async (path: string) => (await site.browser().get(path)).text;
  /** Every address of the site that a page or the sitemap leads to, with what is there. Beyond pages only whether something is. */
  async function walk(from: string[]): Promise<{ pages: Map<string, string>; away: Set<string>; dead: string[] }> {
    const [pages, away, seen, dead] = [new Map<string, string>(), new Set<string>(), new Set<string>(), [] as string[]];
    const open = [...from];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const answer = await site.browser().get(path);
      if (answer.status >= 400) dead.push(`${path} ${answer.status}`);
      if (!/html|xml/.test(answer.headers.get("content-type") ?? "")) continue;
      pages.set(path, answer.text);
      for (const [, found = ""] of answer.text.matchAll(
        /(?:href|src|content)="(\/[^"]*|https?:[^"]*)"|<loc>([^<]*)/g,
      )) {
        const url = URL.parse(found.replaceAll("&amp;", "&"), site.base);
        if (!url) continue;
        // It has two names: passkeys work at one of them alone.
        if (url.origin !== site.base && url.origin !== site.base.replace("127.0.0.1", "localhost")) away.add(url.href);
        else if (!/^\/(?:de\/)?(?:assets|logout)/.test(url.pathname)) open.push(url.pathname + url.search);
      }
    }
    return { pages, away, dead };
  }

  test("no page names a game or a figure, none leads nowhere, and programs are told of none", async () => {
    const { pages, away, dead } = await walk(["/", "/de", "/sitemap.xml"]);
    assert.deepEqual(dead, []);
    assert.ok(pages.size > 15 && pages.has("/dashboard") && pages.has("/de/dashboard"), [...pages.keys()].join(" "));
    for (const [path, html] of pages) {
      // The reference of the API lists every way to ask a game server; what it shows as an example is looked at.
      const text = path.endsWith("/developers") ? (html.match(/<pre.*?<\/pre>/gs) ?? []).join() : html;
      assert.doesNotMatch(text, NAMES, path);
      assert.doesNotMatch(text, CLAIMS, path);
      assert.doesNotMatch(text, /"GameServer"|"VideoGame"/, path);
    }
    assert.deepEqual(
      [...away].filter((address) => !/^https:\/\/schema\.org/.test(address)),
      [],
    );
    for (const path of ["/api/v1/games", "/api/v1/servers", "/api/v1/metrics"])
      assert.doesNotMatch(await page(path), /game_name|server_id/, path);
    for (const path of ["/games/valheim", "/de/games/aion", "/servers/1", "/join/1"])
      assert.equal((await site.browser().get(path)).status, 404, path);
  });

  test("visitors read what they will find here; an admin is led on, and no example counts as trouble", async () => {
    assert.match(await page("/"), /We are just moving in\..*The first game server is on its way/s);
    assert.match(await page("/de"), /Wir ziehen gerade ein\..*Der erste Gameserver ist unterwegs/s);
    assert.doesNotMatch(await page("/"), /Only admins see this|id="servers"|id="games"/);
    const { at, user } = await site.signedIn("boss@example.org");
    assert.doesNotMatch((await at.get("/")).text, /Only admins see this/);
    await updateRole(site.database.db, user.id, "admin");
    const admin = site.browser();
    await site.signIn(admin, "boss@example.org");
    assert.match((await admin.get("/")).text, /href="\/admin\/setup".*Only admins see this/s);
    const dashboard = (await admin.get("/admin/dashboard")).text;
    assert.match(dashboard, /Game servers in trouble<\/h2><p[^>]*>There is no game server yet\./);

    const actor = { user_id: user.id, origin: { ip: "192.0.2.1", user_agent: "test" } };
    const game = await createGame(site.database.db, actor, { game_name: "Terraria", game_acronym: "TER" });
    assert.ok(game.ok);
    const [row] = await site.sql<{ server_id: number }[]>`
      insert into gameserver (game_id, server_name, adapter) values (${game.game_id}, 'Lantern Bay', 'a2s') returning server_id`;
    const id = row?.server_id ?? 0;
    await until("the game", async () => (await page("/")).includes("Terraria"));
    assert.match(await page("/games/terraria"), /No Server Available/);
    assert.doesNotMatch(await page("/games/terraria"), /See which game servers are up/);
    assert.match((await admin.get("/")).text, /No game server is public yet/);
    const parts = async () => {
      const { text } = await admin.get("/admin/dashboard");
      const [trouble = "", unfinished = ""] = text.split("Game servers not finished yet");
      return [trouble, unfinished].map((part) => part.includes("Lantern Bay"));
    };
    assert.deepEqual(await parts(), [false, true], "without an address it is not finished");
    await site.sql`update gameserver set host = '192.0.2.9', game_port = 7777, visibility = 'public' where server_id = ${id}`;
    await site.sql`
      update gameserver_live_metrics set status = 'offline', first_asked_at = now(), last_asked_at = now(), status_since = now(),
        failure = 'timeout' where server_id = ${id}`;
    assert.deepEqual(await parts(), [true, false], "what was found down is trouble");
    await until("the game server", async () => (await page("/")).includes("Lantern Bay"));
    const { dead, pages } = await walk(["/", "/de", "/sitemap.xml"]);
    assert.deepEqual(dead, []);
    assert.match(pages.get("/") ?? "", /Collecting since/);
    assert.match(pages.get(`/de/servers/${id}`) ?? "", /Wir messen seit/);
    for (const [path, html] of pages) if (!path.endsWith("/developers")) assert.doesNotMatch(html, NAMES, path);
  });
});
