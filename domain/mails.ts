// Queues account and contact-form mails in the caller's transaction, as deliveries of the one outbox.
import { and, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { MailData, MailTemplateName } from "#content/mails/templates.ts";
import type { Db } from "#db/client.ts";
import { notificationDeliveries } from "#db/schema/index.ts";
import { isMailAddress } from "#outside/mail.ts";

export type MailLocale = "en" | "de";

/**
 * Queues a mail in the caller's transaction: it is sent within a second of the commit, and not sent after a rollback.
 * @param mail `data` fits the template; `useful_for_s`: for how many seconds its link or code is valid; it isn't sent later.
 * Never put a text into `data` that a stranger chose for a mail to another person (a user name, say): only the message to the
 * operator quotes people.
 * @throws {RangeError} when `to` or `reply_to` is no email address.
 */
export async function queueMail<T extends MailTemplateName>(
  db: Db,
  mail: {
    to: string;
    locale: MailLocale;
    template: T;
    data: MailData[T];
    reply_to?: string | null;
    useful_for_s?: number;
  },
): Promise<void> {
  for (const address of [mail.to, mail.reply_to]) {
    if (address && !isMailAddress(address)) throw new RangeError("This is no email address that a mail can go to.");
  }
  await db.insert(notificationDeliveries).values({
    channel: "mail",
    mail_to: mail.to,
    reply_to: mail.reply_to ?? null,
    locale: mail.locale,
    template: mail.template,
    payload: mail.data,
    expires_at: mail.useful_for_s === undefined ? null : sql`now() + make_interval(secs => ${mail.useful_for_s})`,
  });
}

/** Lists the newest mail of each address queued since `since`; `waiting`: not sent yet. */
export async function listNewestMails(db: Db, addresses: string[], since: Date) {
  const { delivery_id, mail_to, channel, next_attempt_at, created_at } = notificationDeliveries;
  return db
    .selectDistinctOn([mail_to], {
      mail_id: delivery_id,
      waiting: sql<boolean>`${next_attempt_at} is not null`,
    })
    .from(notificationDeliveries)
    .where(and(eq(channel, "mail"), inArray(mail_to, addresses), gte(created_at, since)))
    .orderBy(mail_to, desc(created_at));
}
