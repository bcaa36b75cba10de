import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, describe, test } from "node:test";
import { createQueryable } from "#db/sql.ts";
import { repairPlans } from "#jobs/plan-repair.ts";
import { removePulse, writePulse } from "#jobs/pulse.ts";
import { createBed, pretendA2s } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";
import { claimDue, releaseClaims } from "./claim.ts";

describe("claiming due game servers", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  before(async () => {
    bed = await createBed();
  });
  afterEach(() => bed.clear());
  after(() => bed.end());

  test("who asks is told when the next one falls due, and that one was left out", async () => {
    const next = async (limit: number) => (await claimDue(bed.sql, randomUUID(), 30, limit, [], [], true)).nextDueMs;
    assert.equal(await next(10), null, "there is none");
    for (let i = 0; i < 3; i++) await bed.addServer({ game_port: 2000 + i });
    assert.equal(await next(2), 0, "one was left out");
    await next(10);
    await bed.sql`update gameserver_live_metrics set claimed_by = null, claimed_until = null, next_poll_at = now() + interval '20 seconds'`;
    await bed.sql`
      update gameserver_live_metrics set next_poll_at = now() + interval '9 seconds', claimed_until = now() + interval '12 seconds'
      where server_id = (select min(server_id) from gameserver)`;
    const ms = (await next(10)) ?? 0;
    assert.ok(ms > 10_000 && ms <= 12_000, `the claim of another lapses before the next turn: ${ms} ms`);
    assert.equal((await claimDue(bed.sql, randomUUID(), 30, 10, [])).nextDueMs, null, "nobody asked");
  });

  test("two at once never get the same one, and nobody gets a retired one, one without address, one not due", async () => {
    for (let i = 0; i < 60; i++) await bed.addServer({ game_port: 2000 + i });
    await bed.addServer({ lifecycle: "retired", game_port: 1 });
    await bed.addServer({ host: null });
    const later = await bed.addServer({ game_port: 1 });
    await bed.sql`UPDATE gameserver_live_metrics SET next_poll_at = now() + interval '1 second' WHERE server_id = ${later}`;
    const rounds = await Promise.all(Array.from({ length: 6 }, () => claimDue(bed.sql, randomUUID(), 30, 20, [])));
    const ids = rounds.flatMap(({ claimed }) => claimed.map((server) => server.serverId));
    assert.equal(new Set(ids).size, ids.length);
    const rest = await claimDue(bed.sql, randomUUID(), 30, 100, []);
    assert.equal(ids.length + rest.claimed.length, 60);
    assert.ok(Math.abs(rest.databaseNow - Date.now()) < 5_000);
    assert.equal((await claimDue(bed.sql, randomUUID(), 30, 100, [])).claimed.length, 0);
  });

  test("rows that another collector is taking at this very moment are passed over, without waiting for it", async () => {
    for (let i = 0; i < 6; i++) await bed.addServer({ game_port: 2456 });
    const connection = await bed.connect();
    const other = createQueryable(connection.query);
    await other`BEGIN`;
    const theirs = (await claimDue(other, randomUUID(), 30, 4, [])).claimed;
    const ours = await Promise.race([claimDue(bed.sql, randomUUID(), 30, 100, []), pause(2_000)]);
    await other`COMMIT`;
    connection.release();
    assert.equal(theirs.length, 4);
    assert.equal(ours?.claimed.length, 2);
  });

  test("a host with enough waiting is left out", async () => {
    await bed.addServer({ host: "a.example.org", game_port: 1 });
    const other = await bed.addServer({ host: "b.example.org", game_port: 1 });
    const { claimed } = await claimDue(bed.sql, randomUUID(), 30, 100, ["a.example.org"]);
    assert.deepEqual(
      claimed.map((server) => server.serverId),
      [other],
    );
  });

  test("a claim holds two intervals, then the server is anybody's; its own interval wins over the site's", async () => {
    const slow = await bed.addServer({ game_port: 1 });
    const quick = await bed.addServer({ game_port: 1, poll_interval_s: 5 });
    const { claimed, databaseNow } = await claimDue(bed.sql, randomUUID(), 30, 100, []);
    const spans = Object.fromEntries(claimed.map((server) => [server.serverId, server.claimedUntil - databaseNow]));
    assert.ok(Math.abs((spans[slow] ?? 0) - 60_000) < 5 && Math.abs((spans[quick] ?? 0) - 10_000) < 5);
    await bed.sql`UPDATE gameserver_live_metrics SET claimed_until = now() - interval '1 ms' WHERE server_id = ${slow}`;
    assert.deepEqual(
      (await claimDue(bed.sql, randomUUID(), 30, 100, [])).claimed.map((one) => one.serverId),
      [slow],
    );
  });

  test("what a collector gives back is due at once, and only what is its own", async () => {
    for (let i = 0; i < 4; i++) await bed.addServer({ game_port: 1 });
    const [one, other] = [randomUUID(), randomUUID()];
    const mine = (await claimDue(bed.sql, one, 30, 3, [])).claimed;
    await claimDue(bed.sql, other, 30, 1, []);
    await releaseClaims(bed.sql, one, [mine[0]?.serverId ?? 0]);
    const again = await claimDue(bed.sql, randomUUID(), 30, 100, []);
    assert.deepEqual(
      again.claimed.map((server) => server.serverId).sort(),
      mine
        .slice(1)
        .map((s) => s.serverId)
        .sort(),
    );
  });

  test("a collector without a pulse loses its claims early, a living one and ourselves do not", async () => {
    const ids = [0, 1, 2].map(() => bed.addServer({ game_port: 1 }));
    await Promise.all(ids);
    const [dead, living, ours] = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of [dead, living]) await writePulse(bed.sql, id, { inFlight: 0, delayedForMs: null });
    await bed.sql`UPDATE collector_process SET last_tick_at = now() - interval '11 seconds' WHERE collector_id = ${dead}`;
    const [lost] = (await claimDue(bed.sql, dead, 30, 1, [])).claimed;
    await claimDue(bed.sql, living, 30, 1, []);
    await claimDue(bed.sql, ours, 30, 1, []);
    assert.equal(await repairPlans(bed.sql, ours, 30), 1);
    assert.equal((await bed.row(lost?.serverId ?? 0)).claimed_by, null);
    for (const id of [dead, living]) await removePulse(bed.sql, id);
  });

  test("a plan from a wrong clock is put right, an honest one is left alone", async () => {
    const [wild, honest, claimedWild] = [
      await bed.addServer({ game_port: 1 }),
      await bed.addServer({ game_port: 1 }),
      await bed.addServer({ game_port: 1 }),
    ];
    const us = randomUUID();
    await claimDue(bed.sql, us, 30, 100, []);
    await releaseClaims(bed.sql, us, [claimedWild]);
    await bed.sql`UPDATE gameserver_live_metrics SET next_poll_at = now() + interval '10 minutes' WHERE server_id = ${wild}`;
    await bed.sql`UPDATE gameserver_live_metrics SET next_poll_at = now() + interval '50 seconds' WHERE server_id = ${honest}`;
    await bed.sql`UPDATE gameserver_live_metrics SET claimed_until = now() + interval '1 day' WHERE server_id = ${claimedWild}`;
    assert.equal(await repairPlans(bed.sql, us, 30), 2);
    const due = (await claimDue(bed.sql, us, 30, 100, [])).claimed.map((server) => server.serverId);
    assert.deepEqual(due.sort(), [wild, claimedWild].sort());
  });

  test("two collectors ask each server once an interval, and share the work of one that is stopped", async () => {
    const games = await Promise.all(Array.from({ length: 20 }, (_, i) => pretendA2s(i + 1, 0, `127.0.1.${i + 1}`)));
    for (const [i, game] of games.entries()) await bed.addServer({ host: `127.0.1.${i + 1}`, game_port: game.port });
    const [one, other] = [await bed.start({ intervalS: 2 }), await bed.start({ intervalS: 2 })];
    await until("all online", async () => (await bed.statuses()).online === 20);
    await pause(2_000);
    for (const game of games) game.asked = 0;
    await pause(6_000);
    for (const game of games) assert.ok(game.asked >= 2 && game.asked <= 4, `asked ${game.asked} times in 3 intervals`);
    const total = games.reduce((sum, game) => sum + game.asked, 0);
    assert.ok(total >= 55 && total <= 65, `${total} questions in 3 intervals of 20`);
    await one.stop();
    for (const game of games) game.players = 50;
    await until("the other goes on alone", async () => {
      const rows = await bed.sql`SELECT FROM gameserver_live_metrics WHERE user_online = 50`;
      return rows.length === 20;
    });
    await other.stop();
    await Promise.all(games.map((game) => game.close()));
  });
});
