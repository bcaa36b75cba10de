/** What outposts may do to a verdict, and what not: the real loop and database, pretend game servers, outposts that lie. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import pino from "pino";
import type { Sql } from "#db/sql.ts";
import { createBed, fakeWorld } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";
import type { Claimed } from "./claim.ts";
import { createSecondOpinion } from "./second-opinion.ts";
import { createSettler } from "./settle.ts";

const S = 1_000;
const T = 1_800_000_000 * S;

describe("outposts before a verdict", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  let saying: NodeJS.Timeout | undefined;
  before(async () => {
    bed = await createBed();
  });
  afterEach(async () => {
    clearInterval(saying);
    await bed.clear();
    await bed.sql`delete from outposts`;
    await bed.sql`delete from gameserver_status_event`;
  });
  after(() => bed.end());

  async function addOutposts(many: number): Promise<number[]> {
    const made = await bed.sql<{ outpost_id: number }[]>`
      insert into outposts (name, token_hash) select 'Place ' || n, 'hash ' || n from generate_series(1, ${many}::int) n
      returning outpost_id`;
    return made.map(({ outpost_id }) => outpost_id);
  }
  /** Each outpost says so of every game server. */
  const say = (ok: boolean, ids: number[], ageS = 0) => bed.sql`
    insert into outpost_results as kept (outpost_id, server_id, target_key, ok, asked_at)
    select outpost_id, g.server_id, gameserver_target_key(g), ${ok}, now() - make_interval(secs => ${ageS}::float8)
    from unnest(${ids}::int[]) outpost_id, gameserver g
    on conflict (outpost_id, server_id) do update set ok = excluded.ok, asked_at = excluded.asked_at, target_key = excluded.target_key`;
  const keepSaying = (ok: boolean, ids: number[]) => {
    saying = setInterval(() => void say(ok, ids).catch(() => {}), 200);
  };
  const addServers = (many: number) =>
    Promise.all(Array.from({ length: many }, (_, n) => bed.addServer({ host: `10.0.0.${n}`, game_port: 2456 })));
  const offlineEvents = () => bed.sql`select server_id from gameserver_status_event where to_status = 'offline'`;
  const gaps = () => bed.sql<{ server_id: number; seconds: number }[]>`
    select server_id, extract(epoch from ends_at - starts_at)::float8 as seconds from gameserver_watch_gap
    where reason = 'own_fault' and server_id is not null order by server_id`;

  /** Half of six game servers fall out of our sight; the others answer. */
  async function cutHalf() {
    let cut = false;
    const { outside } = fakeWorld((address) => (cut && Number(address.split(".")[3]) < 2 ? "refused" : "up"));
    await addServers(6);
    await bed.start({ outside });
    await until("all online", async () => (await bed.statuses()).online === 6);
    const [first, second] = await bed.sql<{ server_id: number }[]>`
      select server_id from gameserver where host in ('10.0.0.0', '10.0.0.1') order by server_id`;
    return { ids: [first?.server_id ?? 0, second?.server_id ?? 0], cut: () => (cut = true), heal: () => (cut = false) };
  }

  for (const many of [1, 2]) {
    test(`${many} that see what we do not: nobody is offline while our way is cut; two make it no down time`, async () => {
      const outposts = await addOutposts(many);
      const world = await cutHalf();
      keepSaying(true, outposts);
      world.cut();
      await until("in doubt", async () => (await bed.statuses()).degraded === 2);
      await pause(8 * S);
      assert.deepEqual(await bed.statuses(), { online: 4, degraded: 2 });
      const [id = 0] = world.ids;
      assert.equal((await bed.row(id)).user_online, null, "who is on nobody knows");
      world.heal();
      await until("online again", async () => (await bed.statuses()).online === 6);
      assert.deepEqual([...(await offlineEvents())], []);
      if (many === 1) {
        await pause(2 * S);
        assert.deepEqual([...(await gaps())], [], "one may lie, so it takes no outage out of the history");
        return;
      }
      const unseen = await until("written down", async () => {
        const found = await gaps();
        return found.length === 2 && found;
      });
      assert.deepEqual(
        unseen.map(({ server_id }) => server_id),
        world.ids,
      );
      for (const { seconds } of unseen) assert.ok(seconds > 6 && seconds < 40, String(seconds));
    });
  }

  for (const [name, speak] of [
    ["that say that all is down", (ids: number[]) => keepSaying(false, ids)],
    ["that have not spoken for a minute", (ids: number[]) => void say(true, ids, 61)],
    ["that spoke before it failed", (ids: number[]) => void say(true, ids, 8)],
    ["of the time to come", (ids: number[]) => void say(true, ids, -60)],
  ] as const) {
    test(`two ${name}: as without outposts`, async () => {
      const outposts = await addOutposts(2);
      const world = await cutHalf();
      world.cut();
      speak(outposts);
      await until("offline", async () => (await bed.statuses()).offline === 2);
      world.heal();
      await until("online again", async () => (await bed.statuses()).online === 6);
      assert.deepEqual([...(await gaps())], []);
    });
  }

  test("two that are revoked hold nothing any more", async () => {
    const outposts = await addOutposts(2);
    const world = await cutHalf();
    keepSaying(true, outposts);
    world.cut();
    await until("in doubt", async () => (await bed.statuses()).degraded === 2);
    await pause(6 * S);
    assert.equal((await bed.statuses()).offline, undefined);
    await bed.sql`delete from outposts`;
    await until("offline", async () => (await bed.statuses()).offline === 2);
  });

  test("a result of another address says nothing", async () => {
    const [first = 0] = await addOutposts(1);
    const id = await bed.addServer({ host: "10.0.0.1", game_port: 2456 });
    const opinions = createSecondOpinion(bed.sql, Date.now);
    await say(true, [first]);
    assert.equal((await opinions.of(id, 0, Date.now())).held, true);
    await bed.sql`update gameserver set game_port = 2457 where server_id = ${id}`;
    assert.equal((await opinions.of(id, 0, Date.now())).held, false);
  });

  test("a result that comes in while it is asked for counts", async () => {
    const outposts = await addOutposts(2);
    const id = await bed.addServer({ host: "10.0.0.1", game_port: 2456 });
    const opinions = createSecondOpinion(bed.sql, Date.now);
    const opinion = await bed.sql.begin(async (tx) => {
      await tx`lock table outpost_results in access exclusive mode`;
      const asking = opinions.of(id, 0, Date.now());
      // What keeps it waiting here is a moment without a processor elsewhere.
      await until("asking", async () => {
        const [waiting] =
          await bed.sql`select from pg_locks where relation = 'outpost_results'::regclass and not granted`;
        return waiting;
      });
      await tx`insert into outpost_results (outpost_id, server_id, target_key, ok, asked_at)
        select outpost_id, ${id}::int, gameserver_target_key(g), true, clock_timestamp()
        from unnest(${outposts}::int[]) outpost_id, gameserver g`;
      return { asking };
    });
    assert.deepEqual(await opinion.asking, { held: true, agreed: true, outposts: 2 });
  });

  test("one that always lies delays a verdict by two minutes at most, two as long as they say so", async () => {
    const offlineAfterS = async (outposts: number[]) => {
      let now = T;
      // As Postgres would answer it of outposts that always say "up".
      const sql = (async () =>
        outposts.map((outpost_id) => ({ server_id: 1, outpost_id, asked_ms: now }))) as unknown as Sql;
      const settler = createSettler({
        siteIntervalMs: 30 * S,
        databaseNow: () => now,
        steady: () => now,
        evidence: { hear: () => {}, heardAt: () => now, weigh: async () => "theirs" },
        opinions: createSecondOpinion(sql, () => now),
        log: pino({ level: "silent" }),
        onDelayed: () => {},
      });
      const state = {
        ...{
          status: "online" as const,
          statusSince: T - 600 * S,
          userOnline: 1,
          botsOnline: null,
          userMaxMeasured: null,
        },
        ...{ version: null, map: null, passwordProtected: null, lastAskedAt: T - 30 * S, lastAnsweredAt: T - 30 * S },
        ...{ latencyMs: null, failure: null, failuresInRow: 0 },
      } satisfies Claimed["state"] as Claimed["state"];
      const always = {
        serverId: 1,
        serverName: "",
        adapter: "a2s",
        options: {},
        secrets: {},
        host: "play.example.org",
      } as const;
      let server: Claimed = {
        ...always,
        ...{ gamePort: 1, queryPort: null, intervalMs: 30 * S, plannedAt: T, claimedUntil: Number.POSITIVE_INFINITY },
        ...{ waited: false, heartbeat: null, state },
      };
      const outcome = { ok: false, latencyMs: null, failure: "no_reply" } as const;
      while (now < T + 1_200 * S) {
        const judged = settler.settle(server, { outcome, place: "p", began: now });
        const result = settler.needsConfirming(judged) ? await settler.confirm(server, judged) : judged;
        if (result.state.status === "offline") return (now - T) / S;
        server = { ...server, state: result.state, plannedAt: result.nextPollAt };
        now = result.nextPollAt;
      }
      return Number.POSITIVE_INFINITY;
    };
    const [none, one, two] = await Promise.all([[], [1], [1, 2]].map(offlineAfterS));
    assert.ok(none !== undefined && none <= 65, String(none));
    assert.ok(one !== undefined && one > none + 100 && one <= none + 125, `${none} and ${one}`);
    assert.equal(two, Number.POSITIVE_INFINITY);
  });
});
