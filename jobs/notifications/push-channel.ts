// Sends web push: a notification as an encrypted message to a subscription's push service.
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

/** The text of a delivery without an event. */
type OwnWords = { title: string; body: string; path: string };

/** How long a push service stores a message without an expiry. */
const KEPT_S = 600;
/** A message that expires sooner than this is urgent enough to wake a phone. */
const URGENT_WITHIN_S = 3600;
/** A stopping process waits this long for the reply to a sent message: without one it would be in doubt. */
const GRACE_MS = 3_000;
/** Of RFC 8030, 5.4. */
const TOPIC_LENGTH = 32;
/**
 * A limit by a push service pauses everything sent to it, for as long as it requests but no longer than this: it may have meant
 * only one browser.
 */
const LONGEST_HOST_PAUSE_S = 60;
/** If it names no duration. */
const HOST_PAUSE_S = 10;
/** The operator's address is looked up this often. */
const SUBJECT_MS = 60_000;

/** Creates the channel; connections and site data are created on first send. */
export function createPushChannel(): Channel {
  const gateways = new WeakMap<Config, Promise<PushGateway>>();
  const keys = new WeakMap<Config, Promise<PushKeys>>();
  const subjects = new WeakMap<Config, { subject: Promise<string>; until: number }>();
  const limits = new WeakMap<Db, Promise<ReadonlyMap<string, number>>>();
  const later = new WeakMap<AbortSignal, AbortSignal>();

  /** Aborts after the grace period that begins with `signal`. */
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

  /** One query for all messages that are sent at the same time. */
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
    kinds: ["push"],
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
      // Spread a little, so that they don't all return in the same second.
      if (pauseS > 0)
        return { sent: false, reason: "host_limited", next: "not asked", afterS: pauseS + Math.random() * 5 };
      const gateway = await gatewayOf(parts);
      const outcome = await gateway.send({ endpoint, p256dh, auth }, message, ready.sender, laterThan(signal));
      if (outcome.sent) return outcome;
      if (outcome.limited) {
        const forS = Math.min(outcome.afterS ?? HOST_PAUSE_S, LONGEST_HOST_PAUSE_S);
        // If this can't be stored, neither can the message's outcome: nothing more is sent.
        await notePushLimit(parts.db, host, forS).catch((error: unknown) => {
          parts.log.debug({ err: error, host }, "the limit of a push service could not be written down");
        });
      }
      // Pauses the whole browser for as long as the push service requests.
      return {
        ...outcome,
        ...(outcome.afterS !== undefined && { target: { pausedS: outcome.afterS } }),
      } satisfies Outcome;
    },
  };
}

/** Caches a value per site; drops a failure, so that the next call tries again. */
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
 * Finds the address at which push services reach the operator (RFC 8292, 2.1). Apple's replies 403 to an address that isn't real,
 * so the site's own comes first, then the operator's contact.
 */
async function findSubject({ siteOrigin, db, config }: ChannelParts): Promise<string> {
  const url = new URL(siteOrigin);
  if (url.protocol === "https:" && url.hostname !== "localhost") return url.origin;
  const { contact_email } = await readSiteSettings(db);
  return `mailto:${contact_email || config.mailFrom}`;
}

/** Null: there is no text for it. */
function messageOf(delivery: ClaimedDelivery, siteOrigin: string): PushMessage | null {
  const { event, telling, payload, target, expires_in_s } = delivery;
  const words = telling ?? (payload as OwnWords | null);
  if (!words) return null;
  const lang = target?.locale ?? "en";
  const about = event ? `${event.kind} ${event.server_id ?? event.subject_id ?? event.game_id ?? "site"}` : "test";
  const tag = createHash("sha256").update(about).digest("base64url").slice(0, TOPIC_LENGTH);
  const ttlS = expires_in_s === null ? KEPT_S : Math.max(0, expires_in_s);
  // Both formats: Safari shows it itself (declarative web push), all others pass it to the worker.
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
    // A newer message replaces an undelivered one for a phone that was off.
    topic: tag,
  };
}
