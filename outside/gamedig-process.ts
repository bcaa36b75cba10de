/** Polls game servers of the long tail by gamedig, which runs in a process of its own that is killed when it misbehaves. */
import { isIP } from "node:net";
import { cleanCount, cleanText, type GameAnswer, type QueryResult, type QueryTarget } from "./game-query/answer.ts";
import { findGameType } from "./game-types.ts";
import type { FromChild, Question, RawAnswer } from "./gamedig-child.ts";
import { type ChildEnd, startGamedigChild } from "./gamedig-watch.ts";

const IN_FLIGHT = 100;
const MOST_ASKS = 3;
/** A target that made the process hang is not polled for this long; a doubtful case counts half. */
const PENALTY_MS = 10 * 60_000;
const FULL_GUILT = 2;
/** After this many starts without getting ready, a pause. */
const HOPELESS_STARTS = 3;
const PAUSE_MS = 30_000;
const IDLE_MS = 120_000;

type Pending = {
  question: Question;
  resolve: (result: QueryResult) => void;
  askedAt: number;
  asks: number;
};

export type GamedigProcess = {
  query(target: QueryTarget, options: { type: string; deadlineMs?: number }): Promise<QueryResult>;
  /** The process's id, null without one. */
  pid(): number | null;
  /** Ends the process; pending queries fail as `network`, and later ones start a new one. */
  stop(): void;
};

/** Makes a process of its own for polls; it starts with the first query and ends after two idle minutes. */
export function createGamedigProcess(): GamedigProcess {
  const queue: Pending[] = [];
  const inFlight = new Map<number, Pending>();
  const guilt = new Map<string, { points: number; until: number }>();
  let child: ReturnType<typeof startGamedigChild> | null = null;
  let lastId = 0;
  let failedStarts = 0;
  let pausedUntil = 0;
  let idle: NodeJS.Timeout | undefined;

  const settle = (pending: Pending, result: QueryResult): void => {
    inFlight.delete(pending.question.id);
    pending.resolve(result);
    clearTimeout(idle);
    if (inFlight.size === 0 && queue.length === 0) idle = setTimeout(stop, IDLE_MS).unref();
    else pump();
  };
  const fail = (pending: Pending, failure: Extract<QueryResult, { ok: false }>["failure"]): void =>
    settle(pending, { ok: false, latencyMs: performance.now() - pending.askedAt, failure });

  const onMessage = (message: FromChild): void => {
    if ("ready" in message) {
      failedStarts = 0;
      pump();
    }
    if (!("id" in message)) return;
    const pending = inFlight.get(message.id);
    if (!pending) return;
    const answer = "failure" in message ? message.failure : cleanAnswer(message.answer);
    // gamedig reads nothing and zeros from a truncated reply.
    if (typeof answer === "string") fail(pending, answer);
    else if (Object.values(answer).every((value) => !value)) fail(pending, "malformed");
    else {
      const told = "latencyMs" in message ? message.latencyMs : 0;
      settle(pending, { ok: true, latencyMs: told > 0 ? told : performance.now() - pending.askedAt, answer });
    }
  };

  const onEnd = (end: ChildEnd): void => {
    child = null;
    if (!end.wasReady && ++failedStarts >= HOPELESS_STARTS) pausedUntil = performance.now() + PAUSE_MS;
    const blamed = end.blamed === null ? undefined : inFlight.get(end.blamed);
    if (blamed) {
      const key = keyOf(blamed.question);
      const points = (guilt.get(key)?.points ?? 0) + (end.isCertain ? FULL_GUILT : 1);
      guilt.set(key, { points, until: performance.now() + PENALTY_MS });
    }
    // The others are innocent: they are repeated in the next process, ahead of the queue.
    const again = [...inFlight.values()];
    inFlight.clear();
    queue.unshift(...again);
    pump();
  };

  const isGuilty = (question: Question): boolean => {
    const known = guilt.get(keyOf(question));
    if (known && known.until < performance.now()) guilt.delete(keyOf(question));
    return known !== undefined && known.points >= FULL_GUILT && known.until >= performance.now();
  };

  function pump(): void {
    while (inFlight.size < IN_FLIGHT) {
      const pending = queue[0];
      if (!pending) return;
      if (isGuilty(pending.question) || pending.asks >= MOST_ASKS || performance.now() < pausedUntil) {
        queue.shift();
        fail(pending, isGuilty(pending.question) ? "malformed" : "network");
        continue;
      }
      child ??= startGamedigChild({ onMessage, onEnd, isBusy: () => inFlight.size > 0 });
      if (!child.isReady()) return;
      queue.shift();
      pending.asks++;
      pending.askedAt = performance.now();
      inFlight.set(pending.question.id, pending);
      child.send({ ask: pending.question });
    }
  }

  function stop(): void {
    clearTimeout(idle);
    const ending = child;
    child = null;
    ending?.kill();
    for (const pending of [...inFlight.values(), ...queue.splice(0)]) fail(pending, "network");
  }

  return {
    query(target, { type, deadlineMs = 4000 }) {
      const known = findGameType(type);
      const refuse = (failure: "blocked" | "network"): QueryResult => ({ ok: false, latencyMs: 0, failure });
      if (!known || isIP(target.address) === 0) return Promise.resolve(refuse("blocked"));
      // gamedig's socket speaks IPv4 alone: that is our limitation, not the game server's failure.
      if (isIP(target.address) === 6) return Promise.resolve(refuse("network"));
      lastId = (lastId + 1) % 0xffffffff;
      const question: Question = { id: lastId, type, ...target, deadlineMs, subtractRawBots: known.asked === "a2s" };
      clearTimeout(idle);
      // The process alone does not keep ours running; a query does.
      const hold = setInterval(() => {}, 60_000);
      const { promise, resolve } = Promise.withResolvers<QueryResult>();
      queue.push({ question, resolve, askedAt: performance.now(), asks: 0 });
      pump();
      return promise.finally(() => clearInterval(hold));
    },
    pid: () => child?.pid ?? null,
    stop,
  };
}

const keyOf = (question: Question): string => `${question.address}:${question.port}`;

/** A count may come as text; negative ones are unknown. Bots are subtracted, unless there are more of them than players. */
export function cleanAnswer(raw: RawAnswer): GameAnswer {
  const count = (value: unknown): number | null =>
    cleanCount(typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) : value);
  const players = count(raw.players);
  const bots = cleanCount(raw.bots) ?? 0;
  const max = count(raw.max);
  const version = cleanText(raw.version);
  return {
    players: players !== null && bots <= players ? players - bots : players,
    // gamedig's 0 may also mean unknown.
    bots: bots || null,
    maxPlayers: max === 0 ? null : max,
    version: version === "undefined" || version === "null" ? null : version,
    name: cleanText(raw.name),
    map: cleanText(raw.map),
    passwordProtected: raw.password === true ? true : null,
  };
}

let shared: GamedigProcess | null = null;

/**
 * Polls `target` as a game of `type` (of the allow-list; `blocked` if it is not on it); never rejects. `deadlineMs`, 4,000 by
 * default, counts from its start: at most 100 run at once. All callers share one process.
 */
export function queryGamedig(
  target: QueryTarget,
  options: { type: string; deadlineMs?: number },
): Promise<QueryResult> {
  shared ??= createGamedigProcess();
  return shared.query(target, options);
}
