// Records events in the transaction that makes them true; the fan-out creates their notifications.
import { lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notificationEvents } from "#db/schema/index.ts";
import { EVENT_KINDS, type EventFacts, type EventKind } from "./event-kinds.ts";

const KEPT_DAYS = 30;

/** The subject of an event: a game server, all servers of a game, or (neither) the site. */
export type EventAbout = { server_id?: number | null; game_id?: number | null };

export type NewEvent = {
  kind: EventKind;
  about?: EventAbout;
  /** The news, incident or plan that it is about. */
  subject_id?: string | null;
  /** Values for the text. Never a secret. */
  facts?: EventFacts;
  /** An event with an existing key isn't recorded again. Begins with the kind, as `news:12`. */
  dedupe_key: string;
  /** Events with the same key are sent once per target (one news about several game servers). */
  telling_key?: string;
  happened_at?: Date;
  /** Not sent before this time. */
  not_before?: Date;
  /** Not sent from this time on; by default the kind's lifetime after `not_before`. */
  expires_at?: Date;
};

/** Records events in the caller's transaction; sent within seconds of its commit. Returns how many were new. */
export async function recordEvents(db: Db, events: NewEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const rows = await db
    .insert(notificationEvents)
    .values(
      events.map((event) => {
        const happened_at = event.happened_at?.toISOString() ?? null;
        const not_before = event.not_before?.toISOString() ?? null;
        return {
          kind: event.kind,
          server_id: event.about?.server_id ?? null,
          game_id: event.about?.game_id ?? null,
          subject_id: event.subject_id ?? null,
          facts: event.facts ?? {},
          dedupe_key: event.dedupe_key,
          telling_key: event.telling_key ?? null,
          happened_at: sql`coalesce(${happened_at}::timestamptz, now())`,
          not_before: sql`coalesce(${not_before}::timestamptz, now())`,
          expires_at:
            event.expires_at ??
            sql`coalesce(${not_before}::timestamptz, now()) + ${EVENT_KINDS[event.kind].lifetimeS} * interval '1 second'`,
        };
      }),
    )
    .onConflictDoNothing({ target: notificationEvents.dedupe_key })
    .returning({ event_id: notificationEvents.event_id });
  return rows.length;
}

/** Records one event. */
export const recordEvent = async (db: Db, event: NewEvent): Promise<boolean> => (await recordEvents(db, [event])) === 1;

/** Withdraws events that weren't sent yet (a cancelled plan, withdrawn news). */
export async function withdrawEvents(db: Db, dedupeKeys: string[]): Promise<void> {
  await db.execute(sql`
    with withdrawn as (
      update notification_events set fanned_out_at = coalesce(fanned_out_at, now()), outcome = coalesce(outcome, 'untrue')
      where dedupe_key = any(${sql.param(dedupeKeys)}::text[]) returning event_id)
    update notification_deliveries d set state = 'untrue', next_attempt_at = null, payload = null
    from withdrawn w where d.event_id = w.event_id and d.state in ('waiting', 'held')`);
}

/** Removes events older than 30 days with their deliveries. */
export async function removeOldEvents(db: Db): Promise<void> {
  await db
    .delete(notificationEvents)
    .where(lt(notificationEvents.happened_at, sql`now() - ${KEPT_DAYS} * interval '1 day'`));
}
