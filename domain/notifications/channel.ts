// Defines a notification channel: takes one delivery, sends it, and returns the outcome.
import type { Logger } from "pino";
import type { Config } from "#config";
import type { MailSite } from "#content/mails/write-mail.ts";
import type { Telling } from "#content/notifications/tellings.ts";
import type { Db } from "#db/client.ts";
import type { Mailer } from "#outside/mail.ts";
import type { MailLocale } from "../mails.ts";
import type { EventFacts, EventKind } from "./event-kinds.ts";
import type { ChannelKind, Target } from "./targets.ts";

/**
 * Outcome of an attempt. `again`: retry with growing pauses, after `afterS` at the earliest. `never`: give up. `target is gone`:
 * send nothing there any more; a person's target is removed. `in doubt`: it may have arrived (a time limit after everything was
 * sent): people don't get it again, machines do. `not asked`: the other side must be left alone for `afterS`; not counted as an
 * attempt. `target`: send nothing at all there for this time. `reason` and `answer` are for operators, cut to 300 characters, and
 * must contain no secret.
 */
export type Outcome =
  | { sent: true; answer?: string; target?: { pausedS: number } }
  | {
      sent: false;
      reason: string;
      answer?: string;
      next: "again" | "never" | "target is gone" | "in doubt" | "not asked";
      afterS?: number;
      target?: { pausedS: number };
    };

/** The event of a delivery. */
export type ToldEvent = {
  event_id: number;
  kind: EventKind;
  server_id: number | null;
  game_id: number | null;
  subject_id: string | null;
  facts: EventFacts;
  happened_at: Date;
  /** Names as an admin wrote them; each channel does its own escaping. Null: the event is about none. */
  server_name: string | null;
  game_name: string | null;
  game_slug: string | null;
};

/** A delivery that a sender has claimed and must now send. */
export type ClaimedDelivery = {
  delivery_id: string;
  channel: ChannelKind;
  /** The same for every attempt, so that machines recognise a repetition. */
  dedupe_key: string;
  /** The first is 1. */
  attempts: number;
  created_at: Date;
  /** Seconds for which it is useful, by the database's clock; null: forever. */
  expires_in_s: number | null;
  /** Null: an account mail, or a test. */
  event: ToldEvent | null;
  /** In the target's language; null without an event. */
  telling: Telling | null;
  /** Null: an account mail. */
  target: Target | null;
  /** True if an operators' rule requested it, not a follow. */
  by_rule: boolean;
  /** The confirmed address of the account that owns the mailbox target. */
  account_email: string | null;
  /** Set if the delivery has a text of its own. */
  payload: Record<string, unknown> | null;
  /** Set for an account mail. */
  mail: { to: string; reply_to: string | null; locale: MailLocale; template: string } | null;
};

/** Dependencies of channels. */
export type ChannelParts = {
  db: Db;
  config: Config;
  /** The site's. */
  secret: string;
  mailer: Mailer;
  mailSite(): MailSite;
  /** Base of links: `https://play.example.org`, without a slash at the end. */
  siteOrigin: string;
  log: Logger;
};

export type Channel = {
  /** The kinds of targets that it sends to. */
  kinds: readonly ChannelKind[];
  /** Deliveries in doubt are retried for machines, never for people. */
  audience: "people" | "machines";
  /** Concurrent sends per process. */
  atOnce: number;
  /**
   * Sends a delivery; never rejects because of the other side. If it rejects because the database is unavailable, nothing was sent,
   * or a refused request may be repeated. `signal`: the process stops.
   */
  send(delivery: ClaimedDelivery, parts: ChannelParts, signal: AbortSignal): Promise<Outcome>;
};
