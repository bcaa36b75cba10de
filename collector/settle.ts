/** Turns an answer into the row to write: is the fault ours, what is the server's state, when is its next turn. */
import type { Logger } from "pino";
import { askedPort } from "#shared/adapters.ts";
import type { Asked } from "./ask.ts";
import type { Claimed } from "./claim.ts";
import type { CommonEvidence, Says } from "./common-evidence.ts";
import { FAILURES_TO_OFFLINE, judge as judgeByRules, type MeasuredState } from "./judge.ts";
import { createOwnFault } from "./own-fault.ts";
import { type AskedNow, nextPollAt, RECHECK_MS } from "./schedule.ts";
import { NO_OUTPOSTS, type SecondOpinion } from "./second-opinion.ts";
import type { Result } from "./write-results.ts";

export type SettleOptions = {
  siteIntervalMs: number;
  /** The database's time in ms. */
  databaseNow: () => number;
  /** Observations of all collectors; compared before a game server is called offline. */
  evidence: Pick<CommonEvidence, "hear" | "heardAt" | "weigh">;
  /** Outposts' views; also checked before a game server is called offline. */
  opinions?: SecondOpinion;
  log: Logger;
  /** Called when deferring results began or ended. */
  onDelayed: () => void;
  /** Returns whether another collector still judges. It gets what this one defers. */
  anotherSees?: () => boolean;
  /** In ms, of a monotonic clock. */
  steady?: () => number;
  /** Replaces the rules: the bench plants faults in them, to see whether it finds them. */
  judge?: typeof judgeByRules;
};

/** How often to check whether the servers of all collectors still fail. */
const LOOK_AGAIN_MS = 5_000;

/** A longer disturbance of polling voids the failures before it. */
export const BLIND_MS = 5_000;

export type Settler = ReturnType<typeof createSettler>;

/** Creates the judge of answers; it stores whether the fault is ours, and since when it can judge. */
export function createSettler(options: SettleOptions) {
  const { siteIntervalMs, databaseNow, evidence, opinions = NO_OUTPOSTS, log, onDelayed } = options;
  const { anotherSees = () => false, steady = () => performance.now(), judge = judgeByRules } = options;
  const ownFault = createOwnFault(siteIntervalMs);
  let evidenceFrom = Number.NEGATIVE_INFINITY;
  let frozenSince: number | null = null;
  /** The fault of all collectors: since when it is known and their servers fail, and the last check. */
  let common: { since: number; failingSince: number; lookedAt: number } | null = null;

  const heldSince = () => (frozenSince === null ? common?.since : Math.min(frozenSince, common?.since ?? frozenSince));
  const isHeld = () => ownFault.frozen() || common !== null;

  /** Nothing was learned: another collector polls it at once, or any at its next turn. */
  const holdBack = (server: Claimed, now: number) =>
    anotherSees() ? leaveUntil(server, now) : leaveUntilNextTurn(server, now);

  function judgeAgain(since: number) {
    log.warn({ delayed_ms: Math.round(steady() - since) }, "game servers are judged again");
    evidenceFrom = databaseNow();
    onDelayed();
  }

  function heldByAll(failingForMs: number) {
    if (common === null) {
      common = { since: steady(), failingSince: steady() - failingForMs, lookedAt: steady() };
      log.error("most game servers do not answer any collector: the fault is on our side (data delayed)");
      onDelayed();
    }
  }

  /** Stays in doubt if outposts reach it; null: they don't. */
  async function heldByOutposts(server: Claimed, result: Result): Promise<Result | null> {
    const { serverId, state } = server;
    const now = databaseNow();
    const failingSince = state.statusSince ?? now;
    try {
      const opinion = await opinions.of(serverId, failingSince, result.confirmAt ?? failingSince);
      if (!opinion.held) return null;
      // Two that agree are believed, so this is no down time; one alone may be wrong.
      if (opinion.agreed && state.lastAnsweredAt !== null) await opinions.recordUnseen(serverId, state.lastAnsweredAt);
      log.debug({ server_id: serverId, outposts: opinion.outposts }, "not called offline: outposts reach it");
      const held = notConfirmed(server, result, now);
      // May last for hours, so it keeps the usual turns.
      const next = opinion.agreed ? nextPollAt(planOf(server, now)) : held.nextPollAt;
      // Current players are no longer known here.
      return { ...held, nextPollAt: next, state: { ...held.state, userOnline: null, botsOnline: null, map: null } };
    } catch {
      return notConfirmed(server, result, now);
    }
  }

  /** Ends a doubt: if enough agreeing outposts reached the server, it was no outage; one alone may lie. */
  async function endDoubt({ serverId, state }: Claimed): Promise<void> {
    const { statusSince, lastAnsweredAt } = state;
    if (statusSince === null || lastAnsweredAt === null) return;
    // Without the database nothing can be written anyway.
    const opinion = await opinions.of(serverId, statusSince, Number.POSITIVE_INFINITY).catch(() => null);
    if (opinion?.agreed) await opinions.recordUnseen(serverId, lastAnsweredAt).catch(() => {});
  }

  function hearOfOurselves(server: Claimed, address: string, ok: boolean) {
    const { began, ended } = ownFault.hear({
      serverId: server.serverId,
      address,
      ok,
      wasOnline: server.state.status === "online",
      intervalMs: server.intervalMs,
      at: steady(),
    });
    evidence.hear(server.host ?? "", address, ok);
    if (began) {
      frozenSince = steady();
      log.error(
        "most game servers stopped answering at once: the fault is on our side, no failure counts (data delayed)",
      );
    } else if (ended && frozenSince !== null) {
      const since = frozenSince;
      frozenSince = null;
      judgeAgain(since);
    }
    if (began) onDelayed();
  }

  return {
    /** Voids the failures up to now: we could not poll. */
    blindUntilNow() {
      evidenceFrom = databaseNow();
    },
    /** How long results have been deferred, in ms; null: they aren't. */
    delayedForMs: () => {
      const since = heldSince();
      return since === undefined ? null : steady() - since;
    },

    /** How long the fault may have been ours: since the first failure that showed it; null: nothing is deferred. */
    faultForMs: () => {
      if (!isHeld()) return null;
      const since = Math.min(ownFault.failingSince() ?? Number.POSITIVE_INFINITY, common?.failingSince ?? steady());
      return steady() - Math.min(since, heldSince() ?? since);
    },

    /** Returns whether only this collector gets no answers: its claims would only delay another's. */
    isBlindAlone: () => isHeld() && anotherSees() && databaseNow() - evidence.heardAt() > siteIntervalMs,

    /** Call regularly: checks whether the fault of all collectors is over. */
    async lookAgain(): Promise<void> {
      if (common === null || steady() - common.lookedAt < LOOK_AGAIN_MS) return;
      common.lookedAt = steady();
      if ((await evidence.weigh(Number.NEGATIVE_INFINITY)) !== "theirs" || common === null) return;
      const { since } = common;
      common = null;
      judgeAgain(since);
    },

    /**
     * Returns whether observations of all collectors and outposts must be compared: before calling a server offline, and for an
     * answer after enough failures, whether it ends an outage.
     */
    needsConfirming: ({ changedFrom, state, failures }: Result) =>
      changedFrom !== null &&
      (state.status === "offline" || (changedFrom === "degraded" && (failures?.count ?? 0) >= FAILURES_TO_OFFLINE)),

    /** Returns what to write instead of `result`, which calls `server` offline, or ends a doubt. */
    async confirm(server: Claimed, result: Result): Promise<Result> {
      if (result.state.status !== "offline") {
        await endDoubt(server);
        return result;
      }
      if (ownFault.suddenly(steady())) return notConfirmed(server, result, databaseNow());
      // The database is unavailable: no comparison, and nothing can be written.
      const says: Says = await evidence.weigh(server.state.statusSince ?? databaseNow()).catch(() => "unclear");
      if (says === "theirs") return (await heldByOutposts(server, result)) ?? result;
      if (says === "unclear") return notConfirmed(server, result, databaseNow());
      const now = databaseNow();
      heldByAll(Math.max(0, now - (server.state.statusSince ?? now)));
      return holdBack(server, databaseNow());
    },

    /** Returns what to write for `server` after `asked`, before `confirm`. */
    settle(server: Claimed, { outcome, place, began }: Asked): Result {
      const now = databaseNow();
      const askedAt = now - (steady() - began);
      const failure = outcome.ok ? null : outcome.failure;
      log.debug({ server_id: server.serverId, failure, latency_ms: outcome.latencyMs }, "asked");
      // Unreadable bytes say the same about our network as an answer: packets get out and back.
      if (place !== null) hearOfOurselves(server, place, outcome.ok || outcome.failure === "malformed");
      if (place !== null && !outcome.ok && isHeld()) return holdBack(server, now);

      const { intervalMs, options } = server;
      const { next, event, counted, judged, confirmAt } = judge(server.state, outcome, now, {
        intervalMs,
        trustRecord: options.trustRecord === true,
        evidenceFrom,
      });
      const plan: AskedNow = {
        ...planOf(server, now),
        outcome: !judged ? "kept" : next.failuresInRow > 0 ? "failed" : "answered",
        failuresInRow: next.failuresInRow,
        isOffline: isGone(next),
        confirmAt,
        askedAt,
        waited: server.waited && next.status !== "online",
      };
      return {
        serverId: server.serverId,
        state: next,
        changedFrom: event?.from ?? null,
        failures: event?.failures ?? null,
        counted,
        judged,
        nextPollAt: nextPollAt(plan),
        ...(next.status === "offline" && event !== null ? { confirmAt } : {}),
      };
    },
  };
}

/** Builds the result "failed again, still in doubt". */
function notConfirmed(server: Claimed, { state }: Result, now: number): Result {
  const { failure, failuresInRow, lastAskedAt, latencyMs } = state;
  return {
    ...leaveUntil(server, now + Math.min(RECHECK_MS, server.intervalMs)),
    state: { ...server.state, failure, failuresInRow, lastAskedAt, latencyMs },
    judged: true,
  };
}

/** Releases the claim with nothing learned; due at `at` (ms). */
export function leaveUntil(server: Claimed, at: number): Result {
  const { serverId, state } = server;
  return { serverId, state, changedFrom: null, failures: null, counted: null, judged: false, nextPollAt: at };
}

/** Releases the claim with nothing learned; its turn is lost. */
export function leaveUntilNextTurn(server: Claimed, now: number): Result {
  return leaveUntil(server, nextPollAt(planOf(server, now)));
}

/** Returns whether to poll less often: offline, or its name stays lost. */
function isGone({ status, failuresInRow }: MeasuredState): boolean {
  return status === "offline" || (status === "unknown" && failuresInRow >= FAILURES_TO_OFFLINE);
}

function planOf(server: Claimed, now: number): AskedNow {
  const { serverId, host, adapter, intervalMs, plannedAt, state } = server;
  const gone = isGone(state);
  return {
    key: host === null ? `#${serverId}` : `${adapter} ${host}:${askedPort(adapter, server)}`,
    intervalMs,
    plannedAt,
    askedAt: now,
    now,
    outcome: "kept",
    failuresInRow: state.failuresInRow,
    wasOffline: gone,
    isOffline: gone,
    confirmAt: Number.POSITIVE_INFINITY,
    waited: server.waited && state.status !== "online",
  };
}
