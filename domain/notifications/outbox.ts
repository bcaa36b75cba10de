// The outbox for admins: lists waiting, failing and failed deliveries; sends one again by hand.
import { and, desc, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import {
  notificationDeliveries as deliveries,
  notificationEvents as events,
  gameserver,
  notificationTargets as targets,
} from "#db/schema/index.ts";
import { countUpTo, type ListPage, type ListQuery, readPage } from "../paging.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { withoutMailAddresses } from "../site/without-mail-addresses.ts";
import { sendAgain } from "./deliveries.ts";

/** waiting: not due yet. failing: failed, and retried. dead: given up, or in doubt. */
export const OUTBOX_PARTS = ["failing", "dead", "waiting"] as const;
export type OutboxPart = (typeof OUTBOX_PARTS)[number];

const isWaiting = sql`${deliveries.state} in ('waiting', 'sending')`;
const PARTS: Record<OutboxPart, SQL> = {
  failing: sql`${isWaiting} and ${deliveries.last_error} is not null`,
  // Expired after a failure counts as given up; expired without an attempt was simply too late.
  dead: sql`(${deliveries.state} in ('failed', 'dead', 'doubtful') or (${deliveries.state} = 'expired' and ${deliveries.attempts} > 0))`,
  waiting: sql`(${isWaiting} and ${deliveries.last_error} is null or ${deliveries.state} = 'held')`,
};

/** Counts each part within the 30 days that deliveries are stored. */
export async function countOutbox(db: Db): Promise<Record<OutboxPart, number>> {
  const [row] = await db
    .select({
      failing: sql<number>`count(*) filter (where ${PARTS.failing})`.mapWith(Number),
      dead: sql<number>`count(*) filter (where ${PARTS.dead})`.mapWith(Number),
      waiting: sql<number>`count(*) filter (where ${PARTS.waiting})`.mapWith(Number),
    })
    .from(deliveries)
    .where(or(PARTS.failing, PARTS.dead, PARTS.waiting));
  return row ?? { failing: 0, dead: 0, waiting: 0 };
}

/** Times are ISO 8601. Shows nothing but the kind of people's own targets. */
export type OutboxRow = {
  delivery_id: string;
  channel: (typeof deliveries.$inferSelect)["channel"];
  state: (typeof deliveries.$inferSelect)["state"];
  /** The event's kind; null: an account mail or a test. */
  kind: string | null;
  server_name: string | null;
  /** The operators' channel; null: a person's own target. */
  channel_name: string | null;
  attempts: number;
  last_error: string | null;
  answer: string | null;
  created_at: string;
  next_attempt_at: string | null;
  /** True if it can be sent again by hand. */
  again: boolean;
};

/** Its content is still stored, and it has a target. */
const canGoAgain = and(
  isNotNull(deliveries.event_id),
  PARTS.dead,
  sql`${targets.target_id} is not null and ${targets.dead_at} is null`,
);

/** Lists one page of a part, newest first. */
export function listOutbox<Sort extends string>(
  db: Db,
  query: ListQuery<Sort>,
  part: OutboxPart,
): Promise<ListPage<OutboxRow, Sort>> {
  return readPage(
    query,
    (most) => countUpTo(db, deliveries, PARTS[part], most),
    async (limit, offset) => {
      const rows = await db
        .select({
          delivery_id: deliveries.delivery_id,
          channel: deliveries.channel,
          state: deliveries.state,
          kind: events.kind,
          server_name: gameserver.server_name,
          channel_name: targets.name,
          attempts: deliveries.attempts,
          last_error: deliveries.last_error,
          answer: deliveries.answer,
          created_at: deliveries.created_at,
          next_attempt_at: deliveries.next_attempt_at,
          again: sql<boolean>`coalesce(${canGoAgain}, false)`,
        })
        .from(deliveries)
        .leftJoin(events, eq(events.event_id, deliveries.event_id))
        .leftJoin(gameserver, eq(gameserver.server_id, events.server_id))
        .leftJoin(targets, eq(targets.target_id, deliveries.target_id))
        .where(PARTS[part])
        .orderBy(desc(deliveries.created_at), desc(deliveries.delivery_id))
        .limit(limit)
        .offset(offset);
      return rows.map(({ created_at, next_attempt_at, last_error, ...row }) => ({
        ...row,
        last_error: last_error && withoutMailAddresses(last_error),
        created_at: created_at.toISOString(),
        next_attempt_at: next_attempt_at?.toISOString() ?? null,
      }));
    },
  );
}

/**
 * Sends a failed delivery again. Whether it is still true is checked as usual; machines recognise the repetition by its id. False:
 * none that could be sent.
 */
export function sendAgainByHand(db: Db, actor: Actor, deliveryId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await sendAgain(tx, deliveryId))) return false;
    await recordAudit(tx, {
      what: "notification-sent-again",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "notification-delivery", id: deliveryId },
    });
    return true;
  });
}
