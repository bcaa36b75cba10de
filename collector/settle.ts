/** From an answer to the row to write: is the fault ours, what does it say of the server, when is its next turn. */
import type { Logger } from "pino";
import type { Asked } from "./ask.ts";
import type { Claimed } from "./claim.ts";
import { judge } from "./judge.ts";
import { createOwnFault } from "./own-fault.ts";
import { type AskedNow, nextPollAt } from "./schedule.ts";
import type { Result } from "./write-results.ts";

export type SettleOptions = {
  siteIntervalMs: number;
  /** The database's time in ms. */
  databaseNow: () => number;
  log: Logger;
  /** Called when holding results back began or ended. */
  onDelayed: () => void;
};

/** Makes what settles answers; it remembers whether the fault is ours, and since when we can tell at all. */
export function createSettler({ siteIntervalMs, databaseNow, log, onDelayed }: SettleOptions) {
  const ownFault = createOwnFault(siteIntervalMs);
  let evidenceFrom = Number.NEGATIVE_INFINITY;
  let frozenSince: number | null = null;

  function hearOfOurselves(server: Claimed, address: string, ok: boolean) {
    const { began, ended } = ownFault.hear({
      serverId: server.serverId,
      address,
      ok,
      wasOnline: server.state.status === "online",
      intervalMs: server.intervalMs,
      at: performance.now(),
    });
    if (began) {
      frozenSince = performance.now();
      log.error(
        "most game servers stopped answering at once: the fault is on our side, no failure counts (data delayed)",
      );
    } else if (ended && frozenSince !== null) {
      log.warn({ delayed_ms: Math.round(performance.now() - frozenSince) }, "game servers are judged again");
      frozenSince = null;
      evidenceFrom = databaseNow();
    }
    if (began || ended) onDelayed();
  }

  return {
    /** What failed up to now is no evidence any more: we could not watch. */
    blindUntilNow() {
      evidenceFrom = databaseNow();
    },
    /** For how long results have been held back, in ms; null: they are not. */
    delayedForMs: () => (frozenSince === null ? null : performance.now() - frozenSince),

    /** What to write of `server` after `asked`. */
    settle(server: Claimed, { outcome, place }: Asked): Result {
      const now = databaseNow();
      const failure = outcome.ok ? null : outcome.failure;
      log.debug({ server_id: server.serverId, failure, latency_ms: outcome.latencyMs }, "asked");
      if (place !== null) hearOfOurselves(server, place, outcome.ok);
      if (place !== null && !outcome.ok && ownFault.frozen()) return leaveUntilNextTurn(server, now);

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
        isOffline: next.status === "offline",
        confirmAt,
      };
      return {
        serverId: server.serverId,
        state: next,
        changedFrom: event?.from ?? null,
        counted,
        judged,
        nextPollAt: nextPollAt(plan),
      };
    },
  };
}

/** The claim given back with nothing learned, to be asked at `at` (ms). */
export function leaveUntil(server: Claimed, at: number): Result {
  const { serverId, state } = server;
  return { serverId, state, changedFrom: null, counted: null, judged: false, nextPollAt: at };
}

/** The claim given back with nothing learned: its turn is lost. */
export function leaveUntilNextTurn(server: Claimed, now: number): Result {
  return leaveUntil(server, nextPollAt(planOf(server, now)));
}

function planOf(server: Claimed, now: number): AskedNow {
  const { serverId, host, adapter, gamePort, queryPort, intervalMs, plannedAt, state } = server;
  const offline = state.status === "offline";
  return {
    key: host === null ? `#${serverId}` : `${adapter} ${host}:${queryPort ?? gamePort}`,
    intervalMs,
    plannedAt,
    now,
    outcome: "kept",
    failuresInRow: state.failuresInRow,
    wasOffline: offline,
    isOffline: offline,
    confirmAt: Number.POSITIVE_INFINITY,
  };
}
