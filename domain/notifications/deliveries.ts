// The outbox: taking what is due for one sender alone, and writing down what came of it. What is marked as being sent and never
// came back is in doubt: people are not told again, machines and mails of accounts are.
import { lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics, notificationDeliveries } from "#db/schema/index.ts";
import type { MailLocale } from "../mails.ts";
import { mailIsWanted, mayBeTold } from "./audience.ts";
import type { Channel, ClaimedDelivery, Outcome, ToldEvent } from "./channel.ts";
import { type EventFacts, factsOfKind } from "./event-kinds.ts";
import { type NowRow, serverNow, serverNowInSql } from "./fan-out.ts";
import { openTarget, type TargetRow } from "./targets.ts";
import { tellingOf } from "./telling.ts";

/** A sender that took a delivery and died leaves it in doubt after this; longer than any attempt takes. */
export const CLAIM_S = 120;
/** Pause after the first, second … failed attempt, in seconds. A mail of an account is given up after the last one. */
const MAIL_PAUSES_S = [60, 240, 900, 3600, 7200, 14_400, 21_600];
export const MAX_MAIL_ATTEMPTS = MAIL_PAUSES_S.length + 1;
/** The last one again and again, until the telling expires. */
const TELLING_PAUSES_S = [5, 20, 60, 240, 900, 3600];
/** Looked at again after this, where nobody can say whether it is still so. */
const WAIT_S = 5;
/** Looked at again after this, where another delivery to the same target is under way. */
const BUSY_S = 1;
/** A channel of machines is dead once it has failed on so many days, and taken nothing in between: silence is no failure. */
const DEAD_AFTER_DAYS = 3;
const KEPT_DAYS = 30;
const LONGEST_TEXT = 300;

type State = (typeof notificationDeliveries.$inferSelect)["state"];

type DueRow = {
  delivery_id: string;
  state: State;
  attempts: number;
  dedupe_key: string;
  created_at: string;
  expires_at: string | null;
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
  draft_id: number | null;
} & NowRow;

/** Why one ends without having been sent, as kept in last_error; people read it in their language. */
type EndedWhy = "expired" | "cut_off" | "channel_dead" | "unwanted" | "untrue";

/** What becomes of a due row: it is sent, it ends, or it is looked at again in so many seconds. */
type Fate = "send" | { ends: State; why: EndedWhy } | { again_s: number };

type Claim = { db: Db; secret: string; siteIntervalS: number };

/**
 * Takes up to `limit` due deliveries of a channel for the caller alone, for two minutes: they are marked as being sent, so that
 * whoever finds them later knows. What is no longer so, is over, or may not be told any more ends on the way.
 * @param busy targets that the caller is sending to: one at a time, so that a limit is met by one and not by fifty
 * @returns those to send now; `done`: nothing else is due
 */
export async function claimDeliveries(
  { db, secret, siteIntervalS }: Claim,
  channel: Pick<Channel, "kind" | "audience">,
  limit: number,
  busy: ReadonlySet<string>,
): Promise<{ claimed: ClaimedDelivery[]; done: boolean }> {
  return db.transaction(async (tx) => {
    const rows = await listDue(tx, channel.kind, limit, siteIntervalS);
    const taken = new Set(busy);
    const fates = rows.map((row) => fateOf(row, channel.audience, taken));
    await writeFates(tx, rows, fates);
    const claimed = rows
      .filter((_, index) => fates[index] === "send")
      .map((row) => asClaimed(row, secret, channel.kind));
    return { claimed, done: rows.length < limit };
  });
}

const listDue = (tx: Db, kind: string, limit: number, siteIntervalS: number) =>
  tx.execute<DueRow>(sql`
    select d.delivery_id, d.state, d.attempts, d.dedupe_key, d.created_at, d.expires_at,
      coalesce(d.expires_at <= now(), false) as is_over, d.payload, d.mail_to, d.reply_to, d.locale, d.template,
      e.event_id, e.kind, e.server_id, coalesce(e.game_id, ${gameserver.game_id}) as game_id, e.subject_id, e.facts,
      e.happened_at, ${gameserver.server_name}, g.game_name, g.game_slug, to_jsonb(t) as target,
      extract(epoch from t.not_before - now())::float8 as paused_s,
      t.target_id is null or (${mayBeTold(sql`d.by_rule`)} and (d.by_rule or ${mailIsWanted})) as may_be_told, d.by_rule,
      case when u.email_verified then u.email end as account_email,
      case when d.by_rule and t.user_id is not null and e.kind = 'server_down' then (
        select max(i.incident_id) from incidents i join incident_servers o using (incident_id)
        where o.server_id = e.server_id and i.published_at is null and i.closed_at is null) end as draft_id,
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
    where d.channel = ${kind} and d.next_attempt_at <= now()
    order by d.next_attempt_at limit ${limit} for update of d skip locked`);

/** @param taken targets that something is being sent to; those of this claim are added */
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

function asClaimed(row: DueRow, secret: string, channel: ClaimedDelivery["channel"]): ClaimedDelivery {
  const event = eventOf(row);
  const target = row.target && openTarget(secret, withDates(row.target));
  return {
    delivery_id: row.delivery_id,
    channel,
    dedupe_key: row.dedupe_key,
    attempts: row.attempts + 1,
    created_at: new Date(row.created_at),
    expires_at: row.expires_at === null ? null : new Date(row.expires_at),
    event,
    telling: event && tellingOf(event, target?.locale ?? "en"),
    target,
    by_rule: row.by_rule,
    account_email: row.account_email,
    draft_id: row.draft_id,
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

/** JSON has texts where the row has times. */
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

/**
 * Writes down what came of an attempt, and erases what it said once it is done. Nothing is written where another has taken the
 * delivery meanwhile. Returns its state from now on, or null where it is not ours any more.
 */
export async function recordOutcome(
  db: Db,
  delivery: ClaimedDelivery,
  audience: Channel["audience"],
  outcome: Outcome,
): Promise<State | null> {
  if (outcome.sent && !outcome.target) return recordSent(db, delivery, outcome.answer);
  if (!outcome.sent && outcome.next === "not asked") return putBack(db, delivery, outcome.afterS ?? WAIT_S);
  const { delivery_id, attempts, target } = delivery;
  const state = stateAfter(delivery, audience, outcome);
  const again = state === "waiting";
  const pause =
    again && !outcome.sent ? Math.max(pauseAfter(delivery), outcome.afterS ?? 0, outcome.target?.pausedS ?? 0) : 0;
  const reason = outcome.sent ? null : outcome.reason.slice(0, LONGEST_TEXT);
  const unchanged = target === null || (outcome.sent && !outcome.target && !target.failing_since && !target.not_before);
  const write = async (tx: Db): Promise<State | null> => {
    const rows = await tx.execute(sql`
      update notification_deliveries set state = ${state},
        sent_at = case when ${outcome.sent}::boolean then now() end,
        next_attempt_at = case when ${again}::boolean then least(now() + make_interval(secs => ${pause}), expires_at) end,
        payload = case when ${again}::boolean then payload end,
        last_error = ${reason}::text, answer = ${outcome.answer?.slice(0, LONGEST_TEXT) ?? null}::text
      where delivery_id = ${delivery_id} and state = 'sending' and attempts = ${attempts} returning delivery_id`);
    if (rows.length === 0) return null;
    if (target && !unchanged) await recordForTarget(tx, target.target_id, audience, outcome, reason);
    return state;
  };
  // Nothing to say of the target, as nearly always: one statement.
  return unchanged ? write(db) : db.transaction(write);
}

/** As it was before it was taken: nobody was asked anything. */
async function putBack(db: Db, { delivery_id, attempts }: ClaimedDelivery, afterS: number): Promise<State | null> {
  const rows = await db.execute(sql`
    update notification_deliveries set state = 'waiting', attempts = attempts - 1,
      next_attempt_at = least(now() + make_interval(secs => ${afterS}), expires_at)
    where delivery_id = ${delivery_id} and state = 'sending' and attempts = ${attempts} returning delivery_id`);
  return rows.length === 0 ? null : "waiting";
}

/** The same for what went well, which is nearly all of ten thousand: in one statement. */
async function recordSent(
  db: Db,
  { delivery_id, attempts }: ClaimedDelivery,
  answer: string | undefined,
): Promise<State | null> {
  const rows = await db.execute(sql`
    with sent as (
      update notification_deliveries set state = 'sent', sent_at = now(), next_attempt_at = null, payload = null,
        last_error = null, answer = ${answer?.slice(0, LONGEST_TEXT) ?? null}::text
      where delivery_id = ${delivery_id} and state = 'sending' and attempts = ${attempts} returning target_id
    ), well as (
      update notification_targets t set failing_since = null, last_error = null, not_before = null
      from sent where t.target_id = sent.target_id and (t.failing_since is not null or t.not_before is not null)
    )
    select from sent`);
  return rows.length === 0 ? null : "sent";
}

function stateAfter(delivery: ClaimedDelivery, audience: Channel["audience"], outcome: Outcome): State {
  if (outcome.sent) return "sent";
  if (outcome.next === "never") return "failed";
  if (outcome.next === "target is gone") return "dead";
  const isTelling = delivery.target !== null;
  if (outcome.next === "in doubt" && audience === "people" && isTelling) return "doubtful";
  return isTelling || delivery.attempts < MAX_MAIL_ATTEMPTS ? "waiting" : "failed";
}

function pauseAfter({ target, attempts }: ClaimedDelivery): number {
  const pauses = target ? TELLING_PAUSES_S : MAIL_PAUSES_S;
  return pauses[Math.min(attempts, pauses.length) - 1] ?? 60;
}

async function recordForTarget(
  tx: Db,
  targetId: string,
  audience: Channel["audience"],
  outcome: Outcome,
  reason: string | null,
): Promise<void> {
  const pause = outcome.target?.pausedS ?? 0;
  if (outcome.sent) {
    await tx.execute(sql`
      update notification_targets set failing_since = null, last_error = null,
        not_before = case when ${pause} > 0 then now() + make_interval(secs => ${pause}) end
      where target_id = ${targetId} and (failing_since is not null or not_before is not null or ${pause} > 0)`);
    return;
  }
  const gone = outcome.next === "target is gone";
  // A browser that ended its subscription is a stranger's, or a member's old device: nothing of it is kept.
  if (gone && audience === "people") {
    const removed = await tx.execute(sql`
      delete from notification_targets where target_id = ${targetId} and kind = 'push' returning target_id`);
    if (removed.length > 0) return;
  }
  await tx.execute(sql`
    update notification_targets set last_error = ${reason}::text,
      failing_since = coalesce(failing_since, now()),
      not_before = case when ${pause} > 0 then greatest(not_before, now() + make_interval(secs => ${pause})) else not_before end,
      dead_at = case when ${gone}::boolean or (${audience === "machines"}::boolean
        and failing_since < now() - ${DEAD_AFTER_DAYS} * interval '1 day'
        and ${daysOfFailure(targetId)} >= ${DEAD_AFTER_DAYS}) then now() else dead_at end
    where target_id = ${targetId}`);
}

/** On how many days something was to be told there, of all that it has not taken since it fails. */
const daysOfFailure = (targetId: string) => sql`(
  select count(distinct (d.created_at at time zone 'UTC')::date) from notification_deliveries d
  where d.target_id = ${targetId} and d.attempts > 0 and d.sent_at is null
    and d.created_at > notification_targets.failing_since - interval '1 day')`;

/** Sends one again by hand, whatever became of it; false: it is under way, or its words are erased. */
export async function sendAgain(db: Db, deliveryId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    update notification_deliveries d set state = 'waiting', next_attempt_at = now(), attempts = 0, last_error = null,
      expires_at = case when d.expires_at is null then null else greatest(d.expires_at, now() + interval '10 minutes') end
    where d.delivery_id = ${deliveryId} and d.state in ('failed', 'expired', 'doubtful', 'dead')
      and (d.event_id is not null or d.payload is not null) returning delivery_id`);
  if (rows.length > 0) await db.execute(sql`select pg_notify('deliveries', '')`);
  return rows.length === 1;
}

/**
 * Moves mails here that a process of an older version has queued in its own table, and has not sent: during an upgrade, and
 * after one. What it is sending right now is not due there.
 */
export async function takeOverMails(db: Db): Promise<void> {
  await db.execute(sql`
    with taken as (
      delete from mails where mail_id in (
        select mail_id from mails where next_attempt_at <= now() order by next_attempt_at limit 100 for update skip locked)
      returning *)
    insert into notification_deliveries (delivery_id, channel, mail_to, reply_to, locale, template, payload, attempts,
      expires_at, last_error, created_at)
    select mail_id, 'mail', mail_to, reply_to, locale, template, data, attempts, useful_until, last_error, created_at
    from taken on conflict do nothing`);
}

/** Removes deliveries older than 30 days, whatever became of them. */
export async function removeOldDeliveries(db: Db): Promise<void> {
  await db
    .delete(notificationDeliveries)
    .where(lt(notificationDeliveries.created_at, sql`now() - ${KEPT_DAYS} * interval '1 day'`));
}
