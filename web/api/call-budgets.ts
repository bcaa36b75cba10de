// Limits calls of the public API: counts in memory, so that reading needs no database, and adds the counts of all web
// processes once a second through Postgres.
import type { Logger } from "pino";
import { CLIENTS_OF_NETWORK } from "../request/client-keys.ts";
import type { RateLimits } from "../request/rate-limits.ts";

const WINDOW_S = 60;
/** Calls a minute: of a client without a key, of a key or a member, and with invalid tokens; and of networks. */
const CALLS = {
  address: 300,
  network: 300 * CLIENTS_OF_NETWORK,
  known: 600,
  wrong: 20,
  wrongOfNetwork: 20 * CLIENTS_OF_NETWORK,
};
type Kind = keyof typeof CALLS;
/** Clients with fewer calls are not reported to other processes. */
const TOLD_FROM = 10;
/** The number of separate budgets; all other clients share one of their kind. */
const MOST_CALLERS = 50_000;
const SHARE_EVERY_MS = 1_000;

/** `own`: since the last report. `shared`: the count of all processes at that time. */
type Count = { kind: Kind; of: string; own: number; shared: number; endsAt: number };

export type CallBudgets = ReturnType<typeof createCallBudgets>;

/** Makes this process's counts, of one minute each, and starts sharing them; `stop` ends that. */
export function createCallBudgets(limits: Pick<RateLimits, "add">, log: Logger) {
  const counts = new Map<string, Count>();

  function countOf(kind: Kind, of: string): Count {
    const key = `${kind} ${of}`;
    const found = counts.get(key);
    if (found && found.endsAt > performance.now()) return found;
    if (!found && counts.size >= MOST_CALLERS) {
      forgetEnded();
      if (counts.size >= MOST_CALLERS && of !== "others") return countOf(kind, "others");
    }
    const count = { kind, of, own: 0, shared: 0, endsAt: performance.now() + WINDOW_S * 1000 };
    counts.set(key, count);
    return count;
  }
  function forgetEnded() {
    const now = performance.now();
    for (const [key, { endsAt }] of counts) if (endsAt <= now) counts.delete(key);
  }
  const waitOf = ({ kind, own, shared, endsAt }: Count, more: number) =>
    own + shared + more > CALLS[kind] ? Math.max(1, Math.ceil((endsAt - performance.now()) / 1000)) : null;

  async function share() {
    forgetEnded();
    const told = [...counts.values()].filter(({ own, shared }) => own > 0 && (shared > 0 || own >= TOLD_FROM));
    if (told.length === 0) return;
    const sent = told.map((count) => ({
      name: `api-${count.kind}`,
      of: count.of,
      points: count.own,
      seconds: WINDOW_S,
    }));
    const totals = await limits.add(sent);
    for (const [index, count] of told.entries()) {
      const total = totals[index];
      if (!total) continue;
      count.own -= sent[index]?.points ?? 0;
      count.shared = total.points;
      count.endsAt = performance.now() + total.wait_s * 1000;
    }
  }
  let sharing = false;
  const timer = setInterval(() => {
    if (sharing) return;
    sharing = true;
    share()
      .catch((error) => log.debug({ err: error }, "call budgets could not be shared; each process counts alone"))
      .finally(() => {
        sharing = false;
      });
  }, SHARE_EVERY_MS);
  timer.unref();

  return {
    /** Counts a call. Null: allowed; otherwise the seconds to wait. */
    consume(kind: Kind, of: string): number | null {
      const count = countOf(kind, of);
      const wait = waitOf(count, 1);
      // Refused calls are not counted: the count stays a small number.
      if (wait === null) count.own += 1;
      return wait;
    },
    /** Gets the seconds to wait if a budget is spent, without counting. */
    spent: (kind: Kind, of: string): number | null => waitOf(countOf(kind, of), 1),
    stop: () => clearInterval(timer),
  };
}
