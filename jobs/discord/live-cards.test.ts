/** Live cards on a pretend Discord: one message each for ever, the newest alone, and nothing while a limit says no. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pino } from "pino";
import type { DiscordSite } from "#content/discord/site.ts";
import { addressOf } from "#domain/discord/webhooks.ts";
import { registerTarget } from "#domain/notifications/targets.ts";
import { readWebhook } from "#outside/discord.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type FakeDiscord, startFakeDiscord } from "#tests/helpers/discord/fake-discord.ts";
import { pause, until } from "#tests/helpers/until.ts";
import { CHANNELS } from "../notifications/channels.ts";
import { sendBy } from "../notifications/send-deliveries.ts";
import { updateDiscordCards } from "./live-cards.ts";

const SECRET = "a secret of the site that is long enough";
const SERVERS = 5;
const BUCKET = { most: 5, perMs: 300 };

let database: TestDatabase;
let fake: FakeDiscord;
let ids: number[] = [];
let site: DiscordSite;
let webhooks = 0;

before(async () => {
  database = await createTestDatabase();
  const [game] = await database.sql<
    { game_id: number }[]
  >`insert into games (game_name, game_acronym, game_slug, tagline, description)
    values ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}') returning game_id`;
  const rows = await database.sql<{ server_id: number }[]>`insert into gameserver (game_id, server_name, host, adapter)
    select ${game?.game_id ?? 0}, 'Hall ' || n, 'play.example.org', 'tcp' from generate_series(1, ${SERVERS}) n returning server_id`;
  ids = rows.map(({ server_id }) => server_id);
});
after(() => database.drop());
afterEach(() => fake.close());
beforeEach(async () => {
  await database.sql`delete from notification_targets`;
  await database.sql`delete from discord_limits`;
  fake = await startFakeDiscord(BUCKET);
  site = {
    games: [],
    gameServers: ids.map((server_id) => ({
      server_id,
      server_name: `Hall ${server_id}`,
      game_name: "Valheim",
      game_slug: "valheim",
      lifecycle: "active",
      host: "play.example.org",
      game_port: 1,
    })),
    live: [],
    settings: { site_name: "Spawnpoint" },
    site_url: "https://play.example.org",
    delayed_since: null,
  };
  setPlayers(1);
});

function setPlayers(players: number) {
  site = {
    ...site,
    live: ids.map((server_id) => ({
      server_id,
      status: "online",
      user_online: players,
      user_max: 5000,
      user_peak: null,
      user_peak_at: null,
      user_peak_24h: null,
      user_peak_7d: null,
      version: null,
      map: null,
      status_since: null,
    })),
  };
}
async function webhook() {
  const id = String(500_000_000_000_000_000n + BigInt(webhooks++));
  const read = readWebhook(fake.address(id));
  assert.ok(read);
  const made = await registerTarget(database.db, SECRET, {
    kind: "discord",
    identity: id,
    address: addressOf(read),
    locale: "en",
    name: "a channel",
  });
  assert.ok(made.ok);
  return { id, target_id: made.target.target_id };
}
async function card(target_id: string, server_id: number | null = null) {
  const [row] = await database.sql<{ card_id: string }[]>`insert into discord_cards (target_id, kind, server_id, locale)
    values (${target_id}, ${server_id === null ? "site" : "server"}, ${server_id}, 'en') returning card_id`;
  return row?.card_id ?? "";
}
const cards = () =>
  database.sql<
    { card_id: string; state: string; message_id: string | null; last_error: string | null }[]
  >`select * from discord_cards order by created_at, card_id`;
const look = (limitMs?: number, lookAgainMs?: number) =>
  updateDiscordCards(
    {
      db: database.db,
      secret: SECRET,
      config: { discordApi: fake.base, siteUrl: "https://play.example.org" },
      publicSite: () => site,
      log: pino({ level: "silent" }),
      signal: new AbortController().signal,
    },
    { pace: { changeS: 0.2, renewS: 60 }, ...(limitMs ? { limitMs } : {}), ...(lookAgainMs ? { lookAgainMs } : {}) },
  );
const due = () => database.sql`update discord_cards set next_at = now() - interval '1 second'`;
const saidBy = (id: string) =>
  [...fake.messages.values()].filter((message) => message.webhook === id).map(({ body }) => JSON.stringify(body));
const posts = () => fake.requests.filter(({ method }) => method === "POST").length;

describe("live cards", () => {
  test("fifty that change ten times a second: the newest arrives, each in its one message, and no limit is met", async (context) => {
    for (let each = 0; each < 10; each += 1) {
      const { target_id } = await webhook();
      for (const server_id of ids) await card(target_id, server_id);
    }
    let changing = true;
    // Two processes of the site look after them side by side.
    const processes = [0, 1].map(async () => {
      while (changing || (await isBehind())) {
        await look();
        await pause(20);
      }
    });
    const newest = 20;
    const isBehind = async () => {
      const shown = [...fake.messages.values()].filter(({ body }) =>
        JSON.stringify(body).includes(`**${newest} / 5,000**`),
      );
      return shown.length < 50;
    };
    for (let change = 1; change <= newest; change += 1) {
      setPlayers(change);
      await pause(100);
    }
    changing = false;
    await Promise.race([Promise.all(processes), pause(60_000).then(() => assert.fail("the newest does not arrive"))]);
    assert.equal(fake.messages.size, 50);
    assert.equal(posts(), 50);
    assert.equal(fake.requests.filter(({ limited }) => limited).length, 0, "asked while it was told not to");
    // What Discord counts as invalid, and bans an address for: 401, 403 and 429. The product's bound is 1 %.
    const invalid = fake.requests.filter(({ status }) => [401, 403, 429].includes(status)).length;
    const share = (100 * invalid) / fake.requests.length;
    context.diagnostic(
      `${50 * newest} changes: ${fake.requests.length} requests, ${invalid} of them invalid (${share.toFixed(2)} %)`,
    );
    assert.ok(share < 1, `${share} % invalid`);
    assert.ok(fake.requests.every(({ status }) => status === 200));
    assert.ok(fake.requests.length < (50 * newest) / 3);
  });

  test("nothing is asked of anybody while Discord wants a pause, and of one webhook while its bucket is empty", async () => {
    const [one, other] = [await webhook(), await webhook()];
    await card(one.target_id);
    await card(other.target_id);
    fake.limitAll(8_000);
    await look();
    await until("a request got the pause", () => fake.requests.length > 0);
    // Both may have asked before either was answered.
    const told = fake.requests.length;
    assert.ok(told <= 2);
    for (let turn = 0; turn < 5; turn += 1) {
      await due();
      await look();
    }
    assert.equal(fake.requests.length, told);
    await until("both are there", async () => {
      await look();
      return fake.messages.size === 2;
    });
    assert.equal(fake.requests.filter(({ limited }) => limited).length, told);
    // What others of the operator's programs took of the bucket is met once, and then kept to.
    const answer = await database.sql`select route, most, remaining from discord_limits where webhook_id = ${one.id}`;
    assert.deepEqual([...answer], [{ route: "post", most: 5, remaining: 4 }]);
  });

  test("a process that is killed between posting and writing leaves one message: nobody posts a second", async () => {
    const { id, target_id } = await webhook();
    await card(target_id);
    const asked = Promise.withResolvers<void>();
    fake.setTrouble(async (request) => {
      if (request.method !== "POST") return false;
      asked.resolve();
      await pause(400);
      return false;
    });
    const root = path.join(import.meta.dirname, "../..");
    const script = `
      import { connectDatabase } from "#db/client.ts";
      import { updateDiscordCards } from "#jobs/discord/live-cards.ts";
      const { db } = connectDatabase({ databaseUrl: ${JSON.stringify(database.url)} }, { max: 2 });
      await updateDiscordCards({ db, secret: ${JSON.stringify(SECRET)}, config: { discordApi: ${JSON.stringify(fake.base)}, siteUrl: "https://play.example.org" },
        publicSite: () => (${JSON.stringify(site)}), log: console, signal: new AbortController().signal });`;
    const child = spawn(
      process.execPath,
      ["--import", path.join(root, "tests/helpers/quick-imports.ts"), "--input-type=module", "-e", script],
      { cwd: root, stdio: "ignore" },
    );
    await Promise.race([asked.promise, once(child, "exit").then(() => assert.fail("it ended before it asked"))]);
    child.kill("SIGKILL");
    await once(child, "exit");
    await until("the message is there", () => fake.messages.size === 1);
    fake.setTrouble(null);
    const states = async () => (await cards()).map(({ state }) => state);
    await look();
    assert.deepEqual(await states(), ["making"]);
    await database.sql`update discord_cards set claimed_until = now() - interval '1 second'`;
    for (let turn = 0; turn < 3; turn += 1) {
      await due();
      await look();
    }
    assert.deepEqual(await states(), ["doubtful"]);
    assert.equal(posts(), 1);
    assert.equal(saidBy(id).length, 1);
  });

  test("silence leaves a posted card in doubt, and a changed one for another try; a refusal for sure is tried again", async () => {
    const { target_id } = await webhook();
    await card(target_id, ids[0]);
    fake.setTrouble((_, response) => response.writeHead(500).end() && true);
    await look();
    assert.deepEqual(
      (await cards()).map(({ state, last_error }) => [state, last_error]),
      [["waiting", "500"]],
    );
    fake.setTrouble(null);
    await pause(BUCKET.perMs);
    await database.sql`delete from discord_limits`;
    await due();
    await look();
    assert.equal((await cards())[0]?.state, "shown");
    setPlayers(2);
    fake.setTrouble(() => true);
    await due();
    await look(200);
    assert.deepEqual(
      (await cards()).map(({ state, last_error }) => [state, last_error]),
      [["shown", "timeout"]],
    );
    await card(target_id, ids[1]);
    await database.sql`delete from discord_limits`;
    await look(200);
    assert.deepEqual(
      (await cards()).map(({ state }) => state),
      ["shown", "doubtful"],
    );
    fake.setTrouble(null);
    await database.sql`delete from discord_limits`;
    await due();
    await look();
    assert.ok(JSON.stringify([...fake.messages.values()]).includes("**2 / 5,000**"));
    assert.equal(fake.messages.size, 1);
  });

  test("a webhook that hangs holds up its own cards and nobody else's", async () => {
    const [hanging, other] = [await webhook(), await webhook()];
    await card(hanging.target_id);
    await card(other.target_id);
    await look();
    assert.equal(fake.messages.size, 2);
    fake.setTrouble((request) => request.path.includes(hanging.id));
    setPlayers(3);
    await pause(BUCKET.perMs);
    await due();
    const looking = look(2_500, 100);
    const edits = () =>
      fake.requests.filter(({ method, path: asked }) => method === "PATCH" && asked.includes(other.id));
    await until("the other's card changes", () => edits().length === 1);
    setPlayers(4);
    await until("and changes again, while the first still hangs", () => edits().length === 2);
    assert.equal(
      fake.requests.filter(({ path: asked, status }) => asked.includes(hanging.id) && status === 0).length,
      1,
    );
    await looking;
    assert.equal((await cards()).filter(({ last_error }) => last_error === "timeout").length, 1);
  });

  test("a message that was deleted is made again once; a webhook that is gone or shut is asked nothing more", async () => {
    const { id, target_id } = await webhook();
    await card(target_id);
    const again = async () => {
      await pause(BUCKET.perMs);
      await due();
      setPlayers(posts() + fake.requests.length);
      await look();
      await look();
    };
    await look();
    fake.messages.clear();
    await again();
    assert.equal(fake.messages.size, 1, "made again");
    await again();
    assert.equal(posts(), 2);
    fake.messages.clear();
    await again();
    await again();
    assert.deepEqual([fake.messages.size, posts(), (await cards())[0]?.state], [0, 2, "removed"]);

    const shut = await webhook();
    for (const server_id of ids.slice(0, 3)) await card(shut.target_id, server_id);
    fake.forget(shut.id);
    fake.forget(id);
    fake.requests.length = 0;
    for (let turn = 0; turn < 4; turn += 1) await again();
    assert.equal(fake.requests.length, 1, "one refusal is enough");
    const [target] =
      await database.sql`select dead_at is not null as dead, last_error from notification_targets where target_id = ${shut.target_id}`;
    assert.deepEqual({ ...target }, { dead: true, last_error: "404 Unknown Webhook" });
  });

  test("what is public no more goes from the message; what is deleted or ended goes with it", async () => {
    const { id, target_id } = await webhook();
    const server_id = Number(
      (
        await database.sql`insert into gameserver (game_id, server_name, host, adapter)
      select game_id, 'Gone hall', 'play.example.org', 'tcp' from games returning server_id`
      )[0]?.server_id,
    );
    await card(target_id, server_id);
    const whole = await card(target_id);
    site = {
      ...site,
      gameServers: [
        ...site.gameServers,
        { ...(site.gameServers[0] as (typeof site.gameServers)[0]), server_id, server_name: "Gone hall" },
      ],
    };
    await look();
    assert.equal(saidBy(id).filter((said) => said.includes("Gone hall")).length, 2);
    site = { ...site, gameServers: site.gameServers.slice(0, -1) };
    await due();
    await look();
    assert.equal(saidBy(id).filter((said) => said.includes("Gone hall")).length, 0);
    assert.ok(saidBy(id).some((said) => said.includes("not public at the moment")));
    await database.sql`delete from gameserver where server_id = ${server_id}`;
    await due();
    await look();
    assert.deepEqual(
      (await cards()).map(({ card_id }) => card_id),
      [whole],
    );
    assert.equal(fake.messages.size, 1);
    await database.sql`update discord_cards set state = 'ending'`;
    await due();
    await look();
    assert.deepEqual([fake.messages.size, (await cards()).length], [0, 0]);
  });

  test("a post goes once: its names mention nobody, and silence is no reason to say it twice", async () => {
    const { id, target_id } = await webhook();
    const deliver = async (name: string) => {
      await database.sql`update gameserver set server_name = ${name} where server_id = ${ids[0] ?? 0}`;
      await database.sql`with event as (insert into notification_events (kind, server_id, dedupe_key, expires_at)
        values ('news', ${ids[0] ?? 0}, ${name}, now() + interval '1 hour') returning event_id)
        insert into notification_deliveries (event_id, target_id, channel, dedupe_key, by_rule) select event_id, ${target_id}, 'discord', ${name}, true from event`;
      await sendBy(CHANNELS.discord)({
        db: database.db,
        secret: SECRET,
        siteUrl: "https://play.example.org",
        config: { discordApi: fake.base, pollIntervalS: 30 },
        mailSite: () => ({ name: "Spawnpoint", url: "https://play.example.org" }),
        log: pino({ level: "silent" }),
        signal: new AbortController().signal,
      } as Parameters<ReturnType<typeof sendBy>>[0]);
      return (await database.sql`select state, last_error from notification_deliveries where dedupe_key = ${name}`)[0];
    };
    await database.sql`update gameserver set visibility = 'public'`;
    assert.deepEqual(
      { ...(await deliver("@everyone [x](https://evil.example)")) },
      { state: "sent", last_error: null },
    );
    const post = saidBy(id)[0] ?? "";
    assert.match(post, /"allowed_mentions":\{"parse":\[\]\}/);
    assert.ok(post.includes("https://play.example.org/"), post);
    fake.setTrouble((_, response) => response.socket?.destroy() !== undefined);
    await database.sql`delete from discord_limits`;
    assert.equal((await deliver("cut off"))?.state, "doubtful");
    fake.setTrouble(null);
    await database.sql`delete from discord_limits`;
    assert.equal((await deliver("all is well"))?.state, "sent");
    assert.equal(saidBy(id).length, 2);
    await database.sql`update gameserver set visibility = 'members'`;
    assert.equal((await deliver("for members"))?.state, "untrue");
    assert.equal(fake.requests.length, 3);
  });
});
