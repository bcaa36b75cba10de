/** What was said, held against what was true. */
import type { MeasuredStatus } from "#shared/statuses.ts";
import { type GameServer, meets, type Span, type World } from "./world.ts";

/**
 * A change of a status, in ms since the world began; `askedAt`: when the question began that led to it, `failingSince`: the
 * first of the failures in a row that it ends.
 */
export type Said = {
  serverId: number;
  from: MeasuredStatus;
  to: MeasuredStatus;
  at: number;
  askedAt: number;
  failingSince: number;
};

export type Score = {
  /** How often something was called offline; how often of that it was up all the time while it seemed to fail. */
  offline: number;
  falseOffline: Said[];
  /** How often it had been down, but was back already when it was called so; ms since then. */
  tooLate: number[];
  /** Outages that anybody could have seen, and those that were never called offline. In the others, ms until they were. */
  outages: number;
  missed: { serverId: number; span: Span }[];
  toKnow: number[];
  /** Ms from the end of an outage that was known until it was called online: while somebody waited, and otherwise. */
  backWaited: number[];
  backElse: number[];
};

const SECOND = 1_000;
/** An outage shorter than this can end before it is confirmed: it is no part of the times, nor of what can be missed. */
const SEEN_FROM_MS = 90 * SECOND;
/** What goes wrong on our side so long before or after something takes it out of the times: nobody could tell then. */
const BESIDE_MS = 120 * SECOND;
/** Where trouble of ours lay in an outage, so much of it has to be left in one piece to expect that it is known. */
const LEFT_MS = 240 * SECOND;

/** @param waited when somebody waited for which game server */
export function score(world: World, said: Said[], waited = new Map<number, Span[]>()): Score {
  const own = ownTrouble(world);
  const all: Score = {
    offline: 0,
    falseOffline: [],
    tooLate: [],
    outages: 0,
    missed: [],
    toKnow: [],
    backWaited: [],
    backElse: [],
  };
  const bySaid = Map.groupBy(said, ({ serverId }) => serverId);
  for (const server of world.servers) {
    const changes = bySaid.get(server.id) ?? [];
    scoreServer(all, server, changes, [...own, ...server.nameLost], world, waited.get(server.id) ?? []);
  }
  return all;
}

function scoreServer(all: Score, server: GameServer, changes: Said[], trouble: Span[], world: World, waited: Span[]) {
  const truth = server.outages.map(({ span }) => span);
  for (const change of changes) {
    if (change.to !== "offline") continue;
    all.offline++;
    if (meets(truth, change.askedAt, change.at)) continue;
    const ended = truth.findLast(([, to]) => to <= change.askedAt && to >= change.failingSince)?.[1];
    if (ended === undefined) all.falseOffline.push(change);
    else all.tooLate.push(change.at - ended);
  }
  // Times are promised for the interval of the site.
  if (server.intervalMs !== world.siteIntervalMs) return;
  for (const [from, to] of truth) {
    if (to - from < SEEN_FROM_MS || statusAt(changes, from) !== "online" || to > world.forMs) continue;
    const quiet = !meets(trouble, from - BESIDE_MS, from + BESIDE_MS);
    const known = changes.find((change) => change.to === "offline" && change.at >= from && change.askedAt < to);
    if (quiet || longestWithout(trouble, from, to) >= LEFT_MS) {
      all.outages++;
      if (!known) all.missed.push({ serverId: server.id, span: [from, to] });
    }
    if (quiet && known) all.toKnow.push(known.at - from);
    if (!known || statusAt(changes, to) !== "offline") continue;
    const staysUp = !meets(truth, to + 1, to + BESIDE_MS) && to + BESIDE_MS < world.forMs;
    if (!staysUp || meets(trouble, to - BESIDE_MS, to + BESIDE_MS)) continue;
    const back = changes.find((change) => change.to === "online" && change.at >= to)?.at ?? Number.POSITIVE_INFINITY;
    // From before it came back: who comes later sees it come back sooner than anybody can promise.
    const isWaited = waited.some(([began, ended]) => began <= to && ended >= to);
    (isWaited ? all.backWaited : all.backElse).push(back - to);
  }
}

/** When our own side could not tell: cuts, stalls, jumps of the clock, restarts. */
function ownTrouble({ cuts, stalls, jumps, restarts }: World): Span[] {
  return [
    ...cuts.map(({ span }) => span),
    ...stalls,
    ...jumps.map(({ at }): Span => [at, at]),
    ...restarts.map((at): Span => [at, at]),
  ];
}

function statusAt(changes: Said[], at: number): MeasuredStatus {
  return changes.findLast((change) => change.at <= at)?.to ?? "unknown";
}

/** The longest part of [from, to] that none of the spans meets, in ms. */
function longestWithout(spans: Span[], from: number, to: number): number {
  let longest = 0;
  let at = from;
  for (const [began, ended] of spans.toSorted(([a], [b]) => a - b)) {
    if (ended < from || began > to) continue;
    longest = Math.max(longest, began - at);
    at = Math.max(at, ended);
  }
  return Math.max(longest, to - at);
}

/** The value that so many of the hundred are below; 0 of none. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}
