// The order in which the doctor asks: such that no game server counts the doctor among its players, and the typed port is asked first.
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { type AskedAdapterId, isOwnAnswer } from "#shared/adapters.ts";
import type { Probe } from "./diagnosis.ts";

/** One question that may be asked. */
export type Question = {
  by: AskedAdapterId;
  /** Null: the DNS knows the port. */
  port: number | null;
  /** Null: it could not be asked. */
  ask(): Promise<Probe | null>;
};

/** So long a turn may keep the next one waiting. */
const TURN_MS = 700;
/** Once the game has told what it is, the rest is not waited for any longer than this. */
const AFTERWARDS_MS = 500;
/** A game server needs a moment to notice that a connection has gone. */
const HANG_UP_MS = 150;

const isOverTcp = (by: AskedAdapterId): boolean => ADAPTERS[by].transport === "tcp";

/**
 * Over UDP first: some games (OpenTTD) count a connection as a player, be it that nobody has joined by it. Then a game's own
 * door, and only where nobody has told by then: the web interfaces of others, and last of all whether a port accepts.
 */
function turnOf({ by }: Question): number {
  if (!isOverTcp(by)) return 0;
  if (by === "minecraft") return 1;
  return isOwnAnswer(by) ? 2 : 3;
}
const UNLESS_TOLD = 2;
const TURNS = [0, 1, 2, 3];

/** A connection of ours, from when to when (ms); `to` is null while it is open. */
type Connection = { question: Question; port: number | null; from: number; to: number | null };

/**
 * Asks in turns, and resolves with what was heard before `until` (by `performance.now()`). A count that was told while another
 * connection of ours was open at the same port is asked for once more when that has gone. Never rejects.
 */
export async function askInTurns(
  questions: readonly Question[],
  { port, until }: { port: number | null; until: number },
): Promise<Probe[]> {
  const answers: { question: Question; probe: Probe; inDoubt: boolean }[] = [];
  const connections: Connection[] = [];
  const underWay = new Set<Promise<void>>();
  let isTold = false;
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const isTheirs = (probe: Probe) => port === null || Math.abs(probe.port - port) <= 1;

  const begin = (question: Question): Promise<void> => {
    const from = performance.now();
    // The long tail may ask over TCP as well.
    const connection =
      ADAPTERS[question.by].transport === "udp" ? null : { question, port: question.port, from, to: null };
    if (connection) connections.push(connection);
    const work = question
      .ask()
      .catch(() => null)
      .then((probe) => {
        const now = performance.now();
        if (connection) Object.assign(connection, { port: probe?.port ?? question.port, to: now });
        if (!probe) return;
        const inDoubt = connections.some(
          (one) => one.question !== question && one.port === probe.port && (one.to === null || one.to > from),
        );
        answers.push({ question, probe, inDoubt });
        if (probe.result.ok && isOwnAnswer(probe.by) && isTheirs(probe)) {
          isTold = true;
          tell();
        }
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
    return work;
  };

  for (const turn of TURNS) {
    if (turn >= UNLESS_TOLD && isTold) break;
    const due = questions.filter((question) => turnOf(question) === turn);
    // A machine refuses a few times a second only: the typed port is to have the first of them.
    due.sort((a, b) => Number(b.port === port) - Number(a.port === port));
    const asked = due.map(begin);
    if (asked.length > 0)
      await within(Promise.race([Promise.all(asked), told]), Math.min(TURN_MS, until - performance.now()));
  }
  await within(Promise.race([Promise.all(underWay), told]), until - performance.now());
  await within(Promise.all(underWay), Math.min(AFTERWARDS_MS, until - performance.now()));

  const counted = answers.filter(
    // Where nobody was counted, we were not either.
    ({ probe, inDoubt }) => inDoubt && probe.result.ok && (probe.result.answer.players ?? 0) > 0,
  );
  const probes = answers.map(({ probe }) => probe);
  if (counted.length === 0) return probes;
  await within(Promise.all(underWay), until - performance.now());
  for (const { question, probe } of counted) {
    await within(pause(HANG_UP_MS), until - performance.now());
    const again = await within(
      question.ask().catch(() => null),
      until - performance.now(),
    );
    if (again?.result.ok) probes[probes.indexOf(probe)] = again;
  }
  return probes;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** What the work comes to, or nothing when it takes longer. */
async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  const { promise: over, resolve: end } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => end(undefined), Math.max(ms, 0));
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
