// What waits to leave the house, what fails and what was given up, as admins see it; and sending it again by hand.
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

/** waiting: its time has not come. failing: tried in vain, and tried again. dead: given up, or nobody knows. */
export const OUTBOX_PARTS = ["failing", "dead", "waiting"] as const;
export type OutboxPart = (typeof OUTBOX_PARTS)[number];

const isWaiting = sql`${deliveries.state} in ('waiting', 'sending')`;
const PARTS: Record<OutboxPart, SQL> = {
  failing: sql`${isWaiting} and ${deliveries.last_error} is not null`,
  // What expired while it failed was given up as well; what nobody tried was simply over.
  dead: sql`(${deliveries.state} in ('failed', 'dead', 'doubtful') or (${deliveries.state} = 'expired' and ${deliveries.attempts} > 0))`,
  waiting: sql`(${isWaiting} and ${deliveries.last_error} is null or ${deliveries.state} = 'held')`,
};

/** How many there are of each part, of the 30 days that they are kept. */
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

/** Times are ISO 8601. Of people's own targets nothing is told but the kind. */
export type OutboxRow = {
  delivery_id: string;
  channel: (typeof deliveries.$inferSelect)["channel"];
  state: (typeof deliveries.$inferSelect)["state"];
  /** The event's kind; null: a mail of an account or a test. */
  kind: string | null;
  server_name: string | null;
  /** The operators' channel; null: somebody's own. */
  channel_name: string | null;
  attempts: number;
  last_error: string | null;
  answer: string | null;
  created_at: string;
  next_attempt_at: string | null;
  /** Whether it can be sent again by hand. */
  again: boolean;
};

/** What it says is still known, and there is a target to which it can go. */
const canGoAgain = and(
  isNotNull(deliveries.event_id),
  PARTS.dead,
  sql`${targets.target_id} is not null and ${targets.dead_at} is null`,
);

/** One page of a part, the newest first. */
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
 * Sends one again that was given up. Whether it is still true is asked as always; a machine knows the repetition by its id.
 * False: there is none that could be.
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
