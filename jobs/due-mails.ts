// Sends the mails that wait in the database: several senders side by side, each mail by one of them.
import type { Logger } from "pino";
import { renderMail } from "#content/mails/templates.ts";
import type { MailSite } from "#content/mails/write-mail.ts";
import type { Db } from "#db/client.ts";
import { type ClaimedMail, claimDueMails, recordMailFailed, recordMailSent } from "#domain/mails.ts";
import type { Mailer, MailOutcome } from "#outside/mail.ts";

const AT_ONCE = 5;

type Parts = { db: Db; mailer: Mailer; mailSite(): MailSite; log: Logger };

/**
 * Sends all that are due, and takes no more of them after `signal`: another sender tries again what a stop cut off. Rejects
 * while the database is away; what was taken is due again after its two minutes.
 */
export async function sendDueMails({ signal, ...parts }: Parts & { signal: AbortSignal }): Promise<void> {
  while (!signal.aborted) {
    const mails = await claimDueMails(parts.db, AT_ONCE);
    if (mails.length === 0) return;
    await Promise.all(mails.map((mail) => send(parts, mail)));
  }
}

async function send(parts: Parts, mail: ClaimedMail): Promise<void> {
  const { db, log } = parts;
  const about = { mail_id: mail.mail_id, template: mail.template, attempt: mail.attempts };
  const outcome = await attempt(parts, mail);
  if (outcome.sent) {
    await recordMailSent(db, mail.mail_id);
    log.info({ ...about, where: outcome.where }, "a mail was sent");
    return;
  }
  const next = await recordMailFailed(db, mail, outcome);
  const text = next ? "a mail could not be sent and is tried again" : "a mail could not be sent and was given up";
  log.warn({ ...about, reason: outcome.reason, next_attempt_at: next }, text);
}

async function attempt({ mailer, mailSite }: Parts, mail: ClaimedMail): Promise<MailOutcome> {
  try {
    const site = mailSite();
    const { subject, text, html } = renderMail(mail, site);
    const { mail_id: id, template: name, mail_to: to, reply_to } = mail;
    return await mailer.send({ id, name, from_name: site.name, to, reply_to, subject, text, html });
  } catch (error) {
    // Texts that cannot be put together today cannot be tomorrow.
    return { sent: false, permanent: true, reason: String(error).slice(0, 500) };
  }
}
