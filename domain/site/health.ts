// Problems for admins to check: game servers in trouble, unread messages, failed mails, the collector, and disk space.
import { statfs } from "node:fs/promises";
import path from "node:path";
import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import {
  collectorProcess,
  contacts,
  games,
  gameserver,
  gameserverLiveMetrics as live,
  notificationDeliveries,
  users,
} from "#db/schema/index.ts";
import { ASKED_ADAPTERS } from "#shared/adapters.ts";
import type { MeasuredStatus } from "#shared/statuses.ts";
import { everKnown, shownStatusInSql } from "../game-servers/live-metrics.ts";
import { daysLeft, privacyDeadline } from "../inbox/privacy-deadlines.ts";
import { withoutMailAddresses } from "./without-mail-addresses.ts";

/** Further ones are counted, not listed. */
const LISTED = 20;

export type TroubledServer = {
  server_id: number;
  server_name: string;
  game_name: string;
  hidden: boolean;
  status: Exclude<MeasuredStatus, "online">;
  /** ISO 8601. */
  since: string;
  /** The failure's name, or `stale`: not polled for too long. Null: nothing is known. */
  failure: string | null;
};

/**
 * Lists active game servers that aren't clearly online, worst and oldest trouble first. `trouble`: those with a known state.
 * `unfinished`: those that have never been up or down, such as a record without an address, or one that waits for its first
 * heartbeat; nothing has failed there.
 */
export async function listTroubledServers(
  db: Db,
  siteIntervalS: number,
  kind: "trouble" | "unfinished",
): Promise<{ rows: TroubledServer[]; total: number }> {
  const shown = shownStatusInSql(siteIntervalS);
  const stale = sql<boolean>`(${shown} = 'unknown' and ${live.status} <> 'unknown' and ${live.last_asked_at} is not null
    and (${live.status} <> 'degraded' or ${live.last_answered_at} is not null))`;
  const rows = await db
    .select({
      server_id: gameserver.server_id,
      server_name: gameserver.server_name,
      game_name: games.game_name,
      hidden: sql<boolean>`${gameserver.visibility} = 'hidden'`,
      status: sql<TroubledServer["status"]>`${shown}`,
      since:
        sql<Date>`coalesce(case when ${stale} then ${live.last_asked_at} else ${live.status_since} end, ${gameserver.created_at})`.mapWith(
          gameserver.created_at,
        ),
      failure: sql<
        string | null
      >`case when ${stale} then 'stale' else coalesce(${live.failure}, case when ${gameserver.host} is null and ${inArray(gameserver.adapter, ASKED_ADAPTERS)} then 'no_address' end) end`,
      total: sql<number>`count(*) over ()`.mapWith(Number),
    })
    .from(gameserver)
    .innerJoin(live, eq(live.server_id, gameserver.server_id))
    .innerJoin(games, eq(games.game_id, gameserver.game_id))
    .where(
      and(sql`${shown} in ('offline', 'degraded', 'unknown')`, kind === "trouble" ? everKnown : sql`not ${everKnown}`),
    )
    .orderBy(
      sql`array_position(array['offline', 'degraded', 'unknown'], ${shown})`,
      asc(live.status_since),
      asc(gameserver.server_id),
    )
    .limit(LISTED);
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ total: _, since, ...row }) => ({ ...row, since: since.toISOString() })),
  };
}

/** True if there is any game server, hidden ones included. */
export async function hasGameServers(db: Db): Promise<boolean> {
  return (await db.select({ server_id: gameserver.server_id }).from(gameserver).limit(1)).length > 0;
}

/** Counts unread messages and unanswered privacy requests, with the days left for the most urgent one. */
export async function countWaitingMessages(
  db: Db,
  now = Date.now(),
): Promise<{ unread: number; requests: number; least_days_left: number | null }> {
  const [unread, open] = await Promise.all([
    db.$count(contacts, sql`${contacts.read_at} is null and ${contacts.archived_at} is null`),
    db
      .select({
        kind: contacts.request_kind,
        region: contacts.request_region,
        created_at: contacts.created_at,
        extended_at: contacts.extended_at,
      })
      .from(contacts)
      .where(
        sql`${contacts.request_kind} is not null and ${contacts.answered_at} is null and ${contacts.archived_at} is null`,
      ),
  ]);
  const left = open.flatMap(({ kind, region, created_at, extended_at }) =>
    kind && region
      ? [daysLeft(privacyDeadline({ kind, region, created_at, extended: extended_at !== null }).due_at, now)]
      : [],
  );
  return { unread, requests: left.length, least_days_left: left.length > 0 ? Math.min(...left) : null };
}

/**
 * Counts mails that failed for good within their storage period, with the newest reason (without personal data), and mails waiting
 * for a retry.
 */
export async function countFailedMails(
  db: Db,
): Promise<{ given_up: number; retrying: number; last_error: string | null }> {
  const { state, next_attempt_at, last_error, mail_to, created_at, template } = notificationDeliveries;
  const [given_up, retrying, [last]] = await Promise.all([
    db.$count(notificationDeliveries, sql`${template} is not null and ${state} in ('failed', 'expired')`),
    db.$count(
      notificationDeliveries,
      sql`${template} is not null and ${next_attempt_at} is not null and ${last_error} is not null`,
    ),
    db
      .select({ last_error, mail_to })
      .from(notificationDeliveries)
      .where(sql`${template} is not null and ${last_error} is not null and ${state} <> 'sent'`)
      .orderBy(desc(created_at))
      .limit(1),
  ]);
  return {
    given_up,
    retrying,
    last_error: last?.last_error ? withoutPeople(last.last_error, last.mail_to ?? "") : null,
  };
}

/** Removes addresses and the mailbox's name from a mail server's text: some readers may not see personal data. */
function withoutPeople(reason: string, mailTo: string): string {
  const mailbox = RegExp.escape(mailTo.slice(0, mailTo.lastIndexOf("@")));
  return withoutMailAddresses(reason).replace(new RegExp(`(?<![\\w.])${mailbox}(?!\\w)`, "gi"), "…");
}

/** Sums up the collectors of the last minute and how late their polls are. */
export async function readCollectorHealth(db: Db): Promise<{
  collectors: number;
  last_tick_at: string | null;
  in_flight: number;
  /** Since when at least one delays its figures; others may continue. */
  holding_back_since: string | null;
  /** Game servers whose poll is more than five seconds late. */
  overdue: number;
  lag_s: number;
}> {
  const recent = sql`${collectorProcess.last_tick_at} > now() - interval '1 minute'`;
  const [[row], [late]] = await Promise.all([
    db
      .select({
        collectors: sql<number>`count(*) filter (where ${recent})`.mapWith(Number),
        last_tick_at: sql<Date | null>`max(${collectorProcess.last_tick_at})`.mapWith(collectorProcess.last_tick_at),
        in_flight: sql<number>`coalesce(sum(${collectorProcess.in_flight}) filter (where ${recent}), 0)`.mapWith(
          Number,
        ),
        holding_back_since: sql<Date | null>`min(${collectorProcess.delayed_since}) filter (where ${recent})`.mapWith(
          collectorProcess.delayed_since,
        ),
      })
      .from(collectorProcess),
    db
      .select({
        overdue:
          sql<number>`count(*) filter (where ${live.next_poll_at} < now() - interval '5 seconds' and coalesce(${live.claimed_until}, '-infinity') < now())`.mapWith(
            Number,
          ),
        lag_s:
          sql<number>`coalesce(max(extract(epoch from now() - ${live.next_poll_at})) filter (where coalesce(${live.claimed_until}, '-infinity') < now()), 0)`.mapWith(
            Number,
          ),
      })
      .from(live)
      .innerJoin(gameserver, eq(gameserver.server_id, live.server_id))
      .where(
        sql`${gameserver.lifecycle} = 'active' and ${inArray(gameserver.adapter, ASKED_ADAPTERS)} and ${gameserver.host} is not null`,
      ),
  ]);
  return {
    collectors: row?.collectors ?? 0,
    last_tick_at: row?.last_tick_at?.toISOString() ?? null,
    in_flight: row?.in_flight ?? 0,
    holding_back_since: row?.holding_back_since?.toISOString() ?? null,
    overdue: late?.overdue ?? 0,
    lag_s: Math.max(0, Math.round(late?.lag_s ?? 0)),
  };
}

/** Bytes of the database, and bytes free on the data folder's disk (null: unknown). */
export async function readRoom(
  db: Db,
  dataDir: string,
): Promise<{ database_bytes: number; disk_free_bytes: number | null; disk_bytes: number | null }> {
  const [
    {
      rows: [size],
    },
    disk,
  ] = await Promise.all([
    db.execute<{ bytes: string }>(sql`select pg_database_size(current_database()) as bytes`),
    statfs(dataDir).catch(() => null),
  ]);
  return {
    database_bytes: Number(size?.bytes ?? 0),
    disk_free_bytes: disk ? disk.bavail * disk.bsize : null,
    disk_bytes: disk ? disk.blocks * disk.bsize : null,
  };
}

/** Lists the disks that the site writes to, by name; omits those the system gives no figures for. */
export async function listDisks(
  dataDir: string,
): Promise<{ disk: "data" | "database"; free: number; total: number }[]> {
  const places = [
    { disk: "data", folder: dataDir },
    // The embedded Postgres; an external one's disk is known to its own machine.
    { disk: "database", folder: path.join(dataDir, "postgres") },
  ] as const;
  const found = await Promise.all(
    places.map(async ({ disk, folder }) => {
      const room = await statfs(folder).catch(() => null);
      return room ? [{ disk, free: room.bavail * room.bsize, total: room.blocks * room.bsize }] : [];
    }),
  );
  return found.flat();
}

/** Counts members, and those of the last seven days. */
export async function countUsers(db: Db): Promise<{ total: number; this_week: number }> {
  const [total, this_week] = await Promise.all([
    db.$count(users, isNull(users.deactivated_at)),
    db.$count(users, sql`${users.createdAt} > now() - interval '7 days' and ${users.deactivated_at} is null`),
  ]);
  return { total, this_week };
}
