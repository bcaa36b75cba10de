// Removes old deliveries, events, unseen targets, and files of the outbox.

import type { Db } from "#db/client.ts";
import { removeOldDeliveries } from "#domain/notifications/deliveries.ts";
import { removeOldEvents } from "#domain/notifications/events.ts";
import { removeOldPushLimits } from "#domain/notifications/push-limits.ts";
import { removeUnseenTargets } from "#domain/notifications/targets.ts";
import type { Mailer } from "#outside/mail.ts";

const OUTBOX_KEPT_MS = 30 * 24 * 60 * 60_000;

/** Any number of processes may run it at once. */
export async function removeOldNotifications({ db, mailer }: { db: Db; mailer: Mailer }): Promise<void> {
  await removeOldDeliveries(db);
  await removeOldEvents(db);
  await removeUnseenTargets(db);
  await removeOldPushLimits(db);
  await mailer.removeOlder(new Date(Date.now() - OUTBOX_KEPT_MS));
}
