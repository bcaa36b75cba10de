// The outbox: claims due deliveries for one sender. A delivery marked as being sent without an outcome is in doubt: not repeated
// for people, repeated for machines and account mails.
import { lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics, notificationDeliveries } from "#db/schema/index.ts";
import type { MailLocale } from "../mails.ts";
import { mailIsWanted, mayBeTold } from "./audience.ts";
import type { Channel, ClaimedDelivery, ToldEvent } from "./channel.ts";
import { type EventFacts, factsOfKind } from "./event-kinds.ts";
import { type NowRow, serverNow, serverNowInSql } from "./fan-out.ts";
import { type DeliveryState, MAX_MAIL_ATTEMPTS } from "./outcomes.ts";
import { openTarget, type TargetRow } from "./targets.ts";
import { tellingOf } from "./telling.ts";

/** A delivery whose sender died is in doubt after this; longer than any attempt takes. */
export const CLAIM_S = 120;
/** Check again after this, while it is unknown whether the event still holds. */
const WAIT_S = 5;
/** Check again after this, while another delivery to the same target is in progress. */
const BUSY_S = 1;
const KEPT_DAYS = 30;

type DueRow = {
  delivery_id: string;
  channel: ClaimedDelivery["channel"];
  state: DeliveryState;
  attempts: number;
  dedupe_key: string;
  created_at: string;
  expires_in_s: number | null;
  is_over: boolean;
  payload: Record<string, unknown> | null;
  mail_to: string | null;
  reply_to: string | null;
  locale: MailLocale | null;
  template: string | null;
  event_id: string | null;
  kind: string | null;
  server_id: number | null;
  game_id: number | null;
  subject_id: string | null;
  facts: EventFacts | null;
  happened_at: string | null;
  server_name: string | null;
  game_name: string | null;
  game_slug: string | null;
  target: TargetRow | null;
  paused_s: number | null;
  may_be_told: boolean;
  by_rule: boolean;
  account_email: string | null;
} & NowRow;

/** Why a delivery ended unsent, stored in last_error; shown to people in their language. */
type EndedWhy = "expired" | "cut_off" | "channel_dead" | "unwanted" | "untrue";

/** The decision on a due row: send it, end it, or check again in this many seconds. */
type Fate = "send" | { ends: DeliveryState; why: EndedWhy } | { again_s: number };

type Claim = { db: Db; secret: string; siteIntervalS: number };

/**
 * Claims up to `limit` due deliveries of a channel for two minutes and marks them as being sent, so that a later claim recognises
 * them. Closes deliveries that are stale, expired or no longer permitted.
 * @param busy targets that the caller is sending to: one delivery at a time, so that a rate limit is hit once and not fifty times
 * @returns those to send now; `done`: nothing else is due
 */
export async function claimDeliveries(
  { db, secret, siteIntervalS }: Claim,
  channel: Pick<Channel, "kinds" | "audience">,
  limit: number,
  busy: ReadonlySet<string>,
): Promise<{ claimed: ClaimedDelivery[]; done: boolean }> {
  return db.transaction(async (tx) => {
    const due = await lockDue(tx, channel.kinds, limit);
    if (due.length === 0) return { claimed: [], done: true };
    const { rows } = await readDue(tx, due, siteIntervalS);
    const taken = new Set(busy);
    const fates = rows.map((row) => fateOf(row, channel.audience, taken));
    await writeFates(tx, rows, fates);
    const claimed = rows.filter((_, index) => fates[index] === "send").map((row) => asClaimed(row, secret));
    return { claimed, done: rows.length < limit };
  });
}

/** A separate statement, since nothing is due most of the time, and planning the one with all of a delivery's data takes 7 ms. */
async function lockDue(tx: Db, kinds: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ delivery_id: string }>(sql`
    select delivery_id from notification_deliveries where channel = any(${sql.param(kinds)}::text[]) and next_attempt_at <= now()
    order by next_attempt_at limit ${limit} for update skip locked`);
  return rows.map((row) => row.delivery_id);
}

const readDue = (tx: Db, ids: string[], siteIntervalS: number) =>
  tx.execute<DueRow>(sql`
    select d.delivery_id, d.channel, d.state, d.attempts, d.dedupe_key, d.created_at,
      extract(epoch from d.expires_at - now())::float8 as expires_in_s,
      coalesce(d.expires_at <= now(), false) as is_over, d.payload, d.mail_to, d.reply_to, d.locale, d.template,
      e.event_id, e.kind, e.server_id, coalesce(e.game_id, ${gameserver.game_id}) as game_id, e.subject_id, e.facts,
      e.happened_at, ${gameserver.server_name}, g.game_name, g.game_slug, to_jsonb(t) as target,
      extract(epoch from t.not_before - now())::float8 as paused_s,
      t.target_id is null or (${mayBeTold(sql`d.by_rule`)} and (d.by_rule or ${mailIsWanted})) as may_be_told, d.by_rule,
      case when u.email_verified then u.email end as account_email,
      ${serverNowInSql(siteIntervalS)}
    from notification_deliveries d
    left join notification_events e on e.event_id = d.event_id
    left join notification_targets t on t.target_id = d.target_id
    left join users u on u.user_id = t.user_id
    left join notification_preferences p on p.user_id = t.user_id
    left join gameserver s on s.server_id = e.server_id
    left join ${gameserver} on ${gameserver.server_id} = e.server_id
    left join ${gameserverLiveMetrics} on ${gameserverLiveMetrics.server_id} = e.server_id
    left join games g on g.game_id = coalesce(e.game_id, s.game_id)
    where d.delivery_id = any(${sql.param(ids)}::uuid[])
    order by d.next_attempt_at`);

/** @param taken targets with a delivery in progress; adds those of this claim */
function fateOf(row: DueRow, audience: Channel["audience"], taken: Set<string>): Fate {
  if (row.is_over) return { ends: "expired", why: "expired" };
  if (row.target === null) {
    return row.attempts >= MAX_MAIL_ATTEMPTS ? { ends: "failed", why: "cut_off" } : "send";
  }
  if (row.state === "sending" && audience === "people") {
    return { ends: "doubtful", why: "cut_off" };
  }
  if (row.target.dead_at !== null) return { ends: "dead", why: "channel_dead" };
  if (!row.may_be_told) return { ends: "untrue", why: "unwanted" };
  if (row.paused_s !== null && row.paused_s > 0) return { again_s: row.paused_s };
  if (row.kind !== null && row.happened_at !== null) {
    const event = { happened_at: new Date(row.happened_at), facts: row.facts ?? {} };
    const verdict = factsOfKind(row.kind)?.stillTrue(event, serverNow(row)) ?? "wait";
    if (verdict === "no") return { ends: "untrue", why: "untrue" };
    if (verdict === "wait") return { again_s: WAIT_S };
  }
  if (taken.has(row.target.target_id)) return { again_s: BUSY_S };
  taken.add(row.target.target_id);
  return "send";
}

async function writeFates(tx: Db, rows: readonly DueRow[], fates: readonly Fate[]): Promise<void> {
  const sending = rows.flatMap(({ delivery_id }, index) => (fates[index] === "send" ? [delivery_id] : []));
  if (sending.length > 0) {
    await tx.execute(sql`
      update notification_deliveries set state = 'sending', attempts = attempts + 1,
        next_attempt_at = now() + ${CLAIM_S} * interval '1 second'
      where delivery_id = any(${sql.param(sending)}::uuid[])`);
  }
  for (const [index, row] of rows.entries()) {
    const fate = fates[index];
    if (fate === undefined || fate === "send") continue;
    if ("again_s" in fate) {
      await tx.execute(sql`
        update notification_deliveries set state = 'waiting', next_attempt_at = now() + make_interval(secs => ${fate.again_s})
        where delivery_id = ${row.delivery_id}`);
    } else {
      await tx.execute(sql`
        update notification_deliveries set state = ${fate.ends}, next_attempt_at = null, payload = null,
          last_error = coalesce(last_error, ${fate.why})
        where delivery_id = ${row.delivery_id}`);
    }
  }
}

function asClaimed(row: DueRow, secret: string): ClaimedDelivery {
  const event = eventOf(row);
  const target = row.target && openTarget(secret, withDates(row.target));
  return {
    delivery_id: row.delivery_id,
    channel: row.channel,
    dedupe_key: row.dedupe_key,
    attempts: row.attempts + 1,
    created_at: new Date(row.created_at),
    expires_in_s: row.expires_in_s,
    event,
    telling: event && tellingOf(event, target?.locale ?? "en"),
    target,
    by_rule: row.by_rule,
    account_email: row.account_email,
    payload: row.payload,
    mail:
      row.mail_to !== null && row.template !== null && row.locale !== null
        ? { to: row.mail_to, reply_to: row.reply_to, locale: row.locale, template: row.template }
        : null,
  };
}

function eventOf(row: DueRow): ToldEvent | null {
  if (row.event_id === null || row.kind === null || row.happened_at === null) return null;
  const { server_id, game_id, subject_id, server_name, game_name, game_slug } = row;
  return {
    event_id: Number(row.event_id),
    kind: row.kind as ToldEvent["kind"],
    server_id,
    game_id,
    subject_id,
    facts: row.facts ?? {},
    happened_at: new Date(row.happened_at),
    server_name,
    game_name,
    game_slug,
  };
}

/** JSON has strings where the row has dates. */
function withDates(row: TargetRow): TargetRow {
  const date = (value: unknown) => (value === null ? null : new Date(String(value)));
  return {
    ...row,
    created_at: new Date(row.created_at),
    last_seen_at: new Date(row.last_seen_at),
    not_before: date(row.not_before),
    failing_since: date(row.failing_since),
    dead_at: date(row.dead_at),
  };
}

/** Requeues a delivery by hand, whatever its outcome. False: it is being sent, or its content is erased. */
export async function sendAgain(db: Db, deliveryId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update notification_deliveries d set state = 'waiting', next_attempt_at = now(), attempts = 0, last_error = null,
      expires_at = case when d.expires_at is null then null else greatest(d.expires_at, now() + interval '10 minutes') end
    where d.delivery_id = ${deliveryId} and d.state in ('failed', 'expired', 'doubtful', 'dead')
      and (d.event_id is not null or d.payload is not null) returning delivery_id`);
  if (rows.length > 0) await db.execute(sql`select pg_notify('deliveries', '')`);
  return rows.length === 1;
}

/** Removes deliveries older than 30 days, whatever their outcome. */
export async function removeOldDeliveries(db: Db): Promise<void> {
  await db
    .delete(notificationDeliveries)
    .where(lt(notificationDeliveries.created_at, sql`now() - ${KEPT_DAYS} * interval '1 day'`));
}
