// Detects the site's own troubles; notifies about each once, and again when it is over.
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Config } from "#config";
import {
  TROUBLES,
  type Trouble,
  type TroubleFacts,
  troubleOverTexts,
  troubleTexts,
} from "#content/notifications/site-troubles.ts";
import type { Db } from "#db/client.ts";
import { notificationDeliveries as deliveries, notificationTargets, siteTroubles } from "#db/schema/index.ts";
import { recordEvent } from "../notifications/events.ts";
import { readBackupState } from "./backups.ts";
import { listDisks, readCollectorHealth } from "./health.ts";
import { withoutMailAddresses } from "./without-mail-addresses.ts";

/** Less free space than this is a trouble, until there is clearly more. */
const LOW_DISK = 0.1;
const CERTIFICATE_DAYS = 14;
/** Hours after a planned backup before it counts as missing. */
const LATE_BACKUP_H = 2;
const HOUR_S = 3_600;

/** Seconds that a trouble must last before a notification; short ones may pass by themselves. */
const TOLD_AFTER_S: Record<Trouble, number> = {
  backup: 0,
  disk: 300,
  mail: 0,
  certificate: 0,
  collector: 120,
  channel: 0,
  database: 0,
};
/** Unseen for this long: it is over. Shorter gaps belong to one trouble. */
const OVER_AFTER_S = 15 * 60;
/** A trouble that caused no notification is dropped once unseen for this long. */
const FORGOTTEN_AFTER_S = 5 * 60;

type Place = {
  dataDir: string;
  backups: Config["backups"] | undefined;
  /** Days until the certificate expires; null: none, or unknown. */
  certificateDays: number | null;
};

export type FoundTroubles = Map<Trouble, TroubleFacts>;

/** Finds the current troubles that this process can see. */
export async function findTroubles(db: Db, { dataDir, backups, certificateDays }: Place): Promise<FoundTroubles> {
  const [backup, disks, collector, mail, channels] = await Promise.all([
    readBackupState(db),
    listDisks(dataDir),
    readCollectorHealth(db),
    findMailTrouble(db),
    listDeadChannels(db),
  ]);
  const found: FoundTroubles = new Map();
  const lateAfterS = backups ? (backups.everyH + LATE_BACKUP_H) * HOUR_S : Number.POSITIVE_INFINITY;
  const late = backup.age_s !== null && backup.age_s > lateAfterS;
  if (backup.error !== null || late) found.set("backup", { reason: backup.error });
  const low = disks.find(({ free, total }) => free < total * LOW_DISK);
  if (low) found.set("disk", { free: low.free, total: low.total });
  // If no collector ever ran, none is missing yet.
  if (collector.last_tick_at !== null && collector.collectors === 0) found.set("collector", {});
  if (mail) found.set("mail", mail);
  if (channels.length > 0) found.set("channel", { names: channels });
  if (certificateDays !== null && certificateDays < CERTIFICATE_DAYS)
    found.set("certificate", { days: certificateDays });
  return found;
}

/** Finds mails that failed more than once while none was sent for ten minutes. */
async function findMailTrouble(db: Db): Promise<TroubleFacts | null> {
  const isMail = eq(deliveries.channel, "mail");
  const [failing] = await db
    .select({ reason: deliveries.last_error })
    .from(deliveries)
    .where(
      and(
        isMail,
        sql`${deliveries.attempts} >= 2`,
        isNotNull(deliveries.last_error),
        sql`(${deliveries.state} in ('waiting', 'sending') or (${deliveries.state} = 'failed' and ${deliveries.created_at} > now() - interval '1 day'))`,
      ),
    )
    .orderBy(sql`${deliveries.created_at} desc`)
    .limit(1);
  if (!failing) return null;
  const [arrived] = await db
    .select({ sent_at: deliveries.sent_at })
    .from(deliveries)
    .where(and(isMail, sql`${deliveries.sent_at} > now() - interval '10 minutes'`))
    .limit(1);
  return arrived ? null : { reason: withoutMailAddresses(failing.reason ?? "") };
}

/** Lists operators' channels that were stopped. */
async function listDeadChannels(db: Db): Promise<string[]> {
  const dead = await db
    .select({ name: notificationTargets.name })
    .from(notificationTargets)
    .where(
      and(
        isNull(notificationTargets.user_id),
        isNotNull(notificationTargets.name),
        isNotNull(notificationTargets.dead_at),
      ),
    )
    .orderBy(notificationTargets.name);
  return dead.map(({ name }) => name ?? "");
}

/** Records what was found; notifies about lasting new troubles and about those unseen for a while. */
export function noteTroubles(db: Db, found: FoundTroubles): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${siteTroubles} in share row exclusive mode`);
    for (const [trouble, facts] of found) {
      const [row] = await tx
        .insert(siteTroubles)
        .values({ trouble })
        .onConflictDoUpdate({ target: siteTroubles.trouble, set: { last_seen_at: sql`now()` } })
        .returning({
          due: sql<boolean>`${siteTroubles.told_at} is null and ${siteTroubles.first_seen_at} <= now() - ${TOLD_AFTER_S[trouble]} * interval '1 second'`,
          since: siteTroubles.first_seen_at,
        });
      if (!row?.due) continue;
      await tx.update(siteTroubles).set({ told_at: sql`now()` }).where(eq(siteTroubles.trouble, trouble));
      await recordEvent(tx, {
        kind: "site_trouble",
        subject_id: trouble,
        facts: troubleTexts(trouble, facts),
        dedupe_key: `site_trouble:${trouble}:${row.since.toISOString()}`,
      });
    }
    await endTroubles(tx, found);
  });
}

async function endTroubles(tx: Db, found: FoundTroubles): Promise<void> {
  const over = await tx
    .delete(siteTroubles)
    .where(
      sql`${siteTroubles.last_seen_at} < now() - (case when ${siteTroubles.told_at} is null then ${FORGOTTEN_AFTER_S}::int else ${OVER_AFTER_S}::int end) * interval '1 second'`,
    )
    .returning();
  for (const { trouble: name, told_at, first_seen_at, last_seen_at } of over) {
    const trouble = TROUBLES.find((each) => each === name);
    // Skip troubles of another version, those without a notification, and the one notified only when it is over.
    if (!trouble || told_at === null || trouble === "database" || found.has(trouble)) continue;
    const minutes = Math.round((last_seen_at.getTime() - first_seen_at.getTime()) / 60_000);
    await recordEvent(tx, {
      kind: "site_trouble_over",
      subject_id: trouble,
      facts: troubleOverTexts(trouble, {}, minutes),
      dedupe_key: `site_trouble_over:${trouble}:${first_seen_at.toISOString()}`,
    });
  }
}

/**
 * Notifies that the database refused writes for a while. No event can be stored during it, so this runs once it is over; of several
 * processes that noticed, one does it.
 */
export function noteWritesAgain(db: Db): Promise<void> {
  return db.transaction(async (tx) => {
    const [first] = await tx
      .insert(siteTroubles)
      .values({ trouble: "database", told_at: sql`now()` })
      .onConflictDoUpdate({ target: siteTroubles.trouble, set: { last_seen_at: sql`now()` } })
      .returning({ since: siteTroubles.first_seen_at, isNew: sql<boolean>`${siteTroubles.first_seen_at} = now()` });
    if (!first?.isNew) return;
    await recordEvent(tx, {
      kind: "site_trouble",
      subject_id: "database",
      facts: troubleTexts("database", {}),
      dedupe_key: `site_trouble:database:${first.since.toISOString()}`,
    });
  });
}
