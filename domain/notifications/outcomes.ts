// Records outcomes of attempts (sent, retry, failed, in doubt) and their effect on the target.
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { notificationDeliveries } from "#db/schema/index.ts";
import type { Channel, ClaimedDelivery, Outcome } from "./channel.ts";

/** Pause after the first, second … failed attempt, in seconds. An account mail is given up after the last one. */
const MAIL_PAUSES_S = [60, 240, 900, 3600, 7200, 14_400, 21_600];
export const MAX_MAIL_ATTEMPTS = MAIL_PAUSES_S.length + 1;
/** The last one repeats until the notification expires. */
const TELLING_PAUSES_S = [5, 20, 60, 240, 900, 3600];
/** A target is given up after failures on this many days without a success in between. Days without a delivery don't count. */
const DEAD_AFTER_DAYS = 3;
/** Nothing was sent, and the other side named no waiting time. */
const WAIT_S = 5;
const LONGEST_TEXT = 300;

export type DeliveryState = (typeof notificationDeliveries.$inferSelect)["state"];

/**
 * Records an attempt's outcome; erases the content of a finished delivery. Does nothing if another sender has claimed it meanwhile.
 * Returns the new state, or null if the claim is lost. Plain successes go to `recordSent`.
 */
export async function recordOutcome(
  db: Db,
  delivery: ClaimedDelivery,
  audience: Channel["audience"],
  outcome: Outcome,
): Promise<DeliveryState | null> {
  if (!outcome.sent && outcome.next === "not asked") return putBack(db, delivery, outcome.afterS ?? WAIT_S);
  const { delivery_id, attempts, target } = delivery;
  const state = stateAfter(delivery, audience, outcome);
  const again = state === "waiting";
  const pause =
    again && !outcome.sent ? Math.max(pauseAfter(delivery), outcome.afterS ?? 0, outcome.target?.pausedS ?? 0) : 0;
  const reason = outcome.sent ? null : outcome.reason.slice(0, LONGEST_TEXT);
  const unchanged = target === null || (outcome.sent && !outcome.target && !target.failing_since && !target.not_before);
  const write = async (tx: Db): Promise<DeliveryState | null> => {
    const { rows } = await tx.execute(sql`
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
  // The target is usually unaffected: one statement.
  return unchanged ? write(db) : db.transaction(write);
}

/** Restores the state before the claim: nothing was sent. */
async function putBack(
  db: Db,
  { delivery_id, attempts }: ClaimedDelivery,
  afterS: number,
): Promise<DeliveryState | null> {
  const { rows } = await db.execute(sql`
    update notification_deliveries set state = 'waiting', attempts = attempts - 1,
      next_attempt_at = least(now() + make_interval(secs => ${afterS}), expires_at)
    where delivery_id = ${delivery_id} and state = 'sending' and attempts = ${attempts} returning delivery_id`);
  return rows.length === 0 ? null : "waiting";
}

/** A success that doesn't change its target. */
export type SentDelivery = Pick<ClaimedDelivery, "delivery_id" | "attempts"> & { answer: string | undefined };

/**
 * Records any number of successes in one statement: ten thousand at a time are nearly all successes. Locks targets in order, so
 * that two processes don't deadlock.
 * @returns the ids whose claim was still valid
 */
export async function recordSent(db: Db, sent: readonly SentDelivery[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ delivery_id: string }>(sql`
    with given as (
      select * from unnest(
        ${sql.param(sent.map(({ delivery_id }) => delivery_id))}::uuid[], ${sql.param(sent.map(({ attempts }) => attempts))}::int[],
        ${sql.param(sent.map(({ answer }) => answer?.slice(0, LONGEST_TEXT) ?? null))}::text[]
      ) as one (delivery_id, attempts, answer)
    ), sent as (
      update notification_deliveries d set state = 'sent', sent_at = now(), next_attempt_at = null, payload = null,
        last_error = null, answer = given.answer
      from given where d.delivery_id = given.delivery_id and d.state = 'sending' and d.attempts = given.attempts
      returning d.delivery_id, d.target_id
    ), troubled as (
      select target_id from notification_targets
      where target_id in (select target_id from sent) and (failing_since is not null or not_before is not null)
      order by target_id for update
    ), well as (
      update notification_targets t set failing_since = null, last_error = null, not_before = null
      from troubled where t.target_id = troubled.target_id
    )
    select delivery_id from sent`);
  return new Set(rows.map(({ delivery_id }) => delivery_id));
}

function stateAfter(delivery: ClaimedDelivery, audience: Channel["audience"], outcome: Outcome): DeliveryState {
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
  // A browser that ended its subscription belongs to a stranger or is a member's old device: delete it.
  if (gone && audience === "people") {
    const { rows: removed } = await tx.execute(sql`
      delete from notification_targets where target_id = ${targetId} and kind = 'push' returning target_id`);
    if (removed.length > 0) return;
  }
  await tx.execute(sql`
    update notification_targets set last_error = ${reason}::text,
      failing_since = coalesce(failing_since, now()),
      not_before = case when ${pause} > 0 then greatest(not_before, now() + make_interval(secs => ${pause})) else not_before end,
      dead_at = case when ${gone}::boolean or (${audience === "machines"}::boolean
        and ${hasFailedForDays(targetId)}) then now() else dead_at end
    where target_id = ${targetId}`);
  if (audience === "machines") return;
  // Not while all of them fail: then the site's own network is the cause.
  await tx.execute(sql`
    delete from notification_targets where target_id = ${targetId} and kind = 'push' and case
      when ${hasFailedForDays(targetId)} then exists (
        select from notification_deliveries arrived
        where arrived.created_at > now() - ${DEAD_AFTER_DAYS} * interval '1 day' and arrived.channel = 'push'
          and arrived.state = 'sent' and arrived.sent_at > notification_targets.failing_since)
      else false end`);
}

/** SQL: has a target failed for three days, with a delivery on each of them? */
const hasFailedForDays = (targetId: string) => sql`(
  failing_since < now() - ${DEAD_AFTER_DAYS} * interval '1 day' and ${daysOfFailure(targetId)} >= ${DEAD_AFTER_DAYS})`;

/** SQL: days with deliveries among the unsent ones since the target began to fail. */
const daysOfFailure = (targetId: string) => sql`(
  select count(distinct (d.created_at at time zone 'UTC')::date) from notification_deliveries d
  where d.target_id = ${targetId} and d.attempts > 0 and d.sent_at is null
    and d.created_at > notification_targets.failing_since - interval '1 day')`;
