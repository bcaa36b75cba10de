/** Our own network goes silent, in virtual time: what settles, judges and plans is the real thing, the rows are objects. */

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { answerWithoutFigures } from "#outside/game-query/answer.ts";
import type { Claimed } from "./claim.ts";
import { createCommonEvidence, type Seen } from "./common-evidence.ts";
import { NEVER_ASKED } from "./judge.ts";
import { createSettler } from "./settle.ts";

const S = 1_000;
const START = 1_800_000_000 * S;

type World = {
  siteIntervalS: number;
  /** The interval of each game server, in seconds. */
  servers: number[];
  collectors: number;
  /** Whether `server` answers `collector`, `s` seconds after the world settled. */
  answers: (server: number, collector: number, s: number) => boolean;
  forS: number;
  seed?: number;
  hostOf?: (server: number) => string;
};

/** Numbers from 0 up to 1, the same for the same seed. */
function dice(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const answer = { ...answerWithoutFigures, players: 3, maxPlayers: 10 };

/** Lets the world go on for `forS` after everybody was asked twice. Who was called offline, when, and how long after its last answer. */
async function live(world: World) {
  const roll = dice(world.seed ?? 1);
  let now = START;
  const settled = START + 2.2 * S * Math.max(...world.servers, world.siteIntervalS);
  const rows = world.servers.map((intervalS, id) => ({
    server: {
      serverId: id,
      serverName: "",
      adapter: "a2s",
      options: {},
      secrets: {},
      host: world.hostOf?.(id) ?? `10.0.0.${id}`,
      gamePort: 1,
      queryPort: null,
      intervalMs: intervalS * S,
      plannedAt: START + roll() * S,
      claimedUntil: Number.POSITIVE_INFINITY,
      waited: false,
      heartbeat: null,
      state: NEVER_ASKED,
    } satisfies Claimed as Claimed,
    /** The answer to come, of a question that is open. */
    open: null as { until: number; collector: number; ok: boolean } | null,
  }));
  const read = async () =>
    rows.flatMap(({ server: { serverId, host, intervalMs, state } }): Seen[] => {
      const { status, statusSince, lastAnsweredAt } = state;
      if (status === "unknown" || lastAnsweredAt === null) return [];
      return [{ serverId, host: host ?? "", status, statusSince: statusSince ?? 0, lastAnsweredAt, intervalMs }];
    });
  const askSoon = async (ids: number[]) => {
    for (const id of ids) {
      const row = rows[id];
      if (row && !row.open) row.server = { ...row.server, plannedAt: Math.min(row.server.plannedAt, now) };
    }
  };
  const log = pino({ level: "silent" });
  const collectors = Array.from({ length: world.collectors }, () => {
    const siteIntervalMs = world.siteIntervalS * S;
    const evidence = createCommonEvidence({ siteIntervalMs, databaseNow: () => now, read, askSoon, random: roll });
    return createSettler({
      siteIntervalMs,
      databaseNow: () => now,
      steady: () => now,
      evidence,
      log,
      onDelayed: () => {},
    });
  });
  const offline: { id: number; s: number; afterLastAnswerS: number }[] = [];
  let questions = 0;
  for (;;) {
    const due = (row: (typeof rows)[number]) => row.open?.until ?? row.server.plannedAt;
    const row = rows.reduce((first, one) => (due(one) < due(first) ? one : first));
    now = Math.max(now, due(row));
    if (now > settled + world.forS * S) break;
    for (const collector of collectors) if (collector.delayedForMs() !== null) await collector.lookAgain();
    if (row.open === null) {
      const collector = Math.floor(roll() * world.collectors);
      const ok = now < settled || world.answers(row.server.serverId, collector, (now - settled) / S);
      row.open = { until: now + (ok ? 30 : 2_000), collector, ok };
      questions++;
      continue;
    }
    const settler = collectors[row.open.collector];
    assert.ok(settler);
    const outcome = row.open.ok
      ? ({ ok: true, latencyMs: 30, answer } as const)
      : ({ ok: false, latencyMs: 2_000, failure: "no_reply" } as const);
    row.open = null;
    const judged = settler.settle(row.server, { outcome, place: row.server.host, began: now });
    const result = settler.needsConfirming(judged) ? await settler.confirm(row.server, judged) : judged;
    if (result.changedFrom !== null && result.state.status === "offline") {
      const afterLastAnswerS = (now - (row.server.state.lastAnsweredAt ?? 0)) / S;
      offline.push({ id: row.server.serverId, s: (now - settled) / S, afterLastAnswerS });
    }
    row.server = { ...row.server, state: result.state, plannedAt: result.nextPollAt };
  }
  return { offline, questions, statuses: rows.map(({ server }) => server.state.status), rows, collectors };
}

const times = (n: number, intervalS: number) => Array.from({ length: n }, () => intervalS);
const silent = () => false;

const networks: { name: string; siteIntervalS: number; servers: number[] }[] = [
  ...[30, 60, 120, 300, 3600].flatMap((siteIntervalS) =>
    [5, 10, 20, 50].map((n) => ({
      name: `${n} at ${siteIntervalS} s`,
      siteIntervalS,
      servers: times(n, siteIntervalS),
    })),
  ),
  { name: "9 at 30 s and 20 at 300 s", siteIntervalS: 30, servers: [...times(9, 30), ...times(20, 300)] },
  { name: "6 at 10 s and 40 at 3600 s", siteIntervalS: 30, servers: [...times(6, 10), ...times(40, 3600)] },
  { name: "20 at 3600 s, the site at 30 s", siteIntervalS: 30, servers: times(20, 3600) },
  { name: "20 at 30 s, the site at 300 s", siteIntervalS: 300, servers: times(20, 30) },
  { name: "some of each", siteIntervalS: 60, servers: [5, 10, 30, 30, 60, 60, 120, 300, 300, 600, 3600, 3600] },
];

test("our own network silent: nobody is called offline, whatever the intervals and however many collectors", async () => {
  const called: string[] = [];
  for (const { name, siteIntervalS, servers } of networks) {
    for (const collectors of [1, 2, 4, 6]) {
      const forS = 300 + 1.5 * Math.max(...servers);
      const { offline } = await live({ siteIntervalS, servers, collectors, answers: silent, forS });
      if (offline.length > 0) called.push(`${name}, ${collectors} collectors: ${offline.length}`);
    }
  }
  assert.deepEqual(called, []);
});

test("a game server that goes down is called so as soon as three failures and a minute allow", async (t) => {
  for (const [intervalS, n, down, longestS] of [
    [30, 20, 1, 75],
    [30, 20, 5, 75],
    [60, 20, 1, 95],
    [300, 20, 1, 350],
    [300, 20, 5, 350],
    [300, 6, 2, 350],
    [3600, 20, 1, 3800],
    [30, 4, 4, 75],
  ] as const) {
    for (const collectors of [1, 2, 6]) {
      const answers = (server: number) => server >= down;
      const world = {
        siteIntervalS: intervalS,
        servers: times(n, intervalS),
        collectors,
        answers,
        forS: 2 * intervalS,
      };
      const { offline } = await live(world);
      const after = offline.map(({ afterLastAnswerS }) => Math.round(afterLastAnswerS));
      const what = `${down} of ${n} at ${intervalS} s, ${collectors} collectors: ${after} s after the last answer`;
      t.diagnostic(what);
      assert.equal(offline.filter(({ id }) => id < down).length, down, what);
      assert.equal(offline.length, down, what);
      assert.ok(Math.max(...after) <= longestS, what);
    }
  }
});

test("one machine that dies with most game servers is theirs, as long as another answers", async () => {
  for (const collectors of [1, 2, 4]) {
    const { offline } = await live({
      siteIntervalS: 30,
      servers: times(20, 30),
      collectors,
      hostOf: (server) => (server < 14 ? "10.0.0.1" : `10.0.1.${server}`),
      answers: (server) => server >= 14,
      forS: 150,
    });
    assert.equal(offline.length, 14, `${collectors} collectors`);
  }
});

test("a collector without a way out calls nobody offline while another one hears everybody", async () => {
  for (const [intervalS, n] of [
    [30, 6],
    [30, 20],
    [30, 100],
    [300, 20],
  ] as const) {
    for (const collectors of [2, 3]) {
      const answers = (_: number, collector: number) => collector > 0;
      const world = { siteIntervalS: intervalS, servers: times(n, intervalS), collectors, answers };
      const { offline } = await live({ ...world, forS: 20 * intervalS });
      assert.deepEqual(offline, [], `${n} at ${intervalS} s, ${collectors} collectors`);
    }
  }
});

test("after the silence everybody is judged again: who stays down is called so, the rest are online", async () => {
  for (const [n, collectors] of [
    [8, 1],
    [8, 4],
    [30, 1],
    [30, 4],
  ] as const) {
    const world = { siteIntervalS: 30, servers: times(n, 30), collectors, forS: 1200 };
    const {
      offline,
      statuses,
      collectors: all,
    } = await live({ ...world, answers: (server, _, s) => s > 400 && server > 1 });
    assert.deepEqual(offline.map(({ id }) => id).sort(), [0, 1], `${n}, ${collectors} collectors`);
    assert.ok(
      offline.every(({ s }) => s > 400),
      "not before the others answered",
    );
    assert.equal(statuses.filter((status) => status === "online").length, n - 2);
    assert.ok(all.every((collector) => collector.delayedForMs() === null));
  }
});
