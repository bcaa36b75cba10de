// Sends members a daily digest of the notifications deferred since the last one, in the order of events.
import { sql } from "drizzle-orm";
import type { Digest } from "#content/notifications/telling-mail.ts";
import type { Db } from "#db/client.ts";
import type { MailLocale } from "../mails.ts";
import { mailIsWanted, mayBeTold, quietUntil } from "./audience.ts";
import type { ToldEvent } from "./channel.ts";
import { tellingOf } from "./telling.ts";

/** Sending time in the member's time zone: early enough for an evening of playing, late enough to cover most of the day. */
const AT = "18:00";
const MOST_THINGS = 50;
/** A digest is useless after the next one. */
const USEFUL_H = 24;
const MEMBERS_A_ROUND = 100;

type DueMember = { target_id: string; user_id: string; locale: MailLocale; today: string; quiet_until: string | null };
type HeldEvent = Omit<ToldEvent, "happened_at" | "event_id"> & { at: string; may_be_told: boolean };

/**
 * Writes the digest of every member whose hour has come, each in a transaction of its own; marks its notifications as sent. Expires
 * deferred ones that no digest took within two days.
 * @returns how many mails were written
 */
export async function writeDueDigests(db: Db, signal?: AbortSignal): Promise<number> {
  await db.execute(sql`
    update notification_deliveries set state = 'expired' where state = 'held' and expires_at <= now()`);
  let written = 0;
  for (;;) {
    const { rows: due } = await listDueMembers(db);
    for (const member of due) {
      if (signal?.aborted) return written;
      if (await writeDigest(db, member)) written += 1;
    }
    if (due.length < MEMBERS_A_ROUND) return written;
  }
}

/** At most once per local day, also where clocks go back. */
const isDue = sql`(p.digest_of is null or p.digest_of < (now() at time zone p.time_zone)::date)
  and (now() at time zone p.time_zone)::time >= ${AT}::time`;

const listDueMembers = (db: Db) =>
  db.execute<DueMember>(sql`
    select t.target_id, t.user_id, t.locale, (now() at time zone p.time_zone)::date::text as today, ${quietUntil} as quiet_until
    from notification_targets t
    join users u on u.user_id = t.user_id
    join notification_preferences p on p.user_id = t.user_id
    where t.kind = 'mail' and t.dead_at is null and ${mailIsWanted} and ${isDue}
      and exists (select from notification_deliveries d where d.target_id = t.target_id and d.state = 'held')
    limit ${MEMBERS_A_ROUND}`);

function writeDigest(db: Db, { target_id, user_id, locale, today, quiet_until }: DueMember): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { rows: ours } = await tx.execute(sql`
      update notification_preferences p set digest_of = ${today}::date where user_id = ${user_id} and ${isDue} returning 1`);
    // Another process has written it.
    if (ours.length === 0) return false;
    const { rows: held } = await takeHeld(tx, target_id);
    const things = held.flatMap(({ at, may_be_told, ...event }) => {
      const telling = may_be_told && tellingOf({ ...event, event_id: 0, happened_at: new Date() }, locale);
      return telling ? [{ ...telling, at }] : [];
    });
    if (things.length === 0) return false;
    const digest: Digest = { things: things.slice(0, MOST_THINGS), more: Math.max(0, things.length - MOST_THINGS) };
    await tx.execute(sql`
      insert into notification_deliveries (target_id, channel, payload, dedupe_key, next_attempt_at, expires_at)
      values (${target_id}, 'mail', ${JSON.stringify({ digest })}::jsonb, ${`digest ${today} ${target_id}`},
        coalesce(${quiet_until}::timestamptz, now()), now() + ${USEFUL_H} * interval '1 hour')
      on conflict (dedupe_key) do nothing`);
    return true;
  });
}

/** Marks a mailbox's deferred deliveries as sent and returns them; `at` is the member's local time. */
const takeHeld = (tx: Db, targetId: string) =>
  tx.execute<HeldEvent>(sql`
    with taken as (
      update notification_deliveries set state = 'sent', sent_at = now()
      where target_id = ${targetId} and state = 'held' returning event_id, target_id)
    select e.kind, e.server_id, coalesce(e.game_id, s.game_id) as game_id, e.subject_id, e.facts,
      s.server_name, g.game_name, g.game_slug, to_char(e.happened_at at time zone p.time_zone, 'HH24:MI') as at,
      ${mayBeTold(sql`false`)} as may_be_told
    from taken join notification_events e using (event_id)
    join notification_targets t using (target_id)
    left join users u on u.user_id = t.user_id
    left join notification_preferences p on p.user_id = t.user_id
    left join gameserver s on s.server_id = e.server_id
    left join games g on g.game_id = coalesce(e.game_id, s.game_id)
    order by e.happened_at, e.event_id`);
