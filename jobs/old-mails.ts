// Removes mails, and files of the outbox, after 30 days.
import type { Db } from "#db/client.ts";
import { removeOldMails as removeOldRows } from "#domain/mails.ts";
import type { Mailer } from "#outside/mail.ts";

const OUTBOX_KEPT_MS = 30 * 24 * 60 * 60_000;

/** Any number of processes may do it at once. */
export async function removeOldMails({ db, mailer }: { db: Db; mailer: Mailer }): Promise<void> {
  await removeOldRows(db);
  await mailer.removeOlder(new Date(Date.now() - OUTBOX_KEPT_MS));
}
