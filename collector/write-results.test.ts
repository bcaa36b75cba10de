import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, describe, test } from "node:test";
import { raw } from "#db/sql.ts";
import { exclusively } from "#jobs/exclusively.ts";
import { refreshRecentPeaks } from "#jobs/measurements/recent-peaks.ts";
import { keepSamplesInBounds, partitionName } from "#jobs/measurements/sample-partitions.ts";
import { createBed } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";
import { type Claimed, claimDue } from "./claim.ts";
import { createResultsQueue, type ResultsQueueOptions } from "./results-queue.ts";
import { type Result, writeResults } from "./write-results.ts";

describe("writing results", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  const us = randomUUID();
  before(async () => {
    bed = await createBed();
    await keepSamplesInBounds(bed.sql, true);
  });
  afterEach(async () => {
    await bed.clear();
    await bed.sql`DELETE FROM gameserver_sample`;
  });
  after(() => bed.end());

  /** Adds game servers and claims them; the claims come with the database's time. */
  async function claimNew(n: number): Promise<{ claimed: Claimed[]; now: number }> {
    for (let i = 0; i < n; i++) await bed.addServer({ game_port: 2456 });
    const { claimed, databaseNow } = await claimDue(bed.sql, us, 30, 1_000, []);
    return { claimed, now: databaseNow };
  }
  const online = (server: Claimed | undefined, now: number, players: number | null): Result => ({
    serverId: server?.serverId ?? 0,
    state: {
      ...(server as Claimed).state,
      status: "online",
      statusSince: now,
      userOnline: players,
      botsOnline: 2,
      passwordProtected: true,
      lastAskedAt: now,
      lastAnsweredAt: now,
      version: 'a "quoted" {version}, \\ and all',
    },
    changedFrom: "unknown",
    failures: { firstAt: null, lastAt: null, count: 0 },
    counted: players,
    judged: true,
    nextPollAt: now + 30_000,
  });
  const count = async (table: string) => (await bed.sql`SELECT FROM ${raw(table)}`).length;

  test("down, back and numbers that somebody waits for become events, once each", async () => {
    const { sql } = bed;
    const { claimed, now } = await claimNew(2);
    const [server, quiet] = claimed;
    const id = server?.serverId ?? 0;
    await sql`UPDATE gameserver SET user_max = 10 WHERE server_id = ${id}`;
    await sql`INSERT INTO notification_watches (server_id, kind, threshold, armed)
      VALUES (${id}, 'players_reached', 10, true), (${id}, 'players_reached', 3, true), (${id}, 'seat_free', 0, false)`;
    let at = now;
    const steps: [Result["state"]["status"], number | null][] = [];
    async function write(status: "online" | "offline" | "unknown", players: number | null): Promise<string[]> {
      await sql`UPDATE gameserver_live_metrics SET claimed_by = ${us}, claimed_until = now() + interval '1 minute'`;
      at += 1000;
      const before = steps.at(-1)?.[0] ?? "unknown";
      steps.push([status, players]);
      const result = online(server, at, players);
      await writeResults(sql, us, [
        { ...result, state: { ...result.state, status }, changedFrom: before === status ? null : before },
        { ...online(quiet, at, 5), changedFrom: null },
      ]);
      const rows = await sql<{ kind: string; threshold: string | null }[]>`
        DELETE FROM notification_events RETURNING kind, server_id, facts->>'threshold' AS threshold`;
      return rows.map(({ kind, threshold }) => (threshold ? `${kind} ${threshold}` : kind)).sort();
    }
    assert.deepEqual(await write("online", 2), [], "the first answer of all is no return");
    assert.deepEqual(await write("online", 10), ["players_reached 10", "players_reached 3"]);
    assert.deepEqual(await write("online", 10), []);
    assert.deepEqual(await write("online", 9), ["seat_free"], "one less is a seat");
    assert.deepEqual(await write("online", 10), ["players_reached 10"], "a tenth less was enough to wait anew");
    assert.deepEqual(await write("offline", null), ["server_down"]);
    assert.deepEqual(await write("offline", null), []);
    assert.deepEqual(await write("online", 3), ["seat_free", "server_up"]);
    // Down, then its name was lost: it is back all the same, but not where nobody had said that it is down.
    assert.deepEqual(await write("offline", null), ["server_down"]);
    assert.deepEqual(await write("unknown", null), []);
    assert.deepEqual(await write("online", 3), ["server_up"]);
    assert.deepEqual(await write("unknown", null), []);
    assert.deepEqual(await write("online", 3), []);
    assert.deepEqual(await write("online", null), [], "nobody knows how many are on");
    // Somebody works on it, which forgets what was measured: it is back if it was down before, and not by going down meanwhile.
    const work = async (lifecycle: "maintenance" | "active") => {
      await sql`UPDATE gameserver SET lifecycle = ${lifecycle} WHERE server_id = ${id}`;
      await sql`UPDATE gameserver_watch_gap SET starts_at = to_timestamp(${at + 500} / 1000.0) WHERE ends_at IS NULL`;
      await sql`UPDATE gameserver_watch_gap SET ends_at = to_timestamp(${at + 500} / 1000.0) WHERE ends_at < now()`;
      steps.push(["unknown", null]);
    };
    assert.deepEqual(await write("offline", null), ["server_down"]);
    await work("maintenance");
    assert.deepEqual(await write("online", null), ["server_up"]);
    await work("active");
    assert.deepEqual(await write("online", null), [], "that was told");
    await work("maintenance");
    assert.deepEqual(await write("offline", null), ["server_down"], "which nobody is told while somebody works there");
    await work("active");
    assert.deepEqual(await write("online", null), [], "it was up before");
    assert.deepEqual(await write("offline", null), ["server_down"]);
    await work("maintenance");
    assert.deepEqual(await write("offline", null), ["server_down"]);
    await work("active");
    assert.deepEqual(await write("online", null), ["server_up"], "still the outage of before");
    // Somebody changes a watch: the collector does not wait for it.
    await sql.begin(async (other) => {
      await other`SELECT FROM notification_watches FOR UPDATE`;
      assert.deepEqual(await write("online", 10), []);
    });
    assert.deepEqual(await write("online", 10), ["players_reached 10"]);
  });

  test("refusals: a claim that lapsed, was taken over, or was cleared by a new address takes no result", async () => {
    const { claimed, now } = await claimNew(4);
    const [lapsed, taken, moved, ours] = claimed;
    await bed.sql`UPDATE gameserver_live_metrics SET claimed_until = now() WHERE server_id = ${lapsed?.serverId ?? 0}`;
    await bed.sql`UPDATE gameserver_live_metrics SET claimed_by = ${randomUUID()} WHERE server_id = ${taken?.serverId ?? 0}`;
    await bed.sql`UPDATE gameserver SET host = '10.0.0.1' WHERE server_id = ${moved?.serverId ?? 0}`;
    const written = await writeResults(bed.sql, us, [
      ...claimed.map((server) => online(server, now, 5)),
      { ...online(ours, now, 5), serverId: 999_999 },
    ]);
    assert.deepEqual(written, [ours?.serverId]);
    for (const server of [lapsed, taken, moved]) {
      assert.equal((await bed.row(server?.serverId ?? 0)).status, "unknown");
    }
    assert.equal(await count("gameserver_sample"), 1);
    assert.equal(await count("gameserver_status_event"), 1);
    const row = await bed.row(ours?.serverId ?? 0);
    assert.equal(row.version_measured, 'a "quoted" {version}, \\ and all');
    assert.deepEqual([row.user_online, row.bots_online, row.password_protected], [5, 2, true]);
    await bed.sql`UPDATE gameserver SET host = '10.0.0.2' WHERE server_id = ${row.server_id}`;
    const anew = await bed.row(row.server_id);
    assert.deepEqual([anew.bots_online, anew.password_protected], [null, null], "another address, another game server");
  });

  test("the peak only rises, with its time; nothing learned is no sample", async () => {
    const { claimed, now } = await claimNew(1);
    const [server] = claimed;
    const id = server?.serverId ?? 0;
    let at = now;
    const steps: [number | null, number | null, number | null][] = [
      [null, null, null],
      [0, 0, 1],
      [5, 5, 2],
      [5, 5, 2],
      [3, 5, 2],
      [null, 5, 2],
      [9, 9, 6],
    ];
    for (const [players, peak, atStep] of steps) {
      await bed.sql`UPDATE gameserver_live_metrics SET claimed_by = ${us}, claimed_until = now() + interval '9 s'`;
      await writeResults(bed.sql, us, [online(server, at, players)]);
      const [row] = await bed.sql`
        SELECT user_peak, user_peak_24h, (extract(epoch from user_peak_at) * 1000)::float8 AS peak_at
        FROM gameserver_live_metrics WHERE server_id = ${id}`;
      assert.equal(row?.user_peak, peak);
      assert.equal(row?.user_peak_24h, peak);
      if (atStep === null) assert.equal(row?.peak_at, null);
      else assert.ok(Math.abs(row?.peak_at - (now + atStep * 1000)) < 1, `${players}: ${row?.peak_at - now}`);
      at += 1_000;
    }
    assert.equal(await count("gameserver_sample"), steps.length);
    await bed.sql`UPDATE gameserver_live_metrics SET claimed_by = ${us}, claimed_until = now() + interval '9 s'`;
    const kept = { ...online(server, at, null), changedFrom: null, judged: false };
    assert.deepEqual(await writeResults(bed.sql, us, [kept]), [id]);
    assert.equal(await count("gameserver_sample"), steps.length);
    const [first] = await bed.sql`
      SELECT (extract(epoch from first_asked_at) * 1000)::float8 AS at FROM gameserver_live_metrics WHERE server_id = ${id}`;
    assert.ok(Math.abs(first?.at - now) < 1, "watched since the first answer, and never moved");
  });

  test("one result that the database refuses costs no other", async () => {
    const { claimed, now } = await claimNew(7);
    const refused: number[] = [];
    const queue = createResultsQueue({ ...options(), onRefused: (result) => void refused.push(result.serverId) });
    const bad = claimed[3]?.serverId;
    for (const server of claimed) {
      queue.add(online(server, now, server.serverId === bad ? 100_001 : 4), performance.now());
    }
    await queue.flush();
    queue.stop();
    assert.deepEqual(refused, [bad]);
    assert.deepEqual(await bed.statuses(), { online: 6, unknown: 1 });
  });

  /** Collects how often, and how, each result was settled. */
  function settling(): [settled: string[], Partial<ResultsQueueOptions>] {
    const settled: string[] = [];
    return [
      settled,
      {
        onSettled: ({ serverId }, written) => void settled.push(`${serverId} ${written ? "written" : "dropped"}`),
        onRefused: ({ serverId }) => void settled.push(`${serverId} refused`),
        onAway: () => {},
        onBack: () => {},
      },
    ];
  }

  test("a disk that fills up between two halves of a batch: what was written before counts once, as written", async () => {
    const { claimed, now } = await claimNew(4);
    const [a, bad, c, d] = claimed.map(({ serverId }) => serverId);
    const [settled, counting] = settling();
    const queue = createResultsQueue({ ...options(), ...counting });
    for (const server of claimed)
      queue.add(online(server, now, server.serverId === bad ? 100_001 : 4), performance.now());
    // The whole batch, its first half and each of that are statements 1 to 4. A sequence counts on after a rollback.
    await bed.sql`CREATE SEQUENCE statements`;
    await bed.sql`CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('statements') = 5 THEN RAISE EXCEPTION USING ERRCODE = '53100'; END IF; RETURN NULL; END $$`;
    await bed.sql`CREATE TRIGGER fill_disk BEFORE UPDATE ON gameserver_live_metrics EXECUTE FUNCTION fill_disk()`;
    await queue.flush();
    await bed.sql`DROP FUNCTION fill_disk CASCADE`;
    await bed.sql`DROP SEQUENCE statements`;
    assert.deepEqual([settled, queue.size()], [[`${a} written`, `${bad} refused`], 2]);
    await queue.flush();
    queue.stop();
    assert.deepEqual(settled, [`${a} written`, `${bad} refused`, `${c} written`, `${d} written`]);
  });

  test("results whose answer was lost count as written; those whose claims had lapsed as dropped", async () => {
    const { claimed, now } = await claimNew(2);
    const [a, b] = claimed.map(({ serverId }) => serverId);
    const [settled, counting] = settling();
    let losing = true;
    const lossy = new Proxy(bed.sql, {
      apply: async (target, self, args) => {
        const rows = await Reflect.apply(target, self, args);
        if (losing) throw Object.assign(new Error("the connection was lost"), { code: "08006" });
        return rows;
      },
    });
    await bed.sql`UPDATE gameserver_live_metrics SET claimed_until = now() - interval '1 s' WHERE server_id = ${b ?? 0}`;
    const queue = createResultsQueue({ ...options(), ...counting, sql: lossy });
    for (const server of claimed) queue.add(online(server, now, 4), performance.now());
    await queue.flush();
    assert.deepEqual([settled, queue.size()], [[], 2]);
    losing = false;
    await queue.flush();
    queue.stop();
    assert.deepEqual(settled.sort(), [`${a} written`, `${b} dropped`].sort());
  });

  test("a result that waited longer than its interval gives the claim back and is not told as news", async () => {
    const { claimed, now } = await claimNew(2);
    const [old, fresh] = claimed;
    const queue = createResultsQueue({
      ...options(),
      asReleased: (result) => ({
        ...result,
        state: (old as Claimed).state,
        changedFrom: null,
        counted: null,
        judged: false,
      }),
    });
    queue.add(online(old, now, 4), performance.now() - 31_000);
    queue.add(online(fresh, now, 4), performance.now() - 29_000);
    await queue.flush();
    queue.stop();
    const row = await bed.row(old?.serverId ?? 0);
    assert.deepEqual([row.status, row.claimed_by, row.user_peak], ["unknown", null, null]);
    assert.equal((await bed.row(fresh?.serverId ?? 0)).status, "online");
    assert.equal(await count("gameserver_sample"), 1);
  });

  test("a day without a partition gets one, and the results of that moment are not lost", async () => {
    const { claimed, now } = await claimNew(1);
    const today = Math.floor(now / 86_400_000);
    for (let day = today; day < today + 3; day++) await bed.sql`DROP TABLE ${raw(partitionName(day))}`;
    const queue = createResultsQueue({ ...options(), makePartitions: () => keepSamplesInBounds(bed.sql, false) });
    for (const server of claimed) queue.add(online(server, now, 4), performance.now());
    await queue.flush();
    queue.stop();
    assert.equal(await count("gameserver_sample"), 1);
  });

  test("partitions: today and two days ahead, eight days old dropped, two callers at once, all repeatable", async () => {
    const [clock] = await bed.sql`SELECT (extract(epoch FROM now()) / 86400)::float8 AS day`;
    const today = Math.floor(clock?.day);
    for (const day of [today - 7, today - 8, today - 30]) {
      const iso = (d: number) => new Date(d * 86_400_000).toISOString();
      await bed.sql.unsafe(`CREATE TABLE ${partitionName(day)} PARTITION OF gameserver_sample
        FOR VALUES FROM ('${iso(day)}') TO ('${iso(day + 1)}')`);
    }
    await keepSamplesInBounds(bed.sql, false);
    const names = async () =>
      (
        await bed.sql`SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'gameserver_sample'::regclass`
      )
        .map((row) => row.name)
        .sort();
    assert.equal((await names()).length, 6, "nothing is dropped while the clock is not trusted");
    await Promise.all([1, 2, 3].map(() => keepSamplesInBounds(bed.sql, true)));
    assert.deepEqual(await names(), [today - 7, today, today + 1, today + 2].map(partitionName));
  });

  test("recent peaks fall when what made them is over", async () => {
    const { claimed, now } = await claimNew(2);
    const [server, quiet] = claimed;
    const id = server?.serverId ?? 0;
    await writeResults(bed.sql, us, [online(server, now, 4), online(quiet, now, null)]);
    await bed.sql`UPDATE gameserver_live_metrics SET user_peak = 90, user_peak_24h = 90, user_peak_7d = 90`;
    await refreshRecentPeaks(exclusively(bed.sql, "peaks-24h"), "24h");
    await refreshRecentPeaks(exclusively(bed.sql, "peaks-7d"), "7d");
    const peaks = await bed.sql`SELECT user_peak, user_peak_24h, user_peak_7d FROM gameserver_live_metrics
      ORDER BY server_id = ${id} DESC`;
    assert.deepEqual({ ...peaks[0] }, { user_peak: 90, user_peak_24h: 4, user_peak_7d: 4 });
    assert.deepEqual({ ...peaks[1] }, { user_peak: 90, user_peak_24h: null, user_peak_7d: null });
  });

  test("a change is told in the transaction that makes it, a repetition and a claim are not", async () => {
    const heard: string[] = [];
    const { unlisten } = await bed.listen("live_metrics", (payload) => void heard.push(payload));
    const { claimed, now } = await claimNew(3);
    await writeResults(
      bed.sql,
      us,
      claimed.map((server) => online(server, now, 4)),
    );
    await until("told", () => heard.length === 1);
    await bed.sql`UPDATE gameserver_live_metrics SET claimed_by = ${us}, claimed_until = now() + interval '9 s'`;
    await writeResults(
      bed.sql,
      us,
      claimed.map((server) => ({ ...online(server, now + 1, 4), changedFrom: null })),
    );
    await bed.sql`NOTIFY live_metrics, 'end'`;
    await until("end", () => heard.at(-1) === "end");
    assert.deepEqual(heard, [
      claimed
        .map((server) => server.serverId)
        .sort((a, b) => a - b)
        .join(","),
      "end",
    ]);
    await unlisten();
  });

  function options(): ResultsQueueOptions {
    return {
      sql: bed.sql,
      collectorId: us,
      keepMs: () => 30_000,
      asReleased: () => null,
      onSettled: () => {},
      onRefused: (_result, error) => assert.fail(String(error)),
      onAway: (error) => assert.fail(String(error)),
      onBack: () => {},
      makePartitions: async () => {},
    };
  }
});
