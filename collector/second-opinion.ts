/**
 * Checks before a server is called offline whether outposts reach it, so that only our own route is cut (decision 040).
 *
 * - One outpost delays the verdict by two minutes at most; then the usual rules apply. It never decides: it may lie.
 * - Two or more that agree defer it for as long as they say so.
 * - None, or none with a fresh result: the usual rules. An outpost never makes a server online, and its "down" changes nothing.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "#db/sql.ts";

/** How long one outpost may delay a verdict, from when it was due, in ms. */
const ONE_DELAYS_MS = 120_000;
/** Outposts that decide together. */
const AGREED = 2;
/** Older results don't count. */
const FRESH_S = 60;

/** `held`: not called offline; `agreed`: enough outposts agree. */
type Opinion = { held: boolean; agreed: boolean; outposts: number };

export type SecondOpinion = {
  /**
   * Returns the outposts' view of a game server failing since `failingSince`, due to be called offline at `confirmAt`. All in ms of
   * the database's clock. Rejects while the database is unavailable.
   */
  of(serverId: number, failingSince: number, confirmAt: number): Promise<Opinion>;
  /** Records that from `from` until now only our own view was cut: neither up nor down time. */
  recordUnseen(serverId: number, from: number): Promise<void>;
};

/** A site without outposts. */
export const NO_OUTPOSTS: SecondOpinion = {
  of: async () => ({ held: false, agreed: false, outposts: 0 }),
  recordUnseen: async () => {},
};

/** Requests within this time share one statement: when a network is cut, there are thousands. */
const TOGETHER_MS = 20;

/** One outpost reached one game server, at a time in ms of the database's clock. */
type Reached = { server_id: number; outpost_id: number; asked_ms: number };

/** Evaluates when outposts reached a game server (ms). Pure. */
export function weighOpinions(
  reached: Pick<Reached, "outpost_id" | "asked_ms">[],
  { failingSince, confirmAt, now }: { failingSince: number; confirmAt: number; now: number },
): Opinion {
  const since = reached.filter(({ asked_ms }) => asked_ms >= failingSince);
  const outposts = new Set(since.map(({ outpost_id }) => outpost_id)).size;
  const agreed = outposts >= AGREED;
  return { held: agreed || (outposts > 0 && now < confirmAt + ONE_DELAYS_MS), agreed, outposts };
}

/** Reads the outposts' results from the database. @param databaseNow its clock, in ms since 1970 */
export function createSecondOpinion(sql: Sql, databaseNow: () => number): SecondOpinion {
  let waiting: { ids: Set<number>; reached: Promise<Reached[]> } | null = null;

  function whoReaches(serverId: number): Promise<Reached[]> {
    if (waiting === null) {
      const ids = new Set<number>();
      waiting = { ids, reached: pause(TOGETHER_MS).then(() => read(ids)) };
    }
    waiting.ids.add(serverId);
    return waiting.reached;
  }
  async function read(ids: Set<number>): Promise<Reached[]> {
    waiting = null;
    // now() is the start of this statement, which may see later results: uses the clock, so that they aren't in the future.
    return sql<Reached[]>`
      SELECT r.server_id, r.outpost_id, (extract(epoch FROM r.asked_at) * 1000)::float8 AS asked_ms
      FROM outpost_results r JOIN gameserver g USING (server_id)
      WHERE r.server_id = ANY (${[...ids]}::int[]) AND r.ok AND r.target_key = gameserver_target_key(g)
        AND r.asked_at BETWEEN now() - make_interval(secs => ${FRESH_S}::int) AND clock_timestamp()`;
  }

  return {
    async of(serverId, failingSince, confirmAt) {
      const reached = (await whoReaches(serverId)).filter(({ server_id }) => server_id === serverId);
      return weighOpinions(reached, { failingSince, confirmAt, now: databaseNow() });
    },
    async recordUnseen(serverId, from) {
      await sql`
        WITH known AS (
          UPDATE gameserver_watch_gap SET ends_at = now()
          WHERE server_id = ${serverId} AND reason = 'own_fault' AND starts_at = to_timestamp(${from}::float8 / 1000)
          RETURNING gap_id
        )
        INSERT INTO gameserver_watch_gap (server_id, starts_at, ends_at, reason)
        SELECT ${serverId}::int, to_timestamp(${from}::float8 / 1000), now(), 'own_fault' WHERE NOT EXISTS (SELECT FROM known)`;
    },
  };
}
