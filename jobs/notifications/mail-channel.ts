// Sends mails: account mails by template, notifications by their text.
import { renderMail } from "#content/mails/templates.ts";
import { type Digest, writeDigestMail, writeTellingMail } from "#content/notifications/telling-mail.ts";
import { findOrDraft } from "#domain/incidents/watch-outages.ts";
import type { Channel, ChannelParts, ClaimedDelivery, Outcome } from "#domain/notifications/channel.ts";
import { factsOfKind } from "#domain/notifications/event-kinds.ts";
import { type MailEnd, sealEnd } from "#domain/notifications/mail-ends.ts";
import type { Letter } from "#outside/mail.ts";
import { addressIn } from "#shared/locale.ts";

export const mailChannel: Channel = {
  kinds: ["mail"],
  audience: "people",
  atOnce: 10,
  async send(delivery, parts) {
    const letter = letterOf(delivery, await draftOf(delivery, parts), parts);
    if (letter === null) return { sent: false, reason: "no_address", next: "never" };
    const outcome = await parts.mailer.send(letter);
    if (outcome.sent) return { sent: true, answer: outcome.where };
    const { permanent, doubtful, reason } = outcome;
    return { sent: false, reason, next: permanent ? "never" : doubtful ? "in doubt" : "again" } satisfies Outcome;
  },
};

/** For an admin's outage notification: the incident draft. */
async function draftOf({ event, target, by_rule }: ClaimedDelivery, { db, config }: ChannelParts) {
  if (!by_rule || !target?.user_id || event?.kind !== "server_down" || event.server_id === null) return null;
  return findOrDraft(db, event.server_id, config.pollIntervalS);
}

/** Null: there is no recipient. */
function letterOf(delivery: ClaimedDelivery, draftId: number | null, parts: ChannelParts): Letter | null {
  const site = parts.mailSite();
  const { delivery_id: id, mail, payload, telling, target, account_email } = delivery;
  if (mail) {
    const { template: name, to, reply_to } = mail;
    return { id, name, from_name: site.name, to, reply_to, ...renderMail({ ...mail, data: payload }, site) };
  }
  const to = target?.address?.to ?? account_email;
  if (!to || !target) return null;
  const end = endOf(delivery);
  const end_link = end && `${site.url}${addressIn(target.locale, "/following/end")}?mail=${sealEnd(parts.secret, end)}`;
  const letter = { id, from_name: site.name, to, end_link };
  if (payload?.digest && end_link) {
    const digest = payload.digest as Digest;
    return { ...letter, name: "digest", ...writeDigestMail(digest, target.locale, site, end_link) };
  }
  const draft_path = draftId === null ? null : addressIn(target.locale, `/admin/status/incidents/${draftId}`);
  const words = telling && writeTellingMail(telling, target.locale, site, { end_link, draft_path });
  return words && { ...letter, name: "telling", ...words };
}

/** The scope of the mail's link; null: operators' rules caused it, and end in the admin area. */
function endOf({ event, target, by_rule, payload }: ClaimedDelivery): MailEnd | null {
  if (!target?.user_id || by_rule) return null;
  const { target_id } = target;
  if (payload?.digest) return { target_id, digest: true };
  const kind = event && factsOfKind(event.kind)?.followedAs;
  if (!kind) return null;
  const { server_id, game_id } = event;
  return { target_id, kind, server_id, game_id: server_id === null ? game_id : null };
}
