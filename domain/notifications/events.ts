// Writing down what happened, in the transaction that makes it true: whoever tells people takes it from there.
import { lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notificationEvents } from "#db/schema/index.ts";
import { EVENT_KINDS, type EventFacts, type EventKind } from "./event-kinds.ts";

const KEPT_DAYS = 30;

/** What an event is about: a game server, the servers of a game, or (neither) the site. */
export type EventAbout = { server_id?: number | null; game_id?: number | null };

export type NewEvent = {
  kind: EventKind;
  about?: EventAbout;
  /** The news, incident or plan that it is about. */
  subject_id?: string | null;
  /** What the words are made of. Never a secret. */
  facts?: EventFacts;
  /** An event whose key is there already is not written again. Begins with the kind, as `news:12`. */
  dedupe_key: string;
  /** Events that share it are told to one target once (one news about several game servers). */
  telling_key?: string;
  happened_at?: Date;
  /** Nobody is told before. */
  not_before?: Date;
  /** Nobody is told from then on; without it the lifetime of the kind counts from `not_before`. */
  expires_at?: Date;
};

/** Writes events in the caller's transaction; they are told within seconds of its commit. Returns how many were new. */
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

/** One of them. */
export const recordEvent = async (db: Db, event: NewEvent): Promise<boolean> => (await recordEvents(db, [event])) === 1;

/** Takes back what nobody was told of yet (a plan that was called off, news that were withdrawn). */
export async function withdrawEvents(db: Db, dedupeKeys: string[]): Promise<void> {
  await db.execute(sql`
    with withdrawn as (
      update notification_events set fanned_out_at = coalesce(fanned_out_at, now()), outcome = coalesce(outcome, 'untrue')
      where dedupe_key = any(${sql.param(dedupeKeys)}::text[]) returning event_id)
    update notification_deliveries d set state = 'untrue', next_attempt_at = null, payload = null
    from withdrawn w where d.event_id = w.event_id and d.state in ('waiting', 'held')`);
}

/** Removes events older than 30 days, with what was delivered of them. */
export async function removeOldEvents(db: Db): Promise<void> {
  await db
    .delete(notificationEvents)
    .where(lt(notificationEvents.happened_at, sql`now() - ${KEPT_DAYS} * interval '1 day'`));
}
