/** The collector's loop: claim due servers, poll them, judge the answers, queue the results. */
import type { Logger } from "pino";
import { createDatabaseClock, type DatabaseClock } from "#db/database-clock.ts";
import type { Sql } from "#db/sql.ts";
import { keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import type { Outside } from "./ask.ts";
import { startAsking } from "./asking.ts";
import { releaseClaims } from "./claim.ts";
import { AHEAD, createClaiming, type Look } from "./claiming.ts";
import { type ClaimsInHand, createClaimsInHand } from "./claims-in-hand.ts";
import { createCommonEvidence } from "./common-evidence.ts";
import { createDetailsKeeper } from "./details.ts";
import type { CollectorMetrics } from "./metrics.ts";
import { createPlayerListKeeper } from "./player-lists.ts";
import { createResultsQueue } from "./results-queue.ts";
import { createSecondOpinion } from "./second-opinion.ts";
import { askSoon, findSeen } from "./seen.ts";
import { BLIND_MS, createSettler, leaveUntil, type Settler } from "./settle.ts";

/** Least time between two looks for due servers, and between looks when more is due, unless a slot becomes free before. */
const LOOK_MS = 75;
const BUSY_MS = 20;
/** Pause after a look, as a multiple of its duration: a large fleet's looks take a tenth of Postgres's time; with a maximum. */
const REST_AFTER_LOOK = 9;
const LONGEST_LOOK_PAUSE_MS = 300;
/** Looks this often even if the next one is due later: for unannounced changes, and for the database's clock. */
const REST_MS = 1_000;
const LONGEST_PAUSE_MS = 2_000;

export type LoopOptions = {
  sql: Sql;
  collectorId: string;
  siteIntervalS: number;
  outside: Outside;
  log: Logger;
  /** Must succeed once before the first claim. */
  prepare: () => Promise<void>;
  /** Called when deferring results began or ended. */
  onDelayed: () => void;
  /** Returns whether another living collector defers nothing. */
  anotherSees: () => boolean;
  /** Receives metrics for operators. */
  metrics?: CollectorMetrics | undefined;
};

/** Starts the loop; it runs until `stop`, through all outages of the database. */
export function startLoop(options: LoopOptions) {
  const { sql, siteIntervalS, log, onDelayed, anotherSees } = options;
  const siteIntervalMs = siteIntervalS * 1000;
  const clock = createDatabaseClock();
  const inHand = createClaimsInHand();
  const evidence = createCommonEvidence({
    siteIntervalMs,
    databaseNow: clock.now,
    read: () => findSeen(sql, siteIntervalS),
    askSoon: (serverIds) => askSoon(sql, serverIds),
  });
  const opinions = createSecondOpinion(sql, clock.now);
  const databaseNow = clock.now;
  const settler = createSettler({ siteIntervalMs, databaseNow, evidence, opinions, log, onDelayed, anotherSees });
  // A newly written turn may come before the next one known from the last look.
  const queue = startWriting(options, clock, inHand, (nextPollAt) => looks.lookBy(nextPollAt - clock.now()));
  const details = createDetailsKeeper(sql, log);
  const playerLists = createPlayerListKeeper(sql, log);
  const onRoom = () => {
    if (inHand.ahead() < AHEAD / 2) looks.lookIfDue();
  };
  const asking = startAsking({ ...options, clock, inHand, settler, queue, details, playerLists, onRoom });
  const claiming = createClaiming({ ...options, clock, inHand, settler, queue, asking });
  const looks = startLooks(options, claiming.look, settler, inHand);

  return {
    inFlight: () => asking.slots.taken(),
    /** Number of results waiting to be written. */
    waiting: () => queue.size(),
    delayedForMs: settler.delayedForMs,
    faultForMs: settler.faultForMs,
    steadyForMs: claiming.steadyForMs,
    /** Something may be due ahead of schedule: looks at once. */
    lookNow: () => looks.lookBy(0),
    /** Takes no new claims, waits at most `graceMs` for running queries, writes their results. */
    async stop(graceMs: number): Promise<void> {
      const looked = looks.stop();
      await asking.stop(graceMs);
      queue.stop();
      await Promise.all([looked, queue.flush(), details.stop(), playerLists.stop()]);
    },
  };
}

/** Starts the queue of results; releases claims that are written, or never will be. */
function startWriting(
  options: LoopOptions,
  clock: DatabaseClock,
  inHand: ClaimsInHand,
  onPlanned: (nextPollAt: number) => void,
) {
  const { sql, collectorId, siteIntervalS, log, metrics } = options;
  return createResultsQueue({
    sql,
    collectorId,
    keepMs: (result) => inHand.find(result.serverId)?.intervalMs ?? siteIntervalS * 1000,
    asReleased: (result) => {
      const server = inHand.find(result.serverId);
      return server ? leaveUntil(server, clock.now()) : null;
    },
    onSettled: (result, written) => {
      const server = inHand.find(result.serverId);
      inHand.letGo(result.serverId);
      metrics?.settled(written ? "written" : "dropped");
      onPlanned(result.nextPollAt);
      if (!written) log.debug({ server_id: result.serverId }, "result dropped: the claim had lapsed");
      else if (result.changedFrom !== null) {
        const { status: to, failure } = result.state;
        const change = {
          server_id: result.serverId,
          server_name: server?.serverName,
          from: result.changedFrom,
          to,
          failure,
        };
        log.info(change, `game server is ${to}`);
      }
    },
    onRefused: (result, error) => {
      inHand.letGo(result.serverId);
      metrics?.settled("refused");
      log.error({ err: error, server_id: result.serverId }, "the database refuses this result");
    },
    onAway: (error) => log.warn({ err: error }, "results cannot be written; they wait"),
    onBack: (awayMs) => log.info({ away_ms: Math.round(awayMs) }, "results are written again"),
    makePartitions: () => keepSamplesInBounds(sql, false),
  });
}

/** Repeats the looks; less often during database outages, whose failures then don't count. */
function startLooks(
  { sql, collectorId, log, prepare, metrics }: LoopOptions,
  look: () => Promise<Look>,
  settler: Settler,
  inHand: ClaimsInHand,
) {
  let stopping = false;
  let moreIsDue = false;
  let wake: () => void = () => {};
  /** End of the current pause, if any; and when the last look ended. */
  let pausedUntil: number | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  /** Latest time of the next look, requested during the current one. */
  let wantedBy = Number.POSITIVE_INFINITY;

  function pauseFor(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = () => {
      clearTimeout(timer);
      pausedUntil = null;
      lookedAt = performance.now();
      resolve();
    };
    const until = Math.min(performance.now() + ms, Math.max(wantedBy, lookedAt + LOOK_MS));
    wantedBy = Number.POSITIVE_INFINITY;
    pauseUntil(until);
    return promise;
  }

  function pauseUntil(at: number) {
    pausedUntil = at;
    clearTimeout(timer);
    timer = setTimeout(() => wake(), Math.max(0, at - performance.now()));
  }

  async function run(): Promise<void> {
    // Records from before this process's start don't count either.
    let lastSuccess = Number.NEGATIVE_INFINITY;
    let failures = 0;
    let prepared = false;
    while (!stopping) {
      let pause = LOOK_MS;
      try {
        if (!prepared) await prepare();
        prepared = true;
        moreIsDue = false;
        const began = performance.now();
        const { more, againMs } = await look();
        pause = Math.min(Math.max(LOOK_MS, REST_AFTER_LOOK * (performance.now() - began)), LONGEST_LOOK_PAUSE_MS);
        moreIsDue = more;
        if (moreIsDue) pause = BUSY_MS;
        else if (againMs !== null) pause = Math.min(Math.max(againMs, pause), REST_MS);
        await settler.lookAgain();
        metrics?.looked(true);
        if (performance.now() - lastSuccess > BLIND_MS) settler.blindUntilNow();
        if (failures > 0) {
          log.info("the database is back");
          // A claim whose answer was lost is ours without our knowing.
          await releaseClaims(sql, collectorId, inHand.ids());
        }
        failures = 0;
        lastSuccess = performance.now();
      } catch (error) {
        metrics?.looked(false);
        if (failures++ === 0) log.warn({ err: error }, "the database is away; no game server is judged meanwhile");
        pause = Math.min(LOOK_MS * 2 ** failures, LONGEST_PAUSE_MS);
      }
      if (!stopping) await pauseFor(pause);
    }
  }

  const running = run();

  return {
    /** Ends the pause if more was due than there was room for: there is room now. */
    lookIfDue: () => moreIsDue && wake(),
    /** Looks again within `ms`. */
    lookBy(ms: number): void {
      const at = Math.max(performance.now() + ms, lookedAt + LOOK_MS);
      if (pausedUntil === null) wantedBy = Math.min(wantedBy, at);
      else if (at < pausedUntil) pauseUntil(at);
    },
    /** Settles after the current look. */
    stop(): Promise<void> {
      stopping = true;
      wake();
      return running;
    },
  };
}
