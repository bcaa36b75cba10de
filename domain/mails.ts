// Mails: queued in the caller's transaction, taken by one sender at a time, tried again with growing pauses.
import { and, desc, eq, gte, inArray, lt, lte, sql } from "drizzle-orm";
import type { MailData, MailTemplateName } from "#content/mails/templates.ts";
import type { Db } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { isMailAddress } from "#outside/mail.ts";

export type MailLocale = "en" | "de";

/** A mail that a sender has taken and must now send. */
export type ClaimedMail = Awaited<ReturnType<typeof claimDueMails>>[number];

/** Pause after the first, second … failed attempt; after the last one the mail is given up. */
const PAUSES_MIN = [1, 4, 15, 60, 120, 240, 360];
export const MAX_ATTEMPTS = PAUSES_MIN.length + 1;
/** A sender that took a mail and died leaves it to the others after this; longer than any attempt takes. */
const CLAIM_S = 120;
const KEPT_DAYS = 30;

/**
 * Queues a mail in the caller's transaction: it is sent within a second of the commit, and not at all after a rollback.
 * @param mail `data` fits the template; `useful_until`: when its link or code ends, after which it is not sent any more.
 *   Never put a text into `data` that a stranger chose for a mail to somebody else (a user name, say): only the message to
 *   the operator quotes people.
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
    useful_until?: Date | null;
  },
): Promise<void> {
  for (const address of [mail.to, mail.reply_to]) {
    if (address && !isMailAddress(address)) throw new RangeError("This is no email address that a mail can go to.");
  }
  await db.insert(mails).values({
    mail_to: mail.to,
    reply_to: mail.reply_to ?? null,
    locale: mail.locale,
    template: mail.template,
    data: mail.data,
    useful_until: mail.useful_until ?? null,
  });
}

/**
 * Takes up to `limit` due mails for the caller alone, for two minutes, and counts the attempt.
 * Mails that are of no more use, or whose last attempt nobody lived to report, are given up on the way.
 */
export async function claimDueMails(db: Db, limit: number) {
  await db
    .update(mails)
    .set({
      next_attempt_at: null,
      given_up_at: sql`now()`,
      data: null,
      last_error: sql`coalesce(${mails.last_error}, 'its time was over before it could be sent')`,
    })
    .where(
      and(
        lte(mails.next_attempt_at, sql`now()`),
        sql`(${mails.useful_until} <= now() or ${mails.attempts} >= ${MAX_ATTEMPTS})`,
      ),
    );
  const due = db
    .select({ mail_id: mails.mail_id })
    .from(mails)
    .where(lte(mails.next_attempt_at, sql`now()`))
    .orderBy(mails.next_attempt_at)
    .limit(limit)
    .for("update", { skipLocked: true });
  return db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      next_attempt_at: sql`now() + ${CLAIM_S} * interval '1 second'`,
    })
    .where(sql`${mails.mail_id} = any(array(${due}))`)
    .returning({
      mail_id: mails.mail_id,
      mail_to: mails.mail_to,
      reply_to: mails.reply_to,
      locale: mails.locale,
      template: mails.template,
      data: mails.data,
      attempts: mails.attempts,
    });
}

/** Of each of these addresses the newest mail that was queued at this moment or later; `waiting`: not sent yet. */
export async function listNewestMails(db: Db, addresses: string[], since: Date) {
  return db
    .selectDistinctOn([mails.mail_to], {
      mail_id: mails.mail_id,
      waiting: sql<boolean>`${mails.sent_at} is null and ${mails.given_up_at} is null`,
    })
    .from(mails)
    .where(and(inArray(mails.mail_to, addresses), gte(mails.created_at, since)))
    .orderBy(mails.mail_to, desc(mails.created_at));
}

/** Notes that a mail went out, and erases what it said. */
export async function recordMailSent(db: Db, mailId: string): Promise<void> {
  await db
    .update(mails)
    .set({ sent_at: sql`now()`, next_attempt_at: null, data: null, last_error: null })
    .where(eq(mails.mail_id, mailId));
}

/** Notes a failed attempt. Returns when the next one is due, or null when the mail was given up; its error is kept. */
export async function recordMailFailed(
  db: Db,
  mail: { mail_id: string; attempts: number },
  failure: { permanent: boolean; reason: string },
): Promise<Date | null> {
  const pause = failure.permanent ? undefined : PAUSES_MIN[mail.attempts - 1];
  const [row] = await db
    .update(mails)
    .set(
      pause === undefined
        ? { next_attempt_at: null, given_up_at: sql`now()`, data: null, last_error: failure.reason }
        : {
            // Not past its usefulness, so that what it says is erased in time.
            next_attempt_at: sql`least(now() + ${pause} * interval '1 minute', ${mails.useful_until})`,
            last_error: failure.reason,
          },
    )
    .where(eq(mails.mail_id, mail.mail_id))
    .returning({ next_attempt_at: mails.next_attempt_at });
  return row?.next_attempt_at ?? null;
}

/** Removes mails older than 30 days, whatever became of them. */
export async function removeOldMails(db: Db): Promise<void> {
  await db.delete(mails).where(lt(mails.created_at, sql`now() - ${KEPT_DAYS} * interval '1 day'`));
}
