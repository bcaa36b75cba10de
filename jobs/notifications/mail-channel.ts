// Mails: those of accounts by their template, those that tell of something by its words.
import { renderMail } from "#content/mails/templates.ts";
import { writeTellingMail } from "#content/notifications/telling-mail.ts";
import type { Channel, ChannelParts, ClaimedDelivery, Outcome } from "#domain/notifications/channel.ts";
import type { Letter } from "#outside/mail.ts";

export const mailChannel: Channel = {
  kind: "mail",
  audience: "people",
  atOnce: 10,
  async send(delivery, parts) {
    const letter = letterOf(delivery, parts);
    if (letter === null) return { sent: false, reason: "there is no confirmed address to send it to", next: "never" };
    const outcome = await parts.mailer.send(letter);
    if (outcome.sent) return { sent: true, answer: outcome.where };
    const { permanent, doubtful, reason } = outcome;
    return { sent: false, reason, next: permanent ? "never" : doubtful ? "in doubt" : "again" } satisfies Outcome;
  },
};

/** Null: nobody is there to write to. */
function letterOf(delivery: ClaimedDelivery, parts: ChannelParts): Letter | null {
  const site = parts.mailSite();
  const { delivery_id: id, mail, payload, telling, target, account_email } = delivery;
  if (mail) {
    const { template: name, to, reply_to } = mail;
    return { id, name, from_name: site.name, to, reply_to, ...renderMail({ ...mail, data: payload }, site) };
  }
  const to = target?.address?.to ?? account_email;
  if (!to || !telling || !target) return null;
  return { id, name: "telling", from_name: site.name, to, ...writeTellingMail(telling, target.locale, site) };
}
