/**
 * Before a game server is called offline: do outposts reach it, so that only our own way there is cut? (decision 040)
 *
 * - One outpost delays the verdict by two minutes at most; then today's rules hold. It never decides: it may lie.
 * - Two or more that agree hold it for as long as they say so.
 * - None, or none with a fresh result: today's rules. No outpost makes anything online, and "down" from there changes nothing.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "#db/sql.ts";

/** For so long may one outpost delay a verdict, from the moment at which it could have been given, in ms. */
const ONE_DELAYS_MS = 120_000;
/** That many decide together. */
const AGREED = 2;
/** An older result says nothing of now. */
const FRESH_S = 60;

/** `held`: it is not called offline; `agreed`: as many as decide together say so. */
type Opinion = { held: boolean; agreed: boolean; outposts: number };

export type SecondOpinion = {
  /**
   * What outposts say of a game server that fails since `failingSince` and could have been called offline at `confirmAt`. All in
   * ms of the database's clock. Rejects while the database is away.
   */
  of(serverId: number, failingSince: number, confirmAt: number): Promise<Opinion>;
  /** Writes down that from `from` on up to now only our own sight was cut: neither up nor down time. */
  recordUnseen(serverId: number, from: number): Promise<void>;
};

/** A site without outposts. */
export const NO_OUTPOSTS: SecondOpinion = {
  of: async () => ({ held: false, agreed: false, outposts: 0 }),
  recordUnseen: async () => {},
};

/** Those who ask within this time are answered by one statement: where a network is cut, thousands ask. */
const TOGETHER_MS = 20;

/** One outpost reached one game server, at a time in ms of the database's clock. */
type Reached = { server_id: number; outpost_id: number; asked_ms: number };

/** What it comes to that outposts reached a game server when they asked it (ms). The rule alone: pure. */
export function weighOpinions(
  reached: Pick<Reached, "outpost_id" | "asked_ms">[],
  { failingSince, confirmAt, now }: { failingSince: number; confirmAt: number; now: number },
): Opinion {
  const since = reached.filter(({ asked_ms }) => asked_ms >= failingSince);
  const outposts = new Set(since.map(({ outpost_id }) => outpost_id)).size;
  const agreed = outposts >= AGREED;
  return { held: agreed || (outposts > 0 && now < confirmAt + ONE_DELAYS_MS), agreed, outposts };
}

/** Asks the database what its outposts wrote. @param databaseNow its clock, in ms since 1970 */
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
    // now() is when this statement began, and it may see what came in since: by the clock, that is none of the time to come.
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
