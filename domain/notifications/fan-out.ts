// Turns events into deliveries: one for each target that follows it, ten thousand per statement.
import { sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics } from "#db/schema/index.ts";
import { shownStatusInSql } from "../game-servers/live-metrics.ts";
import { mailIsWanted, mayBeTold, quietUntil } from "./audience.ts";
import { type EventFacts, type EventKindFacts, factsOfKind, type ServerNow } from "./event-kinds.ts";

const EVENTS_A_ROUND = 50;
/** Deliveries per statement. */
const PIECE = 10_000;
/** Check again after this, while it is unknown whether the event still holds. */
const WAIT_S = 2;
/** Interval and limit of checks while waiting for the end of a maintenance. */
const MAINTENANCE_WAIT_S = 15;
const MAINTENANCE_MOST_S = 86_400;
/** A delivery deferred to a digest is useless after this. */
const HELD_DAYS = 2;

/** An event without deliveries yet. */
export type OpenEvent = {
  event_id: number;
  kind: string;
  server_id: number | null;
  game_id: number | null;
  facts: EventFacts;
  telling_key: string;
  happened_at: Date;
  /** By the database's clock. */
  age_s: number;
  expires_at: Date;
};

/**
 * A target that follows nothing but was chosen by a rule, and its delay after the event in seconds; notifications limited to once
 * an hour are delayed, if still true then.
 */
export type ChosenTarget = { target_id: string; after_s: number };

type OpenRow = {
  event_id: string;
  kind: string;
  server_id: number | null;
  game_id: number | null;
  facts: EventFacts;
  telling_key: string;
  happened_at: string;
  age_s: number;
  expires_at: string;
  is_over: boolean;
} & NowRow;

/** Result of `serverNowInSql`. */
export type NowRow = {
  shown: ServerNow["shown"] | null;
  status_since: string | null;
  last_asked_at: string | null;
  user_online: number | null;
  user_max: number | null;
  was_down: boolean | null;
};

/** Selects the columns of a `ServerNow` from gameserver and gameserver_live_metrics, unaliased. */
export const serverNowInSql = (siteIntervalS: number) => sql`
  case when ${gameserver.server_id} is not null then ${shownStatusInSql(siteIntervalS)} end as shown,
  ${gameserverLiveMetrics.status_since}, ${gameserverLiveMetrics.last_asked_at}, ${gameserverLiveMetrics.user_online},
  coalesce(${gameserverLiveMetrics.user_max_measured}, ${gameserver.user_max}) as user_max,
  case when ${gameserver.lifecycle} = 'maintenance' then 'offline' = (
    select change.to_status from gameserver_status_event change
    where change.server_id = ${gameserver.server_id} and change.changed_at < (
      select gap.starts_at from gameserver_watch_gap gap
      where gap.server_id = ${gameserver.server_id} and gap.reason = 'maintenance' and gap.ends_at is null)
    order by change.changed_at desc limit 1) end as was_down`;

/** Null: the event is about no game server. */
export const serverNow = (row: NowRow): ServerNow | null =>
  row.shown && {
    shown: row.shown,
    status_since: row.status_since === null ? null : new Date(row.status_since),
    last_asked_at: row.last_asked_at === null ? null : new Date(row.last_asked_at),
    user_online: row.user_online,
    user_max: row.user_max,
    was_down: row.was_down ?? false,
  };

/**
 * Creates the deliveries of all due events, one round of events per transaction; skips if another process is doing so. Uncertain
 * events are checked again by the next call.
 * @param choose targets without follows: operators' rules
 */
export async function fanOut(
  db: Db,
  siteIntervalS: number,
  { choose, signal }: { choose(tx: Db, event: OpenEvent): Promise<ChosenTarget[]>; signal?: AbortSignal },
): Promise<void> {
  while (!signal?.aborted) {
    const more = await db.transaction(async (tx) => {
      const {
        rows: [lock],
      } = await tx.execute<{ ours: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCKS.fanOut}) as ours`);
      if (!lock?.ours) return false;
      const { rows } = await listOpenEvents(tx, siteIntervalS);
      for (const row of rows) await settle(tx, row, choose);
      return rows.length === EVENTS_A_ROUND;
    });
    if (!more) return;
  }
}

const listOpenEvents = (tx: Db, siteIntervalS: number) =>
  tx.execute<OpenRow>(sql`
    select e.event_id, e.kind, e.server_id, coalesce(e.game_id, ${gameserver.game_id}) as game_id, e.facts,
      coalesce(e.telling_key, e.dedupe_key) as telling_key, e.happened_at, e.expires_at,
      extract(epoch from now() - e.happened_at)::float8 as age_s, e.expires_at <= now() as is_over,
      ${serverNowInSql(siteIntervalS)}
    from notification_events e
    left join ${gameserver} on ${gameserver.server_id} = e.server_id
    left join ${gameserverLiveMetrics} on ${gameserverLiveMetrics.server_id} = e.server_id
    where e.fanned_out_at is null and e.not_before <= now()
    order by e.not_before limit ${EVENTS_A_ROUND} for update of e`);

async function settle(
  tx: Db,
  row: OpenRow,
  choose: (tx: Db, event: OpenEvent) => Promise<ChosenTarget[]>,
): Promise<void> {
  const { is_over, shown, status_since, last_asked_at, user_online, user_max, was_down, ...rest } = row;
  const event: OpenEvent = {
    ...rest,
    event_id: Number(row.event_id),
    happened_at: new Date(row.happened_at),
    expires_at: new Date(row.expires_at),
  };
  const facts = factsOfKind(row.kind);
  const verdict = facts ? verdictOf(facts, event, serverNow(row)) : "wait";
  if (facts && verdict === "wait" && shown === "maintenance" && event.age_s < MAINTENANCE_MOST_S)
    return awaitMaintenance(tx, event, facts);
  if (is_over) return close(tx, event, "expired");
  if (verdict === "wait" || facts === null) return postpone(tx, event);
  if (verdict === "no") return close(tx, event, "untrue");
  if (facts.onceAnHour) await supersede(tx, event);
  if (facts.followedAs) await deliverToFollowers(tx, event, facts);
  const chosen = await choose(tx, event);
  if (chosen.length > 0) await deliverToChosen(tx, event, chosen);
  await close(tx, event, "told");
}

/** Returns whether the event may be sent now: it is still true, and where two answers are required, the second agrees. */
function verdictOf(facts: EventKindFacts, event: OpenEvent, now: ServerNow | null) {
  const verdict = facts.stillTrue(event, now);
  if (verdict !== "yes" || !facts.twoAnswers) return verdict;
  return now?.last_asked_at && now.last_asked_at > event.happened_at ? "yes" : "wait";
}

async function close(tx: Db, { event_id }: OpenEvent, outcome: "told" | "untrue" | "expired"): Promise<void> {
  await tx.execute(sql`
    update notification_events set fanned_out_at = now(), outcome = ${outcome} where event_id = ${event_id}`);
}

async function postpone(tx: Db, { event_id }: OpenEvent): Promise<void> {
  await tx.execute(sql`
    update notification_events set not_before = now() + ${WAIT_S} * interval '1 second' where event_id = ${event_id}`);
}

/** Postpones an event; its lifetime begins after the maintenance. */
async function awaitMaintenance(tx: Db, { event_id }: OpenEvent, { lifetimeS }: EventKindFacts): Promise<void> {
  await tx.execute(sql`
    update notification_events set not_before = now() + ${MAINTENANCE_WAIT_S} * interval '1 second',
      expires_at = greatest(expires_at, now() + ${MAINTENANCE_WAIT_S + lifetimeS} * interval '1 second')
    where event_id = ${event_id}`);
}

/** Closes unsent deliveries of the same earlier event: only the newer one is sent. */
async function supersede(tx: Db, event: OpenEvent): Promise<void> {
  await tx.execute(sql`
    update notification_deliveries d set state = 'untrue', next_attempt_at = null, payload = null
    from notification_events e
    where e.event_id = d.event_id and d.state = 'waiting' and e.server_id = ${event.server_id} and e.kind = ${event.kind}
      and e.event_id < ${event.event_id} and e.facts->'threshold' is not distinct from ${threshold(event)}::jsonb`);
}

const threshold = ({ facts }: OpenEvent): string | null =>
  facts.threshold === undefined ? null : JSON.stringify(facts.threshold);

/** SQL: was the same notification for this target, game server and kind created within the hour? */
const wasToldOfLate = (event: OpenEvent) => sql`exists (
  select from notification_deliveries told join notification_events before using (event_id)
  where told.target_id = t.target_id and told.created_at > now() - interval '1 hour'
    and told.state in ('waiting', 'sending', 'sent', 'doubtful', 'held')
    and before.server_id = ${event.server_id}::int and before.kind = ${event.kind}
    and before.facts->'threshold' is not distinct from ${threshold(event)}::jsonb)`;

/** Targets that follow the event's subject, its parent, or its children. */
const followersOf = (event: OpenEvent, followKind: string) => sql`
  select distinct f.target_id from follows f
  where f.kind = ${followKind}
    and (f.threshold is null or f.threshold = ${Number(event.facts.threshold ?? 0)})
    and case
      when ${event.server_id}::int is not null then f.server_id = ${event.server_id}::int or f.game_id = ${event.game_id}::int
      when ${event.game_id}::int is not null then f.game_id = ${event.game_id}::int
        or f.server_id in (select server_id from gameserver where game_id = ${event.game_id}::int)
      else true end
  union
  select f.target_id from follows f where f.kind = ${followKind} and f.server_id is null and f.game_id is null`;

async function deliverToFollowers(tx: Db, event: OpenEvent, facts: EventKindFacts): Promise<void> {
  const expires = event.expires_at.toISOString();
  const held = sql`(${facts.inDigest}::boolean and t.kind = 'mail' and coalesce(p.digest = 'daily', false))`;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const {
      rows: [piece],
    } = await tx.execute<{ last: string | null }>(sql`
      with follower as materialized (
        select target_id from (${followersOf(event, facts.followedAs ?? "")}) as following
        where target_id > ${after}::uuid order by target_id limit ${PIECE}
      ), made as (
        insert into notification_deliveries (event_id, target_id, channel, dedupe_key, state, next_attempt_at, expires_at)
        select ${event.event_id}::bigint, t.target_id, t.kind, ${event.telling_key}::text || ' ' || t.target_id,
          case when ${held} then 'held' else 'waiting' end,
          case when not ${held} then coalesce(quiet.until, now()) end,
          case when ${held} then now() + ${HELD_DAYS} * interval '1 day' else ${expires}::timestamptz end
        from follower join notification_targets t using (target_id)
        join notification_events e on e.event_id = ${event.event_id}::bigint
        left join users u on u.user_id = t.user_id
        left join notification_preferences p on p.user_id = t.user_id
        left join gameserver s on s.server_id = ${event.server_id}::int
        left join games g on g.game_id = ${event.game_id}::int
        cross join lateral (select ${quietUntil} as until) as quiet
        where ${mayBeTold(sql`false`)} and ${mailIsWanted}
          and (${held} or coalesce(quiet.until, now()) < ${expires}::timestamptz)
          and not (${facts.onceAnHour}::boolean and ${wasToldOfLate(event)})
        on conflict (dedupe_key) do nothing
      )
      select max(target_id::text) as last from (select target_id from follower) as f having count(*) = ${PIECE}`);
    if (!piece?.last) return;
    after = piece.last;
  }
}

async function deliverToChosen(tx: Db, event: OpenEvent, chosen: ChosenTarget[]): Promise<void> {
  const expires = event.expires_at.toISOString();
  const happened = event.happened_at.toISOString();
  const ids = sql.param(chosen.map(({ target_id }) => target_id));
  const delays = sql.param(chosen.map(({ after_s }) => after_s));
  // A deliberate delay extends the lifetime.
  await tx.execute(sql`
    insert into notification_deliveries
      (event_id, target_id, channel, dedupe_key, next_attempt_at, expires_at, by_rule)
    select ${event.event_id}::bigint, t.target_id, t.kind, ${event.telling_key}::text || ' ' || t.target_id,
      greatest(now(), ${happened}::timestamptz + make_interval(secs => chosen.after_s)),
      ${expires}::timestamptz + make_interval(secs => chosen.after_s), true
    from (
      select target_id, min(after_s) as after_s
      from unnest(${ids}::uuid[], ${delays}::int[]) as given (target_id, after_s) group by target_id
    ) as chosen
    join notification_targets t using (target_id)
    join notification_events e on e.event_id = ${event.event_id}::bigint
    left join users u on u.user_id = t.user_id
    left join gameserver s on s.server_id = ${event.server_id}::int
    left join games g on g.game_id = ${event.game_id}::int
    where ${mayBeTold(sql`true`)}
    on conflict (dedupe_key) do nothing`);
}
