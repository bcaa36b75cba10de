/**
 * Sends one message to the push service of a browser (RFC 8030; encrypted by RFC 8188 and 8291, signed by RFC 8292). The endpoint
 * is an untrusted address: only known hosts over https, connected to by the checked address, no redirect, within a time limit, and
 * little of the response read (decision 042).
 */
import { ECDH } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import webPush from "web-push";
import { createNameLookup } from "./game-address-lookup.ts";
import { AddressRanges, isAllowedAddress } from "./game-address-rules.ts";
import { type Allow, type Answer, RequestError, request } from "./request.ts";
import { readRetryAfter } from "./retry-after.ts";

/** As the browser sent it; keys in base64url. */
export type PushSubscription = { endpoint: string; p256dh: string; auth: string };

/** The sender (RFC 8292): keys in base64url, and the site's address for contacting its operator. */
type PushSender = { subject: string; publicKey: string; privateKey: string };

export type PushMessage = {
  /** At most 3,993 bytes of UTF-8, the limit of push services. */
  text: string;
  /** How many seconds the push service stores it for an offline browser. */
  ttlS: number;
  urgency: "normal" | "high";
  /** At most 32 characters of base64url: a newer message with the same one replaces one that still waits there. */
  topic?: string;
};

/**
 * The result. `again`: it did not arrive, but a retry may (`afterS`: as the push service requested). `target is gone`: the browser
 * is unsubscribed for good. `never`: it is refused, and a retry would be too. `in doubt`: it was sent, but the result is unknown.
 * `reason`: a code that the message admin_notify_failure has words for, or the connection's error. `answer`: the push service's
 * text, at most 300 characters.
 */
type PushOutcome =
  | { sent: true; answer: string }
  | {
      sent: false;
      next: "again" | "never" | "target is gone" | "in doubt";
      reason: string;
      answer?: string;
      afterS?: number;
      /** Too many messages for the push service (429). */
      limited?: boolean;
    };

const MOST_ENDPOINT = 1_000;
const AUTH_BYTES = 16;
const P256_POINT_BYTES = 65;
/** Everything together: name, connection, message, response. */
const WITHIN_MS = 10_000;
/** For the response's body; its status has already decided. */
const BODY_WITHIN_MS = 1_000;
const MOST_BODY_BYTES = 4_096;
const MOST_ANSWER = 300;
/** Idle connections are closed before the other side would: a message written into a closing one is in doubt. */
const IDLE_MS = 1_000;
/** One signature is reused for this long; it is valid for twelve hours, and push services recognise it (RFC 8292, 2). */
const SIGNED_FOR_MS = 3_600_000;
const MOST_SIGNED = 1_000;
const NOWHERE = new AddressRanges([]);

/** Scheme, host and path: no port, no user name, no password, no fragment, only ASCII. */
const ENDPOINT = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/[!"$-[\]-~]*$/;

/** Gets the host of a permitted endpoint; null: not permitted. `hosts` as in PUSH_HOSTS: names, or `*.` before a suffix. */
export function hostOfEndpoint(endpoint: string, hosts: readonly string[]): string | null {
  const host = endpoint.length <= MOST_ENDPOINT ? ENDPOINT.exec(endpoint)?.[1] : undefined;
  // Two parsers must agree on its host.
  if (host === undefined || URL.parse(endpoint)?.host !== host) return null;
  const isKnown = hosts.some((known) => (known.startsWith("*.") ? host.endsWith(known.slice(1)) : host === known));
  return isKnown ? host : null;
}

/**
 * Makes the check of endpoints that clients register. `not_allowed`: the endpoint belongs to no push service in `hosts`, or its
 * name has no public address. `away`: the DNS fails. A name that `hosts` contains in full isn't resolved: the operator vouches for
 * it.
 * @param options as of `createPushGateway`
 */
export function createEndpointCheck(options: {
  hosts: readonly string[];
  dns?: readonly string[] | undefined;
}): (endpoint: string) => Promise<"ok" | "not_allowed" | "away"> {
  const { hosts } = options;
  const lookup = createNameLookup({ servers: options.dns, now: Date.now });
  const isAllowed = (address: string): boolean => isAllowedAddress(address, NOWHERE);
  return async (endpoint) => {
    const host = hostOfEndpoint(endpoint, hosts);
    if (host === null) return "not_allowed";
    if (hosts.includes(host)) return "ok";
    const addresses = await lookup.listAddresses(host, isAllowed);
    if (addresses === null) return "away";
    return addresses.some(isAllowed) ? "ok" : "not_allowed";
  };
}

/** Checks whether a message can be encrypted for it: a point of the curve, and sixteen bytes, both in base64url. */
export function hasPushKeys({ p256dh, auth }: Pick<PushSubscription, "p256dh" | "auth">): boolean {
  if (![p256dh, auth].every((text) => /^[\w-]{1,100}$/.test(text))) return false;
  if (Buffer.from(auth, "base64url").length !== AUTH_BYTES) return false;
  const point = Buffer.from(p256dh, "base64url");
  if (point.length !== P256_POINT_BYTES || point[0] !== 4) return false;
  try {
    ECDH.convertKey(point, "prime256v1");
    return true;
  } catch {
    return false;
  }
}

/** Makes a pair of keys for one site, as `PushSender` has them. */
export const makePushKeys = (): { publicKey: string; privateKey: string } => webPush.generateVAPIDKeys();

export type PushGateway = {
  /** Sends one message; never rejects. Gives up after `signal`. */
  send(to: PushSubscription, message: PushMessage, sender: PushSender, signal: AbortSignal): Promise<PushOutcome>;
};

/**
 * Makes the sender, with its connections and DNS cache. `hosts`: permitted push services, as in PUSH_HOSTS. `dns`: servers as
 * "address:port", the system's if absent. `pretend`: a port of this machine that replaces every push service, and its certificate
 * (PEM); for tests.
 */
export function createPushGateway(options: {
  hosts: readonly string[];
  dns?: readonly string[] | undefined;
  pretend?: { port: number; certificate: string } | undefined;
}): PushGateway {
  const { hosts, pretend } = options;
  const lookup = createNameLookup({ servers: options.dns, now: Date.now });
  const isAllowed = (address: string): boolean => isAllowedAddress(address, NOWHERE);
  const allow: Allow = {
    keepAliveMs: IDLE_MS,
    ca: pretend?.certificate,
    async find({ host }) {
      if (pretend) return { ok: true, address: "127.0.0.1", port: pretend.port };
      const addresses = await lookup.listAddresses(host, isAllowed);
      if (addresses === null || addresses.length === 0) return { ok: false, failure: "dns" };
      const address = addresses.find(isAllowed);
      return address === undefined ? { ok: false, failure: "blocked" } : { ok: true, address };
    },
  };
  const signed = new Map<string, { header: string; until: number }>();
  let turn: Promise<unknown> = Promise.resolve();

  /** Encryption keeps the process busy: pages and streams get a turn between two of ten thousand messages. */
  const ownTurn = (): Promise<unknown> => {
    turn = turn.then(() => nextTurn());
    return turn;
  };

  function signatureFor(host: string, { subject, publicKey, privateKey }: PushSender): string {
    const key = `${host} ${publicKey} ${subject}`;
    const now = performance.now();
    const kept = signed.get(key);
    if (kept && kept.until > now) return kept.header;
    if (signed.size >= MOST_SIGNED) signed.clear();
    const { Authorization: header } = webPush.getVapidHeaders(
      `https://${host}`,
      subject,
      publicKey,
      privateKey,
      "aes128gcm",
    );
    signed.set(key, { header, until: now + SIGNED_FOR_MS });
    return header;
  }

  return {
    async send(to, { text, ttlS, urgency, topic }, sender, signal) {
      const host = hostOfEndpoint(to.endpoint, hosts);
      if (host === null) return never("push_unlisted");
      await ownTurn();
      let details: webPush.RequestDetails;
      try {
        details = webPush.generateRequestDetails({ endpoint: to.endpoint, keys: to }, text, {
          TTL: Math.max(0, Math.floor(ttlS)),
          urgency,
          ...(topic !== undefined && { topic }),
          headers: { Authorization: signatureFor(host, sender) },
        });
      } catch (error) {
        return never(`no message can be made for it: ${String(error).slice(0, 200)}`);
      }
      return handOver(details, allow, signal);
    },
  };
}

const again = (reason: string): PushOutcome => ({ sent: false, next: "again", reason });
const never = (reason: string): PushOutcome => ({ sent: false, next: "never", reason });

/** Sends the message, and reads the result. From its first byte on, only a response decides. */
async function handOver(
  { endpoint, headers, body }: webPush.RequestDetails,
  allow: Allow,
  signal: AbortSignal,
): Promise<PushOutcome> {
  try {
    const answer = await request(endpoint, {
      method: "POST",
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: body ?? undefined,
      maxBytes: MOST_BODY_BYTES,
      timeoutMs: WITHIN_MS,
      bodyWithinMs: BODY_WITHIN_MS,
      signal,
      allow,
    });
    return outcomeOf(answer);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { failure, progress, message } = error;
    if (failure === "blocked") return never("blocked");
    const reason = failure === "timeout" || failure === "dns" ? failure : message.slice(0, 200);
    return progress.sent ? { sent: false, next: "in doubt", reason } : again(reason);
  }
}

/** RFC 8030, 5 to 8, and further replies of push services. */
function outcomeOf({ status: statusCode, headers, body }: Answer): PushOutcome {
  const text = String(body).replace(/[\p{C}\s]+/gu, " ");
  const answer = `${statusCode} ${text}`.trim().slice(0, MOST_ANSWER);
  if (statusCode >= 200 && statusCode < 300) return { sent: true, answer };
  const failed = (next: "again" | "never" | "target is gone", reason: string): PushOutcome => ({
    sent: false,
    next,
    reason,
    answer,
  });
  if (statusCode === 404 || statusCode === 410) return failed("target is gone", "push_gone");
  if (statusCode === 413) return failed("never", "push_too_large");
  if (statusCode >= 300 && statusCode < 400) return failed("never", "push_redirect");
  if (statusCode === 408 || statusCode === 429 || statusCode >= 500) {
    const afterS = readRetryAfter(headers["retry-after"]);
    return {
      ...failed("again", "push_busy"),
      ...(afterS !== null && { afterS }),
      ...(statusCode === 429 && { limited: true }),
    };
  }
  return failed("never", "status");
}
