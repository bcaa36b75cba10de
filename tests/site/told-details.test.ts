/**
 * What game servers say of themselves, from a pretend one over its real protocol to the page: who may not see a game server sees
 * nothing of it, nothing of the told file is passed on, and who turns it off has it gone.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pino from "pino";
import { startCollector } from "#collector/start.ts";
import { drawMinecraftIcon } from "#demo/minecraft-icon.ts";
import { type MinecraftInfo, startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { createGameServer } from "#domain/game-servers/edits.ts";
import { newGameServerFields } from "#domain/game-servers/fields.ts";
import { createGame } from "#domain/games/edits.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { dataOf } from "../helpers/route-map.ts";

const WORDS = "WordsOfTheMachine";

describe("what game servers say of themselves", { timeout: 90_000 }, () => {
  let site: AccountSite;
  let member: Browser;
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let machine: Awaited<ReturnType<typeof startMinecraftServer>>;
  let info: MinecraftInfo = {
    players: 1,
    maxPlayers: 20,
    version: "1.21.4",
    protocol: 769,
    description: `§6§l${WORDS}\n<b onclick=alert(1)>§cbold`,
    icon: drawMinecraftIcon("hills"),
    mods: ["create", "waystones"],
  };
  const ids: Record<string, number> = {};
  const log = pino({ level: "silent" });

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
    collector = await startCollector(
      { databaseUrl: site.database.url, pollIntervalS: 1, probeAllowCidrs: ["127.0.0.0/8"], port: 1 },
      { log },
    );
    await until("all are known", async () => (await kept()).length === 3);
  });
  after(async () => {
    await collector?.stop();
    await machine?.close();
    await site.stop();
  });

  const kept = () => site.sql<{ server_id: number; icon_id: string | null; xmin: string; lines: unknown }[]>`
    select server_id, icon_id, xmin::text, lines from gameserver_details order by server_id`;
  const rowOf = async (name: string) => (await kept()).find(({ server_id }) => server_id === ids[name]);
  const iconAt = async (name: string) => `/server-icons/${ids[name]}/${(await rowOf(name))?.icon_id}.webp`;
  /** Asks every game server for what it says at its next turn. */
  const askAgain = () => site.sql`update gameserver_live_metrics set details_asked_at = null, next_poll_at = now()`;

  async function until(what: string, holds: () => Promise<boolean>) {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      if (await holds()) return;
      await pause(50);
    }
    assert.fail(`not within 20 s: ${what}`);
  }

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
    const again = await fetch(site.base + path, { headers: { "If-None-Match": etag } });
    assert.equal(again.status, 304);
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
    await until("asked again", async () => {
      const [row] = await site.sql<{ n: number }[]>`
        select count(*)::int as n from gameserver_live_metrics where details_asked_at is null`;
      return row?.n === 0;
    });
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
    await askAgain();
    await until("the new icon", async () => (await kept()).every(({ icon_id }) => icon_id !== null));
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
});
