/** The watcher's loop: claim what is due, ask it, judge the answer, hand the result on to be written. */
import type { Logger } from "pino";
import type { Sql } from "postgres";
import { createDatabaseClock } from "#db/database-clock.ts";
import { type Asked, createAsker, type Outside } from "./ask.ts";
import { type Claimed, claimDue, releaseClaims, repairPlans } from "./claim.ts";
import { createCommonEvidence } from "./common-evidence.ts";
import { watchForStalls } from "./process-stall.ts";
import { createResultsQueue } from "./results-queue.ts";
import { keepSamplesInBounds } from "./sample-partitions.ts";
import { askSoon, findSeen } from "./seen.ts";
import { createSettler, leaveUntil, leaveUntilNextTurn } from "./settle.ts";
import { createSlots } from "./slots.ts";
import type { CollectorWatch } from "./watch.ts";

const IN_FLIGHT = 100;
/** Claimed ahead of a free slot, so that nobody who could be asked waits for a claim to come back. */
const AHEAD = 200;
const PER_ADDRESS = 2;
/** Between two looks for due servers: when nothing is due, and, unless room is made before, when more is. */
const IDLE_MS = 75;
const BUSY_MS = 20;
const LONGEST_PAUSE_MS = 2_000;
/** Blind while another collector sees: so few are asked, so often, to hear when that is over. */
const PROBES = 2;
const PROBE_EVERY_MS = 2_000;
const MOST_ATTEMPTS = 3;
/** A time in which we could not watch, longer than this, takes the weight from what failed before it. */
const BLIND_MS = 5_000;

export type LoopOptions = {
  sql: Sql;
  collectorId: string;
  siteIntervalS: number;
  outside: Outside;
  log: Logger;
  /** Has to succeed once before the first claim. */
  prepare: () => Promise<void>;
  /** Called when holding results back began or ended. */
  onDelayed: () => void;
  /** Does another living collector hold nothing back? */
  anotherSees: () => boolean;
  /** Told of what is measured for operators. */
  watch?: CollectorWatch | undefined;
};

/** Starts the loop; it runs until `stop`, through every absence of the database. */
export function startLoop(options: LoopOptions) {
  const { sql, collectorId, siteIntervalS, outside, log, onDelayed, anotherSees, watch } = options;
  const clock = createDatabaseClock();
  const slots = createSlots(IN_FLIGHT, PER_ADDRESS, () => askAhead());
  const asker = createAsker(outside, slots, clock.now);
  const siteIntervalMs = siteIntervalS * 1000;
  const evidence = createCommonEvidence({
    siteIntervalMs,
    databaseNow: clock.now,
    read: () => findSeen(sql, siteIntervalS),
    askSoon: (serverIds) => askSoon(sql, serverIds),
  });
  const settler = createSettler({ siteIntervalMs, databaseNow: clock.now, evidence, log, onDelayed, anotherSees });
  /** Claims that are not written yet. */
  const held = new Map<number, Claimed>();
  /** Those of them that wait for a slot, and those that wait or are being asked. */
  const ahead: Claimed[] = [];
  const asking = new Set<number>();
  let clockJumpedAt = performance.now();
  let probedAt = Number.NEGATIVE_INFINITY;
  let stopping = false;
  let moreIsDue = false;
  let wake: () => void = () => {};

  const stalls = watchForStalls((lengthMs) => {
    asker.forgetShared();
    log.warn({ stall_ms: Math.round(lengthMs) }, "this process stood still; what it was waiting for is asked again");
    if (lengthMs > BLIND_MS) settler.blindUntilNow();
  });

  const queue = createResultsQueue({
    sql,
    collectorId,
    keepMs: (result) => held.get(result.serverId)?.intervalMs ?? siteIntervalMs,
    asReleased: (result) => {
      const server = held.get(result.serverId);
      return server ? leaveUntil(server, clock.now()) : null;
    },
    onSettled: (result, written) => {
      const server = held.get(result.serverId);
      held.delete(result.serverId);
      watch?.settled(written ? "written" : "dropped");
      if (!written) log.debug({ server_id: result.serverId }, "result dropped: the claim had lapsed");
      else if (result.changedFrom !== null) {
        const { status: to, failure } = result.state;
        const change = { server_id: result.serverId, name: server?.serverName, from: result.changedFrom, to, failure };
        log.info(change, `game server is ${to}`);
      }
    },
    onRefused: (result, error) => {
      held.delete(result.serverId);
      watch?.settled("refused");
      log.error({ err: error, server_id: result.serverId }, "the database refuses this result");
    },
    onAway: (error) => log.warn({ err: error }, "results cannot be written; they wait"),
    onBack: (awayMs) => log.info({ away_ms: Math.round(awayMs) }, "results are written again"),
    makePartitions: () => keepSamplesInBounds(sql, false),
  });

  function askAhead(): void {
    while (!stopping && slots.room() > 0) {
      const server = ahead.shift();
      if (!server) return;
      // Its claim may have lapsed and been taken anew meanwhile.
      void poll(held.get(server.serverId) ?? server);
    }
  }

  async function poll(server: Claimed): Promise<void> {
    slots.take();
    try {
      const asked = await askUndisturbed(server);
      if (asked) watch?.asked(server.adapter, asked.outcome);
      // A claim that lapsed while the server waited for its address may have been taken anew since.
      const claim = held.get(server.serverId);
      if (!claim) return;
      const result = asked ? settler.settle(claim, asked) : leaveUntil(claim, clock.now());
      const gatheredAt = performance.now();
      const confirmed = settler.needsConfirming(result) ? await settler.confirm(claim, result) : result;
      // While it was confirmed, too.
      if (held.get(server.serverId) === claim) queue.add(confirmed, gatheredAt);
    } catch (error) {
      log.error({ err: error, server_id: server.serverId }, "asking a game server threw");
      queue.add(leaveUntilNextTurn(server, clock.now()), performance.now());
    } finally {
      slots.give();
      asking.delete(server.serverId);
      if (asking.size === 0) queue.writeSoon();
      askAhead();
      if (moreIsDue && ahead.length < AHEAD / 2) wake();
    }
  }

  /** Asks until no stall of ours lay in between; null when the claim runs out over it. */
  async function askUndisturbed(server: Claimed): Promise<Asked | null> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const asked = await asker.ask(server);
      if (asked === null || !stalls.stalledSince(asked.began)) return asked;
    }
    return null;
  }

  /** One look for due servers. Returns whether more may be due than there was room for. */
  async function claimAndAsk(): Promise<boolean> {
    let room = slots.room() + AHEAD - ahead.length;
    if (room <= 0 || slots.isFull()) return true;
    const began = performance.now();
    if (settler.isBlindAlone()) {
      // With a room of none the statement still tells the database's time.
      room = began - probedAt < PROBE_EVERY_MS ? 0 : PROBES;
    }
    const { databaseNow, claimed } = await claimDue(sql, collectorId, siteIntervalS, room, slots.busyHosts());
    // Those that see are mostly quicker: one that waited after a vain look would hear of its end by luck alone.
    if (claimed.length > 0) probedAt = began;
    const jump = clock.set(databaseNow, began, performance.now());
    for (const server of claimed) {
      watch?.claimed(Math.max(0, databaseNow - server.plannedAt));
      queue.drop(server.serverId);
      held.set(server.serverId, server);
      if (asking.has(server.serverId)) continue;
      asking.add(server.serverId);
      ahead.push(server);
    }
    askAhead();
    if (jump !== 0) {
      log.warn({ jump_ms: Math.round(jump) }, "the database's clock jumped; every turn is planned anew");
      clockJumpedAt = performance.now();
      settler.blindUntilNow();
      await keepSamplesInBounds(sql, false);
      await repairPlans(sql, collectorId, siteIntervalS);
    }
    return claimed.length === room && !settler.isBlindAlone();
  }

  async function run(): Promise<void> {
    // What was written down before this process began to watch is no evidence either.
    let lastSuccess = Number.NEGATIVE_INFINITY;
    let failures = 0;
    let prepared = false;
    while (!stopping) {
      let pause = IDLE_MS;
      try {
        if (!prepared) await options.prepare();
        prepared = true;
        moreIsDue = false;
        moreIsDue = await claimAndAsk();
        if (moreIsDue) pause = BUSY_MS;
        await settler.lookAgain();
        watch?.looked(true);
        if (performance.now() - lastSuccess > BLIND_MS) settler.blindUntilNow();
        if (failures > 0) {
          log.info("the database is back");
          // A claim whose answer was lost on the way is ours without our knowing.
          await releaseClaims(sql, collectorId, [...held.keys()]);
        }
        failures = 0;
        lastSuccess = performance.now();
      } catch (error) {
        watch?.looked(false);
        if (failures++ === 0) log.warn({ err: error }, "the database is away; no game server is judged meanwhile");
        pause = Math.min(IDLE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause);
      });
    }
  }

  const running = run();

  return {
    inFlight: () => slots.taken(),
    /** Results that wait to be written. */
    waiting: () => queue.size(),
    delayedForMs: settler.delayedForMs,
    /** For how long the database's clock has run steadily, in ms. */
    steadyForMs: () => performance.now() - clockJumpedAt,
    /** Takes no new claims, waits at most `graceMs` for those in flight, writes their results. */
    async stop(graceMs: number): Promise<void> {
      stopping = true;
      slots.close();
      wake();
      const until = performance.now() + graceMs;
      while (slots.taken() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
      queue.stop();
      stalls.stop();
      await Promise.all([running, queue.flush()]);
    },
  };
}
