// Orders the doctor's queries so that no game server counts the doctor as a player and the typed port comes first.
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { type AskedAdapterId, isOwnAnswer } from "#shared/adapters.ts";
import type { Probe } from "./diagnosis.ts";

/** One possible query. */
export type Question = {
  by: AskedAdapterId;
  /** Null: DNS knows the port. */
  port: number | null;
  /** Null: the query wasn't possible. */
  ask(): Promise<Probe | null>;
};

/** Longest delay of the next turn by this one. */
const TURN_MS = 700;
/** Once the game has identified itself, wait no longer than this for the rest. */
const AFTERWARDS_MS = 500;
/** A game server needs a moment to notice a closed connection. */
const HANG_UP_MS = 150;

const isOverTcp = (by: AskedAdapterId): boolean => ADAPTERS[by].transport === "tcp";

/**
 * UDP first: some games (OpenTTD) count any connection as a player. Then a game's own TCP port; only without a reply so far, web
 * interfaces of others, and last whether a port accepts.
 */
function turnOf({ by }: Question): number {
  if (!isOverTcp(by)) return 0;
  if (by === "minecraft") return 1;
  return isOwnAnswer(by) ? 2 : 3;
}
const UNLESS_TOLD = 2;
const TURNS = [0, 1, 2, 3];

/** A connection of ours, its start and end (ms); `to` is null while it is open. */
type Connection = { question: Question; port: number | null; from: number; to: number | null };

/**
 * Queries in turns; resolves with the replies until `until` (by `performance.now()`). Repeats a count received while another
 * connection of ours was open at the same port, after that one has closed. Never rejects.
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
    // The long tail may use TCP as well.
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
    // A machine refuses only a few times a second: query the typed port first.
    due.sort((a, b) => Number(b.port === port) - Number(a.port === port));
    const asked = due.map(begin);
    if (asked.length > 0)
      await within(Promise.race([Promise.all(asked), told]), Math.min(TURN_MS, until - performance.now()));
  }
  await within(Promise.race([Promise.all(underWay), told]), until - performance.now());
  await within(Promise.all(underWay), Math.min(AFTERWARDS_MS, until - performance.now()));

  const counted = answers.filter(
    // A count of zero can't include us.
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

/** Resolves with the work's result, or undefined after a timeout. */
async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  const { promise: over, resolve: end } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => end(undefined), Math.max(ms, 0));
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
