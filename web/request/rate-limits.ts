// Limits how often something may be tried: counted in Postgres for all web processes together, with one statement per try.
import { createHash } from "node:crypto";
import { and, eq, gt, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { rateLimits } from "#db/schema/index.ts";
import { CLIENTS_OF_NETWORK, clientKeysOf } from "./client-keys.ts";

/** The tries that a period of time allows. */
export type Budget = { tries: number; seconds: number };

/**
 * One try against one budget; `of` identifies its owner. Budgets are counted in `turn`s: if a budget of an earlier turn is
 * spent, the try is not counted against later ones.
 */
export type RateLimit = { budget: Budget; name: string; of: string; turn?: 1 | 2 };

/** Makes a budget's key; hashes the owner, so as not to store it. */
const keyOf = ({ name, of }: Pick<RateLimit, "name" | "of">) =>
  `${name}:${createHash("sha256").update(of).digest("base64url").slice(0, 22)}`;

export type RateLimits = ReturnType<typeof createRateLimits>;

/** The limits of all web processes of one database. All reject while it is unavailable. */
export function createRateLimits(db: Db) {
  return {
    /**
     * Counts a try against each budget: a client's first, then its network's, then all others, each only while those before are
     * open, so that one busy address spends only its own budget. Returns null if all allow it, otherwise the seconds until the
     * last spent one opens.
     */
    async consume(limits: RateLimit[]): Promise<number | null> {
      const rows = inOrder(limits);
      const {
        rows: [spent],
      } = await db.execute<{ wait_s: number | null }>(sql`
        with asked as (
          select * from unnest(
            ${sql.param(rows.map(({ key }) => key))}::text[],
            ${sql.param(rows.map(({ budget }) => budget.tries))}::int[],
            ${sql.param(rows.map(({ budget }) => budget.seconds))}::int[],
            ${sql.param(rows.map(({ turn }) => turn))}::int[]
          ) as asked (key, tries, seconds, turn)
        ),
        gate as (${counting(sql`turn = 1`)}),
        network as (${counting(sql`turn = 2 and not exists (select from gate where spent)`)}),
        rest as (${counting(sql`turn = 3 and not exists (select from gate where spent) and not exists (select from network where spent)`)})
        select max(greatest(1, ceil(extract(epoch from expires_at - now()))))::int as wait_s
        from (table gate union all table network union all table rest) as tried where spent`);
      return spent?.wait_s ?? null;
    },
    /** Gets the seconds until all these budgets are open again, without counting a try; null: they are open. */
    async waitFor(limits: RateLimit[]): Promise<number | null> {
      const [row] = await db
        .select({ wait_s: sql<number | null>`max(ceil(extract(epoch from ${rateLimits.expires_at} - now())))::int` })
        .from(rateLimits)
        .where(
          and(
            gt(rateLimits.expires_at, sql`now()`),
            or(
              ...limits.map((limit) =>
                and(eq(rateLimits.limit_key, keyOf(limit)), gte(rateLimits.points, limit.budget.tries)),
              ),
            ),
          ),
        );
      return row?.wait_s ?? null;
    },
    /** Adds counts made elsewhere, each under its own name, and returns the totals in order; a missing entry was not counted. */
    async add(
      counted: { name: string; of: string; points: number; seconds: number }[],
    ): Promise<({ points: number; wait_s: number } | undefined)[]> {
      const rows = inOrder(counted);
      const column = <Name extends "key" | "points" | "seconds">(name: Name) => sql.param(rows.map((row) => row[name]));
      const { rows: totals } = await db.execute<{ limit_key: string; points: number; wait_s: number }>(sql`
        insert into rate_limits as kept (limit_key, points, expires_at)
        select key, points, now() + make_interval(secs => seconds)
        from unnest(${column("key")}::text[], ${column("points")}::int[], ${column("seconds")}::int[])
          as asked (key, points, seconds)
        on conflict (limit_key) do update set
          points = case when kept.expires_at <= now() then excluded.points else kept.points + excluded.points end,
          expires_at = case when kept.expires_at <= now() then excluded.expires_at else kept.expires_at end
        returning limit_key, points, ceil(extract(epoch from expires_at - now()))::int as wait_s`);
      const byKey = new Map([...totals].map((row) => [row.limit_key, row]));
      return counted.map((one) => byKey.get(keyOf(one)));
    },
    /**
     * Takes one of the `most` slots that an owner may hold at once, over all web processes; false: all are taken. Slots that
     * were not released are free again after `seconds` without another one taken.
     */
    async hold({ most, seconds, ...whose }: { name: string; of: string; most: number; seconds: number }) {
      const { rows: held } = await db.execute(sql`
        insert into rate_limits as kept (limit_key, points, expires_at)
        values (${keyOf(whose)}, 1, now() + make_interval(secs => ${seconds}))
        on conflict (limit_key) do update set
          points = case when kept.expires_at <= now() then 1 else kept.points + 1 end,
          expires_at = excluded.expires_at
        where kept.expires_at <= now() or kept.points < ${most}
        returning points`);
      return held.length > 0;
    },
    /** Releases one slot. */
    async letGo(whose: { name: string; of: string }): Promise<void> {
      await db
        .update(rateLimits)
        .set({ points: sql`${rateLimits.points} - 1` })
        .where(and(eq(rateLimits.limit_key, keyOf(whose)), gt(rateLimits.points, 0)));
    },
    /** Resets a budget after a successful try. */
    async forgive(limits: Pick<RateLimit, "name" | "of">[]): Promise<void> {
      await db.delete(rateLimits).where(inArray(rateLimits.limit_key, limits.map(keyOf)));
    },
    async sweep(): Promise<void> {
      await db.delete(rateLimits).where(lt(rateLimits.expires_at, sql`now()`));
    },
  };
}

/** Adds keys and turns and sorts in the same order for all statements, which avoids deadlocks. */
const inOrder = <One extends Pick<RateLimit, "name" | "of" | "turn">>(counted: One[]) =>
  counted
    .map((one) => ({ ...one, key: keyOf(one), turn: one.turn ?? 3 }))
    .sort((a, b) => a.turn - b.turn || (a.key < b.key ? -1 : 1));

/** Counts one try under each of the `asked` keys that meet the condition. */
const counting = (which: SQL) => sql`
  insert into rate_limits as kept (limit_key, points, expires_at)
  select key, 1, now() + make_interval(secs => seconds) from asked where ${which}
  on conflict (limit_key) do update set
    points = case when kept.expires_at <= now() then 1 else kept.points + 1 end,
    expires_at = case when kept.expires_at <= now() then excluded.expires_at else kept.expires_at end
  returning expires_at, points > (select tries from asked where key = limit_key) as spent`;

/**
 * The budgets of an address: its client's, counted first, and for IPv6 its network's, which is CLIENTS_OF_NETWORK times as
 * large and counted only while the client's is open.
 */
export function ofAddress(name: string, ip: string, budget: Budget): RateLimit[] {
  const { client, network } = clientKeysOf(ip);
  const own: RateLimit = { name: `${name}:address`, of: client, budget, turn: 1 };
  if (network === client) return [own];
  const shared = { ...budget, tries: budget.tries * CLIENTS_OF_NETWORK };
  return [own, { name: `${name}:network`, of: network, budget: shared, turn: 2 }];
}

/** The budget of an account, or of one of its devices. */
export const ofAccount = (name: string, of: string, budget: Budget): RateLimit => ({
  name: `${name}:account`,
  of,
  budget,
});

/** The budget of all clients together. */
export const ofAll = (name: string, budget: Budget): RateLimit => ({ name: `${name}:all`, of: "all", budget });
