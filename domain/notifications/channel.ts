// What a way out of the house is: it is handed one delivery, sends it, and says what came of it.
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
 * What came of an attempt. `again`: later, with growing pauses, after `afterS` at the earliest. `never`: it is given up.
 * `target is gone`: nothing goes there any more, and a person's target is removed. `in doubt`: it may have arrived (a time
 * limit after all was handed over): people are not told again, machines are. `not asked`: the other side has to be left alone for
 * `afterS`; it counts as no attempt. `target`: nothing at all goes there for so long.
 * `reason` and `answer` are for operators, and are cut to 300 characters; no secret may be in them.
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

/** What happened, of a delivery that tells of an event. */
export type ToldEvent = {
  event_id: number;
  kind: EventKind;
  server_id: number | null;
  game_id: number | null;
  subject_id: string | null;
  facts: EventFacts;
  happened_at: Date;
  /** Names as an admin wrote them: whatever a channel needs escaped it escapes itself. Null where it is about none. */
  server_name: string | null;
  game_name: string | null;
  game_slug: string | null;
};

/** A delivery that a sender has taken and must now send. */
export type ClaimedDelivery = {
  delivery_id: string;
  channel: ChannelKind;
  /** The same for every attempt: what a machine knows a repetition by. */
  dedupe_key: string;
  /** The first is 1. */
  attempts: number;
  created_at: Date;
  /** Seconds for which it is of use, by the database's clock; null: for ever. */
  expires_in_s: number | null;
  /** Null: a mail of an account, or a test. */
  event: ToldEvent | null;
  /** In the target's language; null without an event. */
  telling: Telling | null;
  /** Null: a mail of an account. */
  target: Target | null;
  /** Whether an operators' rule asked for it, and nobody who follows. */
  by_rule: boolean;
  /** The confirmed address of the account whose mailbox the target is. */
  account_email: string | null;
  /** Of a delivery that carries its own words. */
  payload: Record<string, unknown> | null;
  /** Of a mail of an account. */
  mail: { to: string; reply_to: string | null; locale: MailLocale; template: string } | null;
};

/** What channels work with. */
export type ChannelParts = {
  db: Db;
  config: Config;
  /** The site's. */
  secret: string;
  mailer: Mailer;
  mailSite(): MailSite;
  /** Where links lead: `https://play.example.org`, without a slash at the end. */
  siteOrigin: string;
  log: Logger;
};

export type Channel = {
  kind: ChannelKind;
  /** What is in doubt goes to machines again, and to people never. */
  audience: "people" | "machines";
  /** How many one process sends at a time. */
  atOnce: number;
  /**
   * Sends it and never rejects for what the other side does. Where it rejects because the database is away, nobody was asked, or
   * what was refused may be asked again. `signal`: the process stops.
   */
  send(delivery: ClaimedDelivery, parts: ChannelParts, signal: AbortSignal): Promise<Outcome>;
};
