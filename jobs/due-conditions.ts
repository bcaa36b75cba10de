/** SQL conditions under which a job has work; one statement checks those of all jobs. */
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { Channel } from "#domain/notifications/channel.ts";
import { TOLD_BEFORE_MS } from "#shared/plans.ts";

/** Returns the names whose condition holds now. Rejects while the database is unavailable. */
export async function findDue(db: Db, conditions: ReadonlyMap<string, SQL>): Promise<Set<string>> {
  if (conditions.size === 0) return new Set();
  const names = [...conditions.keys()];
  const columns = [...conditions.values()].map((condition, at) => sql`(${condition}) as ${sql.identifier(`d${at}`)}`);
  const {
    rows: [row],
  } = await db.execute<Record<string, boolean>>(sql`select ${sql.join(columns, sql`, `)}`);
  return new Set(names.filter((_, at) => row?.[`d${at}`] === true));
}

/** A due delivery of a channel. */
export function deliveriesAreDue({ kinds }: Pick<Channel, "kinds">): SQL {
  return sql`exists (select from notification_deliveries
    where channel = any(${sql.param(kinds)}::text[]) and next_attempt_at <= now())`;
}

/** An event without deliveries yet. */
export const eventsAreDue = sql`
  exists (select from notification_events where fanned_out_at is null and not_before <= now())`;

/** News that has begun without notifications yet. */
export const newsAreDue = sql`
  exists (select from news where published and told_at is null and starts_at <= now())`;

/** A pasted line that no process is examining. */
export const addressLinesAreDue = sql`
  exists (select from address_batch_lines
    where examined_at is null and unread is null and coalesce(claimed_until <= now(), true))`;

/** A live card that is due. */
export const cardsAreDue = sql`
  exists (select from discord_cards where next_at <= now() and state in ('waiting', 'making', 'shown', 'ending'))`;

/** A game server that is down, and a follow of any server's return. */
export const followersMayWait = sql`
  exists (select from gameserver_live_metrics where status = 'offline')
  and exists (select from follows where kind = 'server_up')`;

/** A step of a plan: its next occurrence, or a beginning, end or announcement. */
export const plansAreDue = sql`
  exists (select from plans where due_at <= now() and ended_at is null)
  or exists (select from plan_occurrences where over_at is null and (
    ends_at <= now() or (began_at is null and starts_at <= now())
    or (told_at is null and starts_at - ${TOLD_BEFORE_MS} * interval '1 millisecond' <= now() and starts_at > now())))`;

/** A maintenance past its end. */
export const maintenancesAreOver = sql`
  exists (select from gameserver where maintenance_until <= now() and lifecycle = 'maintenance')`;
