/** From an answer to the row to write: is the fault ours, what does it say of the server, when is its next turn. */
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
  /** What all collectors know; asked before a game server is called offline. */
  evidence: Pick<CommonEvidence, "hear" | "heardAt" | "weigh">;
  /** What outposts say of it; asked before a game server is called offline, too. */
  opinions?: SecondOpinion;
  log: Logger;
  /** Called when holding results back began or ended. */
  onDelayed: () => void;
  /** Does another collector go on judging? It gets what this one holds back. */
  anotherSees?: () => boolean;
  /** In ms, of a clock that never jumps. */
  steady?: () => number;
  /** In place of the rules: the bench plants faults in them, to see whether it finds them. */
  judge?: typeof judgeByRules;
};

/** While all collectors' game servers fail, how often it is looked whether they still do. */
const LOOK_AGAIN_MS = 5_000;

/** A time in which we could not watch, longer than this, takes the weight from what failed before it. */
export const BLIND_MS = 5_000;

export type Settler = ReturnType<typeof createSettler>;

/** Makes what settles answers; it remembers whether the fault is ours, and since when we can tell at all. */
export function createSettler(options: SettleOptions) {
  const { siteIntervalMs, databaseNow, evidence, opinions = NO_OUTPOSTS, log, onDelayed } = options;
  const { anotherSees = () => false, steady = () => performance.now(), judge = judgeByRules } = options;
  const ownFault = createOwnFault(siteIntervalMs);
  let evidenceFrom = Number.NEGATIVE_INFINITY;
  let frozenSince: number | null = null;
  /** Since when the game servers of all collectors say that the fault is ours and fail, and when that was looked at last. */
  let common: { since: number; failingSince: number; lookedAt: number } | null = null;

  const heldSince = () => (frozenSince === null ? common?.since : Math.min(frozenSince, common?.since ?? frozenSince));
  const isHeld = () => ownFault.frozen() || common !== null;

  /** Nothing was learned: whoever can see asks it at once, or everybody at its next turn. */
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

  /** Where outposts reach it, it stays in doubt; null: nobody holds it. */
  async function heldByOutposts(server: Claimed, result: Result): Promise<Result | null> {
    const { serverId, state } = server;
    const now = databaseNow();
    const failingSince = state.statusSince ?? now;
    try {
      const opinion = await opinions.of(serverId, failingSince, result.confirmAt ?? failingSince);
      if (!opinion.held) return null;
      // Two that agree are believed, so this is no down time; where one alone is wrong, it is.
      if (opinion.agreed && state.lastAnsweredAt !== null) await opinions.recordUnseen(serverId, state.lastAnsweredAt);
      log.debug({ server_id: serverId, outposts: opinion.outposts }, "not called offline: outposts reach it");
      const held = notConfirmed(server, result, now);
      // What may last for hours takes its turns like any other.
      const next = opinion.agreed ? nextPollAt(planOf(server, now)) : held.nextPollAt;
      // Who is on there, nobody here knows any more.
      return { ...held, nextPollAt: next, state: { ...held.state, userOnline: null, botsOnline: null, map: null } };
    } catch {
      return notConfirmed(server, result, now);
    }
  }

  /** A doubt in which outposts that decide together reached it was none of its outages; one alone may lie. */
  async function endDoubt({ serverId, state }: Claimed): Promise<void> {
    const { statusSince, lastAnsweredAt } = state;
    if (statusSince === null || lastAnsweredAt === null) return;
    // Without the database nothing is written, this neither.
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
    /** What failed up to now is no evidence any more: we could not watch. */
    blindUntilNow() {
      evidenceFrom = databaseNow();
    },
    /** For how long results have been held back, in ms; null: they are not. */
    delayedForMs: () => {
      const since = heldSince();
      return since === undefined ? null : steady() - since;
    },

    /** For how long the fault may have been ours: from the first failure on that showed it; null: nothing is held back. */
    faultForMs: () => {
      if (!isHeld()) return null;
      const since = Math.min(ownFault.failingSince() ?? Number.POSITIVE_INFINITY, common?.failingSince ?? steady());
      return steady() - Math.min(since, heldSince() ?? since);
    },

    /** Nothing comes through to this collector, while another one sees: what it takes is only lost time for that one. */
    isBlindAlone: () => isHeld() && anotherSees() && databaseNow() - evidence.heardAt() > siteIntervalMs,

    /** To be called every moment: looks whether what holds results back for all collectors is over. */
    async lookAgain(): Promise<void> {
      if (common === null || steady() - common.lookedAt < LOOK_AGAIN_MS) return;
      common.lookedAt = steady();
      if ((await evidence.weigh(Number.NEGATIVE_INFINITY)) !== "theirs" || common === null) return;
      const { since } = common;
      common = null;
      judgeAgain(since);
    },

    /**
     * Nobody is called offline before what all collectors know, and outposts see, was looked at. And whether it was an outage
     * that an answer ends, where failures enough came before it.
     */
    needsConfirming: ({ changedFrom, state, failures }: Result) =>
      changedFrom !== null &&
      (state.status === "offline" || (changedFrom === "degraded" && (failures?.count ?? 0) >= FAILURES_TO_OFFLINE)),

    /** What to write in place of `result`, which calls `server` offline, or ends a doubt. */
    async confirm(server: Claimed, result: Result): Promise<Result> {
      if (result.state.status !== "offline") {
        await endDoubt(server);
        return result;
      }
      if (ownFault.suddenly(steady())) return notConfirmed(server, result, databaseNow());
      // The database is away: nobody can tell, and nothing can be written.
      const says: Says = await evidence.weigh(server.state.statusSince ?? databaseNow()).catch(() => "unclear");
      if (says === "theirs") return (await heldByOutposts(server, result)) ?? result;
      if (says === "unclear") return notConfirmed(server, result, databaseNow());
      const now = databaseNow();
      heldByAll(Math.max(0, now - (server.state.statusSince ?? now)));
      return holdBack(server, databaseNow());
    },

    /** What to write of `server` after `asked`, but for `confirm`. */
    settle(server: Claimed, { outcome, place, began }: Asked): Result {
      const now = databaseNow();
      const askedAt = now - (steady() - began);
      const failure = outcome.ok ? null : outcome.failure;
      log.debug({ server_id: server.serverId, failure, latency_ms: outcome.latencyMs }, "asked");
      // Bytes that cannot be read say of our own network what an answer says: packets get out and back.
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

/** It has failed once more, and stays in doubt until somebody can tell. */
function notConfirmed(server: Claimed, { state }: Result, now: number): Result {
  const { failure, failuresInRow, lastAskedAt, latencyMs } = state;
  return {
    ...leaveUntil(server, now + Math.min(RECHECK_MS, server.intervalMs)),
    state: { ...server.state, failure, failuresInRow, lastAskedAt, latencyMs },
    judged: true,
  };
}

/** The claim given back with nothing learned, to be asked at `at` (ms). */
export function leaveUntil(server: Claimed, at: number): Result {
  const { serverId, state } = server;
  return { serverId, state, changedFrom: null, failures: null, counted: null, judged: false, nextPollAt: at };
}

/** The claim given back with nothing learned: its turn is lost. */
export function leaveUntilNextTurn(server: Claimed, now: number): Result {
  return leaveUntil(server, nextPollAt(planOf(server, now)));
}

/** Not worth its every turn: offline, or its name stays lost. */
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
