/**
 * What game servers say of themselves, from a pretend one over its real protocol to the page: who may not see a game server sees
 * nothing of it, nothing of the told file is passed on, and who turns it off has it gone.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pino from "pino";
import { startCollector } from "#collector/start.ts";
import { identifier } from "#db/sql.ts";
import { listTables } from "#db/table-catalog.ts";
import { drawMinecraftIcon } from "#demo/minecraft-icon.ts";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { type MinecraftInfo, startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { createGameServer } from "#domain/game-servers/edits.ts";
import { newGameServerFields } from "#domain/game-servers/fields.ts";
import { findPlayerNames } from "#domain/game-servers/player-lists.ts";
import { createGame } from "#domain/games/edits.ts";
import { removeOldPlayerLists } from "#jobs/old-player-lists.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { dataOf } from "../helpers/route-map.ts";
import { until } from "../helpers/until.ts";

const WORDS = "WordsOfTheMachine";

describe("what game servers say of themselves", () => {
  let site: AccountSite;
  let member: Browser;
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let steam: Awaited<ReturnType<typeof startA2sServer>>;
  let machine: Awaited<ReturnType<typeof startMinecraftServer>>;
  let info: MinecraftInfo = {
    players: 5,
    maxPlayers: 20,
    version: "1.21.4",
    protocol: 769,
    description: `§6§l${WORDS}\n<b onclick=alert(1)>§cbold`,
    icon: drawMinecraftIcon("hills"),
    mods: ["create", "waystones"],
    names: ["Alexandria", "Berthold_2"],
  };
  const ids: Record<string, number> = {};
  /** All that the collector logs, in its wordiest voice. */
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });

  before(async () => {
    site = await startAccountSite();
    machine = await startMinecraftServer({ info: () => info });
    const { at, user } = await site.signedIn("admin@example.org");
    member = at;
    await site.sql`update roles set role = 'admin' where user_id = ${user.id}`;
    const actor = { user_id: user.id, origin: { ip: "", user_agent: "" } };
    const game = await createGame(site.database.db, actor, { game_name: "Blocks", game_acronym: "BL" });
    assert.ok(game.ok);
    for (const visibility of ["public", "members", "hidden"] as const) {
      const made = await createGameServer(
        site.database.db,
        actor,
        newGameServerFields.parse({
          game_id: game.game_id,
          server_name: `Blocks ${visibility}`,
          visibility,
          adapter: "minecraft",
          host: "127.0.0.1",
          game_port: machine.port,
          poll_interval_s: 1,
        }),
      );
      assert.ok(made.ok);
      ids[visibility] = made.server_id;
    }
    steam = await startA2sServer({
      info: () => ({ name: "Steam", map: "m", folder: "f", game: "g", players: 1, maxPlayers: 9, version: "1" }),
      playerNames: () => ["Alexandria the <b>Great", ""],
    });
    const fields = { game_id: game.game_id, server_name: "Blocks by Steam", visibility: "public", adapter: "a2s" };
    const place = { host: "127.0.0.1", game_port: steam.port, poll_interval_s: 1 };
    const made = await createGameServer(site.database.db, actor, newGameServerFields.parse({ ...fields, ...place }));
    assert.ok(made.ok);
    ids.steam = made.server_id;
    collector = await startCollector(
      { databaseUrl: site.database.url, pollIntervalS: 1, probeAllowCidrs: ["127.0.0.0/8"], port: 1, webWorkers: 1 },
      { log },
    );
    await until("all are known", async () => (await kept()).length === 3);
  });
  after(async () => {
    await collector?.stop();
    await machine?.close();
    await steam?.close();
    await site.stop();
  });

  const kept = () => site.sql<{ server_id: number; icon_id: string | null; xmin: string; lines: unknown }[]>`
    select server_id, icon_id, xmin::text, lines from gameserver_details order by server_id`;
  const rowOf = async (name: string) => (await kept()).find(({ server_id }) => server_id === ids[name]);
  const iconAt = async (name: string) => `/server-icons/${ids[name]}/${(await rowOf(name))?.icon_id}.webp`;
  /** Asks every game server for what it says at its next turn. */
  const isAskedAgain = async () => {
    const [row] = await site.sql<{ n: number }[]>`
      select count(*)::int as n from gameserver_live_metrics
      where details_asked_at is null and server_id <> ${ids.steam ?? 0}`;
    return row?.n === 0;
  };
  const askAgain = () => site.sql`update gameserver_live_metrics set details_asked_at = null, next_poll_at = now()`;

  test("who may not see a game server sees nothing that it says, nor its icon by its address", async () => {
    for (const [name, who, pageOf] of [
      ["hidden", "visitor", 404],
      ["hidden", "admin", 404],
      ["members", "visitor", 404],
      ["members", "member", 200],
      ["public", "visitor", 200],
    ] as const) {
      const at = who === "visitor" ? site.browser() : member;
      const said = `${name} to a ${who}`;
      const page = await at.get(`/servers/${ids[name]}`);
      const data = await at.get(dataOf(`/servers/${ids[name]}`));
      const icon = await at.get(await iconAt(name));
      assert.equal(page.status, pageOf, said);
      assert.equal(icon.status, pageOf, said);
      for (const { text } of [page, data]) assert.equal(text.includes(WORDS), pageOf === 200, said);
    }
    for (const path of [
      "/",
      "/dashboard",
      "/live",
      "/api/v1/servers",
      `/api/v1/servers/${ids.public}`,
      "/sitemap.xml",
    ]) {
      if (path === "/live") continue;
      const { text } = await site.browser().get(path);
      assert.ok(!text.includes(WORDS) && !text.includes("server-icons"), path);
    }
  });

  test("an icon is a picture of ours and nothing else, known by its content", async () => {
    const path = await iconAt("public");
    const visitor = site.browser();
    const answer = await fetch(site.base + path);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.headers.get("content-type"), "image/webp");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("content-security-policy"), "default-src 'none'; sandbox");
    assert.equal(answer.headers.get("cache-control"), "no-cache");
    assert.equal(bytes.toString("latin1", 8, 12), "WEBP");
    const etag = answer.headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`, "*"])
      assert.equal((await fetch(site.base + path, { headers: { "If-None-Match": known } })).status, 304, known);
    assert.equal((await member.get(await iconAt("members"))).headers.get("cache-control"), "private, no-store");
    for (const wrong of [
      path.replace(/[0-9a-f]{20}/, "0".repeat(20)),
      path.replace(".webp", ".png"),
      path.replace(/[0-9a-f]{20}\.webp/, "..%2f..%2fetc"),
      path.replace(`/${ids.public}/`, "/0/"),
      path.replace(`/${ids.public}/`, `/${ids.hidden}/`),
      "/server-icons/1",
    ])
      assert.equal((await visitor.get(wrong)).status, 404, wrong);
  });

  test("its words are on the page as text, its mods among the facts, and an admin's own list says more", async () => {
    const { text } = await site.browser().get(`/servers/${ids.public}`);
    assert.match(text, /In its own words/);
    assert.match(text, new RegExp(`<span data-colour="gold" data-bold="true">${WORDS}</span>`));
    assert.match(text, /&lt;b onclick=alert\(1\)&gt;/);
    assert.doesNotMatch(text, /<b onclick/);
    assert.match(text, /waystones/);
    assert.match((await site.browser().get(`/de/servers/${ids.public}`)).text, /In eigenen Worten/);
    await site.sql`update gameserver set mods = ${["Written down"]} where server_id = ${ids.public ?? 0}`;
    await until("the admin's mods", async () => {
      const page = (await site.browser().get(`/servers/${ids.public}`)).text;
      return page.includes("Written down") && !page.includes("waystones");
    });
  });

  test("what is the same is not written again, and hostile icons are not taken", async () => {
    const before = await kept();
    await askAgain();
    await until("asked again", isAskedAgain);
    await pause(1_500);
    assert.deepEqual(await kept(), before);
    // A head that promises a picture, and no picture behind it.
    const broken = Buffer.concat([
      drawMinecraftIcon("hills").subarray(0, 60),
      Buffer.from("<script>alert(1)</script>"),
    ]);
    const old = await iconAt("public");
    info = { ...info, icon: broken, description: "Other words" };
    await askAgain();
    await until("no icon", async () => (await kept()).every(({ icon_id }) => icon_id === null));
    await until("its old icon is gone", async () => (await site.browser().get(old)).status === 404);
    info = { ...info, icon: drawMinecraftIcon("island") };
    await until("the new icon", async () => {
      if ((await kept()).every(({ icon_id }) => icon_id !== null)) return true;
      // A reply with the broken icon may still be under way, and its details count for ten minutes.
      await site.sql`update gameserver_live_metrics set details_asked_at = null, next_poll_at = now()
        where details_asked_at is not null`;
      return false;
    });
    await until("asked again", isAskedAgain);
    assert.notEqual(await iconAt("public"), old);
    await until("it is shown", async () => (await site.browser().get(await iconAt("public"))).status === 200);
  });

  test("at most every ten minutes, and not what nobody wants to show", async () => {
    const asked = async () =>
      site.sql<{ at: string }[]>`select details_asked_at::text as at from gameserver_live_metrics order by server_id`;
    const first = await asked();
    await pause(2_500);
    assert.deepEqual(await asked(), first, "two turns later nobody was asked again");
    const icon = await iconAt("public");
    await site.sql`update gameserver set show_details = false where server_id = ${ids.public ?? 0}`;
    assert.equal(await rowOf("public"), undefined, "gone with the change itself");
    await until("no words on the page", async () => {
      const page = await site.browser().get(`/servers/${ids.public}`);
      return page.status === 200 && !page.text.includes("In its own words");
    });
    assert.equal((await site.browser().get(icon)).status, 404);
    await site.sql`update gameserver_live_metrics set next_poll_at = now()`;
    await pause(1_500);
    assert.equal(await rowOf("public"), undefined);
    await site.sql`update gameserver set show_details = true where server_id = ${ids.public ?? 0}`;
    await until("asked at its next turn", async () => (await rowOf("public")) !== undefined);
  });

  test("a game server that moves says nothing until it has been asked there", async () => {
    await site.sql`update gameserver set host = '127.0.0.2', game_port = 1 where server_id = ${ids.members ?? 0}`;
    assert.equal(await rowOf("members"), undefined);
    const { text } = await member.get(`/servers/${ids.members}`);
    assert.ok(!text.includes("Other words"));
  });

  describe("names of players", () => {
    const turn = (on: boolean) =>
      site.sql`update gameserver set player_list = ${on} where server_id = any(${[ids.public, ids.steam]}::int[])`;
    const lists = () => site.sql<{ server_id: number; names: string[] }[]>`
      select server_id, names from gameserver_player_lists order by server_id`;
    const pageOf = async (at: Browser, name = "public") => (await at.get(`/servers/${ids[name]}`)).text;
    /** Everything that the database holds, as text. */
    async function wholeDatabase(): Promise<string> {
      const tables = await site.sql<{ name: string }[]>`
        select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
      const texts = await Promise.all(
        tables.map(
          ({ name }) => site.sql<{ all: string }[]>`select string_agg(t::text, ' ') as all from ${identifier(name)} t`,
        ),
      );
      return JSON.stringify(texts);
    }
    /** What streams say within a second, to a visitor and to a member. */
    async function streams(): Promise<string> {
      const cookie = [...member.cookies].map((pair) => pair.join("=")).join("; ");
      const heard = await Promise.all(
        [
          ["/live", ""],
          ["/live", cookie],
          ["/api/v1/live", ""],
        ].map(async ([path = "", cookies = ""]) => {
          const response = await fetch(site.base + path, {
            signal: AbortSignal.timeout(1_000),
            headers: { cookie: cookies },
          });
          let text = "";
          try {
            for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
          } catch {}
          return text;
        }),
      );
      assert.ok(heard.every((text) => text.includes("snapshot")));
      return heard.join();
    }
    const beside = () =>
      Promise.all(
        ["/", "/dashboard", "/api/v1/servers", `/api/v1/servers/${ids.public}`, `/servers/${ids.public}/widget`].map(
          async (path) => (await member.get(path)).text + (await site.browser().get(path)).text,
        ),
      ).then((texts) => texts.join());

    test("while the list is off no byte of a name is anywhere", async () => {
      await pause(1_500);
      assert.equal((await lists()).length, 0);
      const everything = [
        await wholeDatabase(),
        await streams(),
        await beside(),
        ...(await Promise.all([pageOf(member), pageOf(site.browser()), pageOf(member, "steam")])),
        lines.join(),
      ].join();
      assert.ok(
        everything.includes("Blocks public") && lines.length > 10,
        "a search that finds nothing proves nothing",
      );
      assert.doesNotMatch(everything, /Alexandria|Berthold/i);
    });

    test("while it is on members read it, and nobody and nothing else", async () => {
      await turn(true);
      await until("both lists", async () => (await lists()).length === 2);
      await until("a member's page", async () => (await pageOf(member)).includes("Alexandria"));
      const page = await pageOf(member);
      assert.match(page, /Who is on/);
      assert.match(page, /Berthold_2/);
      assert.match(page, /and (?:<!-- -->)?3(?:<!-- -->)? more/, "five are on, and two are named");
      assert.match(await pageOf(member, "steam"), /Alexandria the &lt;b&gt;Great/);
      assert.match((await member.get(`/de/servers/${ids.public}`)).text, /Wer gerade spielt/);
      assert.match((await member.get(`/servers/${ids.public}`)).headers.get("cache-control") ?? "", /no-store/);
      for (const path of [`/servers/${ids.public}`, dataOf(`/servers/${ids.public}`), `/de/servers/${ids.steam}`]) {
        const { text } = await site.browser().get(path);
        assert.doesNotMatch(text, /Alexandria|Berthold/, path);
      }
      assert.match(await pageOf(site.browser()), /Members can see who is on/);
      assert.doesNotMatch((await streams()) + (await beside()) + lines.join(), /Alexandria|Berthold/);
      const others = (await wholeDatabase()).split("Alexandria").length - 1;
      // Each of the two lists has the name and how it is compared, which is in small letters.
      assert.equal(others, 2, "in the lists, and in no other row");
      const [kind] = await site.sql<{ relpersistence: string }[]>`
        select relpersistence from pg_class where relname = 'gameserver_player_lists'`;
      assert.equal(kind?.relpersistence, "u");
      assert.ok(
        !(await listTables(site.sql)).some(({ name, unlogged }) => name === "gameserver_player_lists" && !unlogged),
        "no backup has it",
      );
    });

    test("a member hides a name at once, however it is written, and is counted on", async () => {
      const save = (player_names: string) =>
        member.post("/user/settings/profile/", { intent: "hide-names", player_names });
      assert.equal((await save("x".repeat(41))).status, 422);
      assert.equal((await save(Array.from({ length: 11 }, (_, n) => `Name${n}`).join("\n"))).status, 422);
      const answer = await save(" aLEXANDRIA \r\n\r\nSomebody Else");
      assert.match(answer.location ?? answer.text, /saved=names/);
      const page = await pageOf(member);
      assert.doesNotMatch(page, /Alexandria</);
      assert.match(page, /Berthold_2/);
      assert.match(page, /and (?:<!-- -->)?4(?:<!-- -->)? more/);
      await until("it does not even reach the row", async () =>
        (await lists()).every(({ names }) => !names.includes("Alexandria")),
      );
      assert.match((await member.get("/user/settings/profile/")).text, /aLEXANDRIA\nSomebody Else/);
      await save("");
      await until("it is back", async () => (await pageOf(member)).includes("Alexandria<"));
    });

    test("turned off, hidden or in maintenance: gone with that very act, and not brought back", async () => {
      for (const [set, back] of [
        ["player_list = false", "player_list = true"],
        ["visibility = 'hidden'", "visibility = 'public'"],
        ["lifecycle = 'maintenance'", "lifecycle = 'active'"],
      ] as const) {
        await until("a list", async () => (await lists()).some(({ server_id }) => server_id === ids.public));
        await site.sql.unsafe(`update gameserver set ${set} where server_id = ${ids.public}`);
        assert.ok(!(await lists()).some(({ server_id }) => server_id === ids.public), set);
        await pause(1_500);
        assert.ok(!(await lists()).some(({ server_id }) => server_id === ids.public), `${set}, two turns later`);
        assert.doesNotMatch(await pageOf(member), /Berthold_2/);
        await site.sql.unsafe(`update gameserver set ${back} where server_id = ${ids.public}`);
      }
    });

    test("a list that nobody tells anew is not shown, and is removed", async () => {
      await until("a list", async () => (await lists()).length === 2);
      await collector.stop();
      const older = (minutes: number) =>
        site.sql`update gameserver_player_lists set told_at = now() - ${minutes} * interval '1 minute'`;
      await older(6);
      assert.equal(await findPlayerNames(site.database.db, ids.public ?? 0), null);
      await removeOldPlayerLists(site.sql);
      assert.equal((await lists()).length, 2);
      await older(11);
      await removeOldPlayerLists(site.sql);
      assert.equal((await lists()).length, 0);
    });
  });
});
