// Reads queue and usage figures for a monitoring system.
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { readCollectorHealth } from "./health.ts";

export type SiteLoad = {
  mails: { waiting: number; retrying: number; given_up: number };
  /** By channel: waiting, waiting after a failure, and failed for good within a day. */
  deliveries: { channel: string; waiting: number; retrying: number; failed: number }[];
  /** Due events without deliveries yet. */
  events_waiting: number;
  /** Collectors with a pulse in the last minute. */
  collectors: number;
  /** Game servers whose poll is more than five seconds late, and the lag of the latest one. */
  overdue: number;
  lag_s: number;
  /** Connections to this database by program (application_name) and state. */
  connections: { program: string; state: string; count: number }[];
  connections_max: number;
  /** Times of the newest backup and the newest proof, in seconds since; null: never. */
  backup_age_s: number | null;
  backup_proof_age_s: number | null;
  /** True if the newest backup attempt failed. */
  backup_failed: boolean;
};

/** Our programs; other clients choose their own names, so these are unlimited. */
const PROGRAMS = /^spawnpoint[\w -]{0,30}$/;
const STATES = new Set(["active", "idle", "idle in transaction"]);

/** Reads everything with six statements. */
export async function readSiteLoad(db: Db): Promise<SiteLoad> {
  const [
    collectors,
    {
      rows: [mails],
    },
    { rows: deliveries },
    { rows: connections },
    {
      rows: [backup],
    },
  ] = await Promise.all([
    readCollectorHealth(db),
    db.execute<{
      waiting: number;
      retrying: number;
      given_up: number;
      events_waiting: number;
      connections_max: number;
    }>(sql`
      select (count(*) filter (where next_attempt_at is not null and last_error is null))::int as waiting,
        (count(*) filter (where next_attempt_at is not null and last_error is not null))::int as retrying,
        (count(*) filter (where state in ('failed', 'expired')))::int as given_up,
        (select count(*)::int from notification_events where fanned_out_at is null and not_before <= now()) as events_waiting,
        current_setting('max_connections')::int as connections_max
      from notification_deliveries where template is not null`),
    db.execute<SiteLoad["deliveries"][number]>(sql`
      select channel, (count(*) filter (where next_attempt_at is not null and last_error is null))::int as waiting,
        (count(*) filter (where next_attempt_at is not null and last_error is not null))::int as retrying,
        (count(*) filter (where state in ('failed', 'expired', 'doubtful', 'dead')))::int as failed
      from notification_deliveries where next_attempt_at is not null or created_at > now() - interval '1 day'
      group by channel`),
    db.execute<{ program: string; state: string; count: number }>(sql`
      select coalesce(regexp_replace(application_name, ' #.*$', ''), '') as program, coalesce(state, '') as state, count(*)::int as count
      from pg_stat_activity where datname = current_database() group by 1, 2`),
    db.execute<{ made: number | null; proven: number | null; failed: boolean | null }>(sql`
      select extract(epoch from now() - max(made_at))::float8 as made, extract(epoch from now() - max(proven_at))::float8 as proven,
        (select error is not null from backups order by started_at desc limit 1) as failed
      from backups`),
  ]);
  const counted = new Map<string, SiteLoad["connections"][number]>();
  for (const { program, state, count } of connections) {
    const one = {
      program: PROGRAMS.test(program) ? program : "other",
      state: STATES.has(state) ? state : "other",
      count: 0,
    };
    const known = counted.get(`${one.program}\n${one.state}`) ?? one;
    known.count += count;
    counted.set(`${one.program}\n${one.state}`, known);
  }
  return {
    mails: { waiting: mails?.waiting ?? 0, retrying: mails?.retrying ?? 0, given_up: mails?.given_up ?? 0 },
    deliveries,
    events_waiting: mails?.events_waiting ?? 0,
    collectors: collectors.collectors,
    overdue: collectors.overdue,
    lag_s: collectors.lag_s,
    connections: [...counted.values()],
    connections_max: mails?.connections_max ?? 0,
    backup_age_s: backup?.made ?? null,
    backup_proof_age_s: backup?.proven ?? null,
    backup_failed: backup?.failed ?? false,
  };
}
