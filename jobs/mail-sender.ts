// Sends the mails that wait in the database: woken by their NOTIFY, several senders side by side, each mail by one of them.
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { renderMail } from "#content/mails/templates.ts";
import type { MailSite } from "#content/mails/write-mail.ts";
import type { Database } from "#db/client.ts";
import { type ClaimedMail, claimDueMails, recordMailFailed, recordMailSent, removeOldMails } from "#domain/mails.ts";
import type { Mailer, MailOutcome } from "#outside/mail.ts";

/** For what no notification tells: attempts that fall due, mails of a sender that died, a lost connection. */
const LOOK_EVERY_MS = 10_000;
const CLEAN_EVERY_MS = 60 * 60_000;
const OUTBOX_KEPT_MS = 30 * 24 * 60 * 60_000;
const AT_ONCE = 5;
const STOP_LIMIT_MS = 4_000;

export type MailSender = {
  /** Takes no more mails and waits up to 4 s for those on their way; another sender tries again what was cut off. */
  stop(): Promise<void>;
};

/** Starts a sender. `site` names the site in each mail; it is asked anew every time. */
export async function startMailSender(parts: {
  database: Database;
  mailer: Mailer;
  site: () => MailSite;
  log: Logger;
}): Promise<MailSender> {
  const { database, mailer, log } = parts;
  let stopped = false;
  let waiting = false;
  let databaseAway = false;
  let sending: Promise<void> | null = null;

  async function send(mail: ClaimedMail): Promise<void> {
    const about = { mail_id: mail.mail_id, template: mail.template, attempt: mail.attempts };
    const outcome = await attempt(mail);
    if (outcome.sent) {
      await recordMailSent(database.db, mail.mail_id);
      log.info({ ...about, where: outcome.where }, "a mail was sent");
      return;
    }
    const next = await recordMailFailed(database.db, mail, outcome);
    const words = next ? "a mail could not be sent and is tried again" : "a mail could not be sent and was given up";
    log.warn({ ...about, reason: outcome.reason, next_attempt_at: next }, words);
  }

  async function attempt(mail: ClaimedMail): Promise<MailOutcome> {
    try {
      const site = parts.site();
      const { subject, text, html } = renderMail(mail, site);
      const { mail_id: id, template: name, mail_to: to, reply_to } = mail;
      return await mailer.send({ id, name, from_name: site.name, to, reply_to, subject, text, html });
    } catch (error) {
      // Words that cannot be put together today cannot be tomorrow.
      return { sent: false, permanent: true, reason: String(error).slice(0, 500) };
    }
  }

  async function sendAllDue(): Promise<void> {
    while (waiting && !stopped) {
      waiting = false;
      try {
        for (;;) {
          const mails = stopped ? [] : await claimDueMails(database.db, AT_ONCE);
          if (mails.length === 0) break;
          await Promise.all(mails.map(send));
        }
        databaseAway = false;
      } catch (error) {
        // What was taken is due again after its two minutes.
        if (!databaseAway) log.warn({ err: error }, "waiting mails cannot be read; they stay where they are");
        databaseAway = true;
      }
    }
    sending = null;
  }

  function wake() {
    waiting = true;
    if (!stopped) sending ??= sendAllDue();
  }

  async function clean() {
    try {
      await removeOldMails(database.db);
      await mailer.removeOlder(new Date(Date.now() - OUTBOX_KEPT_MS));
    } catch (error) {
      log.warn({ err: error }, "old mails could not be removed");
    }
  }

  // The driver subscribes anew after a lost connection and calls the second function again.
  const subscription = await database.sql.listen("mails", wake, wake);
  const look = setInterval(wake, LOOK_EVERY_MS).unref();
  const cleaning = setInterval(clean, CLEAN_EVERY_MS).unref();
  wake();
  void clean();

  return {
    async stop() {
      stopped = true;
      clearInterval(look);
      clearInterval(cleaning);
      const patience = new AbortController();
      await Promise.race([sending, pause(STOP_LIMIT_MS, null, { signal: patience.signal }).catch(() => null)]);
      patience.abort();
      await subscription.unlisten().catch(() => {});
    },
  };
}
