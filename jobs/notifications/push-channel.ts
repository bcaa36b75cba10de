// The way to browsers: one telling as an encrypted message to the push service of one subscription.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Config } from "#config";
import type { Db } from "#db/client.ts";
import type { Channel, ChannelParts, ClaimedDelivery, Outcome } from "#domain/notifications/channel.ts";
import { openPushKeys, type PushKeys } from "#domain/notifications/push-keys.ts";
import { notePushLimit, readPushLimits } from "#domain/notifications/push-limits.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import { createPushGateway, type PushGateway, type PushMessage } from "#outside/web-push.ts";
import { addressIn } from "#shared/locale.ts";

/** What a delivery without an event says by itself. */
type OwnWords = { title: string; body: string; path: string };

/** How long a push service keeps what says itself no end. */
const KEPT_S = 600;
/** What ends within so long is for a phone in a pocket to wake up for. */
const URGENT_WITHIN_S = 3600;
/** A process that stops waits so long for the answer to what it has handed over: without one, it would be in doubt. */
const GRACE_MS = 3_000;
/** Of RFC 8030, 5.4. */
const TOPIC_LENGTH = 32;
/**
 * A push service that limits us is left alone by all that goes there, for as long as it asks but no longer than this: it may have
 * meant the one browser.
 */
const LONGEST_HOST_PAUSE_S = 60;
/** Where it does not say for how long. */
const HOST_PAUSE_S = 10;
/** The operator's address is looked up so often. */
const SUBJECT_MS = 60_000;

/** Makes the channel; connections, and what it knows of a site, are made when it first sends. */
export function createPushChannel(): Channel {
  const gateways = new WeakMap<Config, Promise<PushGateway>>();
  const keys = new WeakMap<Config, Promise<PushKeys>>();
  const subjects = new WeakMap<Config, { subject: Promise<string>; until: number }>();
  const limits = new WeakMap<Db, Promise<ReadonlyMap<string, number>>>();
  const later = new WeakMap<AbortSignal, AbortSignal>();

  /** Aborts when the grace is over that begins as `signal` does. */
  function laterThan(signal: AbortSignal): AbortSignal {
    const there = later.get(signal);
    if (there) return there;
    const end = new AbortController();
    const begin = () => setTimeout(() => end.abort(), GRACE_MS).unref();
    if (signal.aborted) begin();
    else signal.addEventListener("abort", begin, { once: true });
    later.set(signal, end.signal);
    return end.signal;
  }

  const gatewayOf = ({ config }: ChannelParts) => once(gateways, config, () => openGateway(config));
  const keysOf = ({ config, db, secret }: ChannelParts) => once(keys, config, () => openPushKeys(db, secret));

  function subjectOf(parts: ChannelParts): Promise<string> {
    const there = subjects.get(parts.config);
    if (there && there.until > performance.now()) return there.subject;
    const subject = findSubject(parts);
    subjects.set(parts.config, { subject, until: performance.now() + SUBJECT_MS });
    subject.catch(() => subjects.delete(parts.config));
    return subject;
  }

  /** Asked once for all messages that are about to go at the same time. */
  function limitsNow({ db }: ChannelParts): Promise<ReadonlyMap<string, number>> {
    const asking = limits.get(db) ?? readPushLimits(db).finally(() => limits.delete(db));
    limits.set(db, asking);
    return asking;
  }

  async function prepare(parts: ChannelParts) {
    const [limited, pair, subject] = await Promise.all([limitsNow(parts), keysOf(parts), subjectOf(parts)]);
    return { limited, sender: { ...pair, subject } };
  }

  return {
    kind: "push",
    audience: "people",
    atOnce: 50,
    async send(delivery, parts, signal) {
      const { endpoint, p256dh, auth } = delivery.target?.address ?? {};
      if (!endpoint || !p256dh || !auth) {
        return { sent: false, reason: "unreadable", next: "target is gone" };
      }
      const { host } = new URL(endpoint);
      const message = messageOf(delivery, parts.siteOrigin);
      if (message === null) return { sent: false, reason: "no_words", next: "never" };
      const ready = await prepare(parts);
      const pauseS = ready.limited.get(host) ?? 0;
      // Spread a little, so that not all of them come back in one second.
      if (pauseS > 0)
        return { sent: false, reason: "host_limited", next: "not asked", afterS: pauseS + Math.random() * 5 };
      const gateway = await gatewayOf(parts);
      const outcome = await gateway.send({ endpoint, p256dh, auth }, message, ready.sender, laterThan(signal));
      if (outcome.sent) return outcome;
      if (outcome.limited) {
        const forS = Math.min(outcome.afterS ?? HOST_PAUSE_S, LONGEST_HOST_PAUSE_S);
        // Where it cannot be written, what came of the message cannot either: nothing more goes out.
        await notePushLimit(parts.db, host, forS).catch((error: unknown) => {
          parts.log.debug({ err: error, host }, "the limit of a push service could not be written down");
        });
      }
      // As long as a push service asks for, nothing at all goes to that browser.
      return {
        ...outcome,
        ...(outcome.afterS !== undefined && { target: { pausedS: outcome.afterS } }),
      } satisfies Outcome;
    },
  };
}

/** What is made once for a site; a failure is forgotten, so that the next one tries again. */
function once<Value>(
  kept: WeakMap<Config, Promise<Value>>,
  config: Config,
  make: () => Promise<Value>,
): Promise<Value> {
  const there = kept.get(config);
  if (there) return there;
  const made = make();
  kept.set(config, made);
  made.catch(() => kept.delete(config));
  return made;
}

async function openGateway({ pushHosts: hosts, pretendPush }: Config): Promise<PushGateway> {
  const pretend = pretendPush && {
    port: pretendPush.port,
    certificate: await readFile(pretendPush.certificate, "utf8"),
  };
  return createPushGateway({ hosts, pretend });
}

/**
 * By which address push services reach the operator (RFC 8292, 2.1). Apple's answers 403 to one that is not real, so the site's own
 * comes first, then what the operator has given as contact.
 */
async function findSubject({ siteOrigin, db, config }: ChannelParts): Promise<string> {
  const url = new URL(siteOrigin);
  if (url.protocol === "https:" && url.hostname !== "localhost") return url.origin;
  const { contact_email } = await readSiteSettings(db);
  return `mailto:${contact_email || config.mailFrom}`;
}

/** Null: there are no words for it. */
function messageOf(delivery: ClaimedDelivery, siteOrigin: string): PushMessage | null {
  const { event, telling, payload, target, expires_in_s } = delivery;
  const words = telling ?? (payload as OwnWords | null);
  if (!words) return null;
  const lang = target?.locale ?? "en";
  const about = event ? `${event.kind} ${event.server_id ?? event.subject_id ?? event.game_id ?? "site"}` : "test";
  const tag = createHash("sha256").update(about).digest("base64url").slice(0, TOPIC_LENGTH);
  const ttlS = expires_in_s === null ? KEPT_S : Math.max(0, expires_in_s);
  // Both at once: Safari shows it by itself (declarative web push), everything else hands it to the worker.
  const notification = {
    title: words.title,
    body: words.body,
    lang,
    navigate: siteOrigin + addressIn(lang, words.path),
    tag,
    icon: `${siteOrigin}/icon-192.png`,
  };
  return {
    text: JSON.stringify({ web_push: 8030, notification }),
    ttlS,
    urgency: ttlS <= URGENT_WITHIN_S ? "high" : "normal",
    // What is told anew replaces what a phone that was off has not been given yet.
    topic: tag,
  };
}
