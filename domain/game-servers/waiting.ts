// Polls game servers that are down every few seconds while a client watches them. At most fifty at once, shared among the watchers.
import { createHash } from "node:crypto";
import { inArray, lte, sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { gameserverWait } from "#db/schema/index.ts";
import { SOON_S } from "#shared/asked-every.ts";
import { tellDue } from "./due-channel.ts";

/** Servers polled this way at once, over all processes. */
const MOST = 50;
/** Limit per watcher. */
const MOST_OF_ONE = 5;

/** A watcher: a name such as an address, stored only as a hash, and its limit. */
export type Watcher = { name: string; most: number };

/** The watcher for a client address. */
export const watcherAt = (address: string): Watcher => ({ name: `address:${address}`, most: MOST_OF_ONE });

/** For clients that can't be told apart. */
export const ANYBODY: Watcher = { name: "anybody", most: MOST };

type Held = { server_id: number; watcher: string };

/**
 * Polls offline or unconfirmed game servers every five seconds for the next `seconds`, starting at once. The caller checks that
 * `watcher` may see them. If all fifty are taken, takes one from the watcher with the most.
 * @returns those polled this way now; the others keep their schedule
 */
export async function waitFor(db: Db, serverIds: number[], seconds: number, watcher: Watcher): Promise<number[]> {
  const whose = createHash("sha256").update(watcher.name).digest("base64url").slice(0, 22);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.waiting})`);
    await tx.delete(gameserverWait).where(lte(gameserverWait.until, sql`now()`));
    const held: Held[] = await tx
      .select({ server_id: gameserverWait.server_id, watcher: gameserverWait.watcher })
      .from(gameserverWait)
      .orderBy(gameserverWait.until);
    const { granted, renewed, ended } = shareOut(held, [...new Set(serverIds)], whose, watcher.most);
    if (ended.length > 0) await tx.delete(gameserverWait).where(inArray(gameserverWait.server_id, ended));
    if (renewed.length === 0) return granted;
    const until = sql`now() + make_interval(secs => ${seconds})`;
    await tx
      .insert(gameserverWait)
      .values(renewed.map((server_id) => ({ server_id, watcher: whose, until })))
      .onConflictDoUpdate({
        target: gameserverWait.server_id,
        set: { watcher: whose, until: sql`greatest(${gameserverWait.until}, excluded.until)` },
      });
    await askSoon(tx, renewed);
    return granted;
  });
}

/**
 * Assigns each game server to the watcher who renewed it last. One that is polled already is free for everyone, but only watchers
 * below their limit extend it.
 * @param held in the order in which they expire
 */
export function shareOut(held: Held[], wanted: number[], whose: string, most: number) {
  const holders = new Map(held.map(({ server_id, watcher }) => [server_id, watcher]));
  const counts = new Map<string, number>();
  const count = (of: string, by: number) => counts.set(of, (counts.get(of) ?? 0) + by);
  for (const { watcher } of held) count(watcher, 1);
  const granted: number[] = [];
  const renewed: number[] = [];
  const ended: number[] = [];

  /** Frees a slot of the watcher with the most; false if that would only swap slots back and forth. */
  function makeRoom(): boolean {
    if (holders.size < MOST) return true;
    const [greediest, n] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    if (greediest === whose || n <= (counts.get(whose) ?? 0) + 1) return false;
    const [taken] = [...holders].find(([, watcher]) => watcher === greediest) ?? [];
    if (taken === undefined) return false;
    holders.delete(taken);
    count(greediest, -1);
    ended.push(taken);
    return true;
  }

  for (const id of wanted) {
    const holder = holders.get(id);
    const hasRoom = holder === whose || (counts.get(whose) ?? 0) < most;
    if (hasRoom && (holder !== undefined || makeRoom())) {
      if (holder !== undefined) count(holder, -1);
      holders.set(id, whose);
      count(whose, 1);
      renewed.push(id);
      granted.push(id);
    } else if (holder !== undefined) granted.push(id);
  }
  return { granted, renewed, ended };
}

/** Polls at once instead of at the next turn. Locks in the order of ids and skips locked rows. */
async function askSoon(db: Pick<Db, "execute">, serverIds: number[]): Promise<void> {
  const { rows: due } = await db.execute(sql`
    update gameserver_live_metrics set
      next_poll_at = least(next_poll_at, greatest(now(), last_asked_at + interval '1 second' * ${SOON_S}))
    where server_id in (
      select server_id from gameserver_live_metrics
      where server_id = any(${sql.param(serverIds)}::int[]) and status in ('offline', 'degraded')
        and next_poll_at > now() + interval '1 second' * ${SOON_S + 1}
        and (claimed_until is null or claimed_until <= now())
      order by server_id for update skip locked)
    returning server_id`);
  if (due.length > 0) await tellDue(db);
}
