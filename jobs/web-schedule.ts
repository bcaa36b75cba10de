/** The web process's recurring jobs: its part of the list (schedule.ts). */
import type { Logger } from "pino";
import type { Config } from "#config";
import type { DiscordSite } from "#content/discord/site.ts";
import type { MailSite } from "#content/mails/write-mail.ts";
import type { Db } from "#db/client.ts";
import { removeOldLimits } from "#domain/discord/limits.ts";
import { ADDRESS_BATCHES_CHANNEL } from "#domain/game-servers/address-batches.ts";
import type { GameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import { waitForFollowed } from "#domain/notifications/followers-wait.ts";
import { syncWatches } from "#domain/notifications/watches.ts";
import { removeOldPlansAndIncidents } from "#domain/plans/retention.ts";
import type { Mailer } from "#outside/mail.ts";
import type { ObjectStorage } from "#outside/object-storage.ts";
import { eraseAccounts } from "./account-eraser.ts";
import { sweepAccounts } from "./account-sweep.ts";
import { examineAddressLines } from "./address-batches.ts";
import { updateDiscordCards } from "./discord/live-cards.ts";
import { makeDueBackup } from "./due-backup.ts";
import {
  addressLinesAreDue,
  cardsAreDue,
  deliveriesAreDue,
  eventsAreDue,
  followersMayWait,
  newsAreDue,
} from "./due-conditions.ts";
import { tellDueNews } from "./news.ts";
import { CHANNELS } from "./notifications/channels.ts";
import { writeDigests } from "./notifications/digests.ts";
import { makeDeliveries } from "./notifications/fan-out.ts";
import { removeOldNotifications } from "./notifications/old-notifications.ts";
import { sendBy } from "./notifications/send-deliveries.ts";
import { lookForTroubles } from "./site-troubles.ts";
import type { Job } from "./start-jobs.ts";

/** Dependencies of a web process's jobs. */
export type WebParts = {
  db: Db;
  limits: { sweep(): Promise<unknown> };
  storage: ObjectStorage;
  secret: string;
  mailer: Mailer;
  /** Read again for each mail. */
  mailSite(): MailSite;
  /** Base of links, without a slash at the end. */
  siteUrl: string;
  /** The site as visitors see it now, from memory. */
  publicSite(): DiscordSite;
  config: Config;
  /** Examines addresses, under the collector's address rule. */
  doctor: GameDoctor;
  /** Days until the certificate of the site's address expires; null: none, or unknown. */
  certificate(): number | null;
  log: Logger;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const WEB_JOBS = {
  mails: {
    // For cases without NOTIFY: retries that become due, a lost connection.
    everyMs: 2 * SECOND,
    wokenBy: "deliveries",
    due: deliveriesAreDue(CHANNELS.mail),
    atOnce: "any",
    stopWithinMs: 4 * SECOND,
    run: sendBy(CHANNELS.mail),
  },
  pushes: {
    // For cases without NOTIFY: retries that become due, a lost connection.
    everyMs: 2 * SECOND,
    wokenBy: "deliveries",
    due: deliveriesAreDue(CHANNELS.push),
    atOnce: "any",
    // Longer than the channel waits for messages already sent.
    stopWithinMs: 4 * SECOND,
    run: sendBy(CHANNELS.push),
  },
  webhooks: {
    everyMs: 2 * SECOND,
    wokenBy: "deliveries",
    due: deliveriesAreDue(CHANNELS.services),
    atOnce: "any",
    // A message that is cut off is sent again with the same id.
    stopWithinMs: 4 * SECOND,
    run: sendBy(CHANNELS.services),
  },
  notifications: {
    // For events that wait for a second answer, or for their time.
    everyMs: 2 * SECOND,
    wokenBy: "notifications",
    due: eventsAreDue,
    atOnce: "one by its own lock",
    run: makeDeliveries,
  },
  // For new game servers and rules.
  "number-watches": { everyMs: MINUTE, atOnce: "any", run: ({ db }) => syncWatches(db) },
  "followers-wait": {
    everyMs: 10 * SECOND,
    due: followersMayWait,
    atOnce: "one by its own lock",
    run: waitForFollowed,
  },
  digests: { everyMs: MINUTE, firstMs: 10 * SECOND, atOnce: "any", run: writeDigests },
  "address-batches": {
    // For cases without NOTIFY: lines of a dead process, a lost connection.
    everyMs: 10 * SECOND,
    wokenBy: ADDRESS_BATCHES_CHANNEL,
    due: addressLinesAreDue,
    atOnce: "any",
    // As long as one examination may take.
    stopWithinMs: 6 * SECOND,
    run: examineAddressLines,
  },
  news: {
    // For news that begins by the clock.
    everyMs: 2 * SECOND,
    wokenBy: "catalog",
    due: newsAreDue,
    atOnce: "any",
    run: tellDueNews,
  },
  "old-notifications": { everyMs: HOUR, atOnce: "any", run: removeOldNotifications },
  "discord-posts": {
    everyMs: 2 * SECOND,
    wokenBy: "deliveries",
    due: deliveriesAreDue(CHANNELS.discord),
    atOnce: "any",
    // As long as posting a message takes: a message in doubt isn't posted again.
    stopWithinMs: 10 * SECOND,
    run: sendBy(CHANNELS.discord),
  },
  "discord-cards": {
    everyMs: 2 * SECOND,
    due: cardsAreDue,
    atOnce: "any",
    // The same: no other process knows whether a card has its message.
    stopWithinMs: 10 * SECOND,
    run: (parts) => updateDiscordCards(parts),
  },
  "old-discord-limits": { everyMs: HOUR, atOnce: "any", run: ({ db }) => removeOldLimits(db) },
  "old-plans": { everyMs: HOUR, atOnce: "any", run: ({ db }) => removeOldPlansAndIncidents(db) },
  "account-sweep": { everyMs: 10 * MINUTE, firstMs: 10 * MINUTE, atOnce: "any", run: sweepAccounts },
  "account-eraser": { everyMs: HOUR, firstMs: MINUTE, atOnce: "any", run: eraseAccounts },
  "site-troubles": { everyMs: MINUTE, firstMs: MINUTE, atOnce: "any", run: lookForTroubles },
  backup: {
    everyMs: MINUTE,
    firstMs: MINUTE,
    atOnce: "one by its own lock",
    stopWithinMs: 10 * SECOND,
    run: makeDueBackup,
  },
} satisfies Record<string, Job<WebParts>>;
