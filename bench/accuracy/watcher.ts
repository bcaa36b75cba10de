/**
 * The collector in simulated time. What settles, judges, plans, weighs the evidence and follows the database's clock is the
 * real thing; claiming and writing, which are statements of SQL, and the watch for stalls are played here by their rules.
 */
import pino from "pino";
import type { Claimed } from "#collector/claim.ts";
import { createCommonEvidence, type Seen } from "#collector/common-evidence.ts";
import { type judge, NEVER_ASKED } from "#collector/judge.ts";
import { claimForMs } from "#collector/schedule.ts";
import { type SecondOpinion, weighOpinions } from "#collector/second-opinion.ts";
import { BLIND_MS, createSettler, leaveUntil, type Settler } from "#collector/settle.ts";
import type { Result } from "#collector/write-results.ts";
import { createDatabaseClock } from "#db/database-clock.ts";
import type { StatusChange } from "#domain/game-servers/downtime.ts";
import { SOON_S } from "#shared/asked-every.ts";
import type { MeasuredStatus } from "#shared/statuses.ts";
import { createAgenda } from "./agenda.ts";
import { createDice } from "./dice.ts";
import { openLine, type Reply } from "./line.ts";
import type { Said } from "./score.ts";
import { type GameServer, type Span, spanAt, type World } from "./world.ts";

/** A change of a status, and the event that was written of it, by the database's clock. */
export type Change = Said & { event: StatusChange };

/** `waited`: when somebody waited for which game server. */
export type Watched = { changes: Change[]; questions: number; waited: Map<number, Span[]> };

/** What the database's clock says when the world begins. */
export const EPOCH = 1_800_000_000_000;
/** Between two looks for due game servers and two repairs of plans, what a stall is at least, and how often a question is asked again over one. */
const LOOK_MS = 75;
const REPAIR_MS = 5_000;
const STALL_MS = 1_000;
const MOST_ATTEMPTS = 3;
/** How often outposts ask what is in doubt, and how long their results are on their way. */
const DOUBTED_EVERY_MS = 5_000;
const ON_THE_WAY_MS = 2_000;
/** Of the page of a game server: how soon somebody opens it, how often it says so (and is believed), how long a word holds. */
const COMES_WITHIN_MS = 60_000;
const SAID_AGAIN_MS = 10_000;
const WORD_MS = 20_000;

type Row = {
  server: GameServer;
  claim: Claimed;
  nextPollAt: number;
  claimedUntil: number | null;
  waitedUntil: number;
  /** When the first of the failures in a row was asked. */
  failingSince: number;
  /** The turn that counts: an older entry of the agenda is void. */
  turn: number;
};
type Event =
  | { kind: "due"; row: Row; turn: number }
  | { kind: "answer"; row: Row; turn: number; began: number; attempt: number; reply: Reply }
  | { kind: "jump"; byMs: number }
  | { kind: "look" | "repair" }
  | { kind: "restart" }
  | { kind: "comes" | "says"; row: Row };

/** Watches a world to its end. `rules.judge` takes the place of the real one, so that a test can plant a fault. */
export async function watch(world: World, rules: { judge?: typeof judge } = {}): Promise<Watched> {
  const dice = createDice(world.seed + 2);
  const ask = openLine(world);
  const agenda = createAgenda<Event>();
  const changes: Change[] = [];
  const waited = new Map<number, Span[]>();
  let questions = 0;
  let t = 0;
  let jumped = 0;
  let stallEnded = Number.NEGATIVE_INFINITY;
  const database = () => EPOCH + t + jumped;
  const steady = () => t;
  const clock = createDatabaseClock(steady);
  const rows: Row[] = world.servers.map((server) => {
    const nextPollAt = EPOCH + dice.between(0, server.intervalMs);
    const claim = claimOf(server, nextPollAt);
    return { server, claim, nextPollAt, claimedUntil: null, waitedUntil: 0, failingSince: 0, turn: 0 };
  });
  const elsewhere = Array.from({ length: world.outposts }, (_, i) =>
    openLine({ ...world, cuts: [] }, world.seed + 100 + i),
  );

  /** What the newest results of outposts come to, by the real rule; they ask what is in doubt at turns of their own. */
  const opinions: SecondOpinion = {
    async of(serverId, failingSince, confirmAt) {
      const reached = elsewhere.flatMap((askFromThere, outpost_id) => {
        const server = world.servers[serverId];
        const askedAt = Math.floor((t - ON_THE_WAY_MS) / DOUBTED_EVERY_MS) * DOUBTED_EVERY_MS;
        const isUp = server !== undefined && askFromThere(server, askedAt).outcome.ok;
        return isUp ? [{ outpost_id, asked_ms: EPOCH + jumped + askedAt }] : [];
      });
      return weighOpinions(reached, { failingSince, confirmAt, now: clock.now() });
    },
    async recordUnseen() {},
  };
  let settler = startSettler();

  function startSettler(): Settler {
    const { siteIntervalMs } = world;
    const evidence = createCommonEvidence({
      siteIntervalMs,
      databaseNow: clock.now,
      read: async () => readSeen(rows, database(), siteIntervalMs),
      askSoon: async (ids) => {
        for (const id of ids) bringForward(rows[id], database(), 0);
      },
      random: dice.roll,
    });
    const log = pino({ level: "silent" });
    const own = { siteIntervalMs, databaseNow: clock.now, evidence, opinions, log, onDelayed() {}, steady };
    return createSettler({ ...own, ...rules });
  }

  function planTurn(row: Row): void {
    const at = Math.max(row.nextPollAt - EPOCH - jumped, t) + dice.between(0, LOOK_MS);
    agenda.note(at, { kind: "due", row, turn: ++row.turn });
  }

  function bringForward(row: Row | undefined, to: number, unlessWithinMs: number): void {
    if (!row || row.claimedUntil !== null || row.nextPollAt <= database() + unlessWithinMs) return;
    row.nextPollAt = Math.min(row.nextPollAt, to);
    planTurn(row);
  }

  /** What each look does first: it reads the database's time. */
  function look(): void {
    if (clock.set(database(), t - 2, t) === 0) return;
    settler.blindUntilNow();
    repairPlans();
  }

  /** As jobs/plan-repair.ts does it: turns and claims that lie too far ahead are void. */
  function repairPlans(): void {
    for (const row of rows) {
      const { intervalMs } = row.server;
      const isFar = row.nextPollAt > database() + Math.max(2 * intervalMs, 60_000);
      if (!isFar && (row.claimedUntil ?? 0) <= database() + Math.max(3 * intervalMs, 30_000)) continue;
      row.claimedUntil = null;
      row.nextPollAt = database();
      planTurn(row);
    }
  }

  function question(row: Row, attempt: number): void {
    const reply = ask(row.server, t);
    questions++;
    agenda.note(t + reply.tookMs, { kind: "answer", row, turn: row.turn, began: t, attempt, reply });
  }

  function claim(row: Row): void {
    look();
    if (row.claimedUntil !== null) return;
    if (row.nextPollAt > database()) {
      planTurn(row);
      return;
    }
    row.claimedUntil = database() + claimForMs(row.server.intervalMs);
    const isWaited = row.waitedUntil > database();
    row.claim = { ...row.claim, plannedAt: row.nextPollAt, claimedUntil: row.claimedUntil, waited: isWaited };
    question(row, 1);
  }

  async function answer({ row, began, attempt, reply }: Event & { kind: "answer" }): Promise<void> {
    const disturbed = stallEnded >= began;
    if (disturbed && attempt < MOST_ATTEMPTS) {
      question(row, attempt + 1);
      return;
    }
    const judged = disturbed ? leaveUntil(row.claim, clock.now()) : settler.settle(row.claim, { ...reply, began });
    const result = settler.needsConfirming(judged) ? await settler.confirm(row.claim, judged) : judged;
    const lapsed = (row.claimedUntil ?? 0) <= database();
    row.claimedUntil = null;
    if (!lapsed) {
      const failures = result.state.failuresInRow;
      if (failures === 1 || row.claim.state.failuresInRow === 0) row.failingSince = began;
      if (result.changedFrom !== null) {
        const event = eventOf(result, result.changedFrom);
        const { from, to } = event;
        const { failingSince } = row;
        changes.push({ serverId: row.server.id, from, to, at: t, askedAt: began, failingSince, event });
        if (to === "offline" && lookedFor(row.server, t)) {
          agenda.note(t + dice.between(0, COMES_WITHIN_MS), { kind: "comes", row });
        }
      }
      row.claim = { ...row.claim, state: result.state };
      row.nextPollAt = result.nextPollAt;
    }
    planTurn(row);
  }

  /** The page is open until it shows that the game server is back. */
  function says(row: Row, comes: boolean): void {
    if (row.claim.state.status !== "offline" && row.claim.state.status !== "degraded") return;
    const spans = waited.get(row.server.id) ?? [];
    waited.set(row.server.id, spans);
    const last = spans.at(-1);
    if (comes || !last) spans.push([t, t + WORD_MS]);
    else spans[spans.length - 1] = [last[0], t + WORD_MS];
    row.waitedUntil = database() + WORD_MS;
    const soon = Math.max(database(), (row.claim.state.lastAskedAt ?? 0) + SOON_S * 1_000);
    bringForward(row, soon, (SOON_S + 1) * 1_000);
    agenda.note(t + SAID_AGAIN_MS, { kind: "says", row });
  }

  for (const row of rows) planTurn(row);
  for (const { at, byMs } of world.jumps) agenda.note(at, { kind: "jump", byMs });
  agenda.note(REPAIR_MS, { kind: "repair" });
  for (const at of world.restarts) agenda.note(at, { kind: "restart" });
  settler.blindUntilNow();

  for (let next = agenda.take(); next && next.at <= world.forMs; next = agenda.take()) {
    // What would happen during a stall happens after it; a browser and a database go on.
    const stall = next.what.kind === "jump" ? null : spanAt(world.stalls, next.at);
    if (stall && next.at < stall[1]) {
      agenda.note(stall[1], next.what);
      continue;
    }
    t = next.at;
    const over = world.stalls.find(([, to]) => to <= t && to > stallEnded && t - to < STALL_MS);
    if (over && over[1] - over[0] >= STALL_MS) {
      stallEnded = over[1];
      if (over[1] - over[0] > BLIND_MS) settler.blindUntilNow();
    }
    if (settler.delayedForMs() !== null) await settler.lookAgain();
    const event = next.what;
    switch (event.kind) {
      case "due":
        if (event.turn === event.row.turn) claim(event.row);
        break;
      case "answer":
        if (event.turn === event.row.turn) await answer(event);
        break;
      case "jump":
        jumped += event.byMs;
        // What was due by the old clock is due at another moment now.
        for (const row of rows) if (row.claimedUntil === null) planTurn(row);
        agenda.note(t + LOOK_MS, { kind: "look" });
        break;
      case "repair":
        repairPlans();
        agenda.note(t + REPAIR_MS, { kind: "repair" });
        break;
      case "look":
        look();
        break;
      case "restart":
        settler = startSettler();
        settler.blindUntilNow();
        for (const row of rows) {
          row.claimedUntil = null;
          planTurn(row);
        }
        break;
      default:
        says(event.row, event.kind === "comes");
    }
  }
  return { changes, questions, waited };
}

const lookedFor = (server: GameServer, at: number): boolean =>
  server.outages.some(({ span: [from, to], somebodyWaits }) => somebodyWaits && from <= at && at < to);

/** As collector/write-results.ts writes it. */
function eventOf({ state, failures }: Result, from: MeasuredStatus): StatusChange {
  return {
    from,
    to: state.status,
    at: state.lastAskedAt ?? 0,
    lastAnsweredAt: state.lastAnsweredAt,
    firstFailedAt: failures?.firstAt ?? null,
    lastFailedAt: failures?.lastAt ?? null,
    failures: failures?.count ?? null,
    failure: state.failure,
  };
}

/** As collector/seen.ts reads it. */
function readSeen(rows: Row[], now: number, siteIntervalMs: number): Seen[] {
  return rows.flatMap(({ server, claim: { state } }): Seen[] => {
    const { status, statusSince, lastAnsweredAt } = state;
    if (status === "unknown" || lastAnsweredAt === null || statusSince === null) return [];
    if (status === "offline" && statusSince <= now - 2 * siteIntervalMs - 10_000) return [];
    return [
      { serverId: server.id, host: server.host, status, statusSince, lastAnsweredAt, intervalMs: server.intervalMs },
    ];
  });
}

/** A game server that was never asked. */
function claimOf(server: GameServer, plannedAt: number): Claimed {
  return {
    serverId: server.id,
    serverName: "",
    adapter: "a2s",
    options: {},
    secrets: {},
    host: server.host,
    gamePort: 27_015 + server.id,
    queryPort: null,
    intervalMs: server.intervalMs,
    plannedAt,
    claimedUntil: 0,
    waited: false,
    heartbeat: null,
    state: NEVER_ASKED,
  };
}
