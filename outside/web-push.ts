/**
 * Sends one message to the push service of a browser (RFC 8030; encrypted by RFC 8188 and 8291, signed by RFC 8292). The endpoint
 * is an address that a stranger gave us: only known hosts over https, connected to by the address that was checked, no redirect,
 * within a time limit, and little of the answer read (decision 042).
 */
import { ECDH } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { isIP } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import webPush from "web-push";
import { createNameLookup } from "./game-address-lookup.ts";
import { AddressRanges, isAllowedAddress } from "./game-address-rules.ts";
import { neverResolve } from "./never-resolve.ts";
import { readRetryAfter } from "./retry-after.ts";

/** As a browser gave it; keys in base64url. */
export type PushSubscription = { endpoint: string; p256dh: string; auth: string };

/** Who sends (RFC 8292): keys in base64url, and by which address of ours its operator can be reached. */
type PushSender = { subject: string; publicKey: string; privateKey: string };

export type PushMessage = {
  /** At most 3,993 bytes of UTF-8, of which push services take no more. */
  text: string;
  /** How many seconds the push service keeps it for a browser that is away. */
  ttlS: number;
  urgency: "normal" | "high";
  /** At most 32 characters of base64url: a newer message with the same one takes the place of what still waits there. */
  topic?: string;
};

/**
 * What came of it. `again`: it did not arrive, and may later (`afterS`: as the push service asked). `target is gone`: the browser
 * is unsubscribed for good. `never`: it is refused, and would be again. `in doubt`: it was handed over, and nobody said what became of
 * it. `reason`: a code that the message admin_notify_failure has words for, or what the connection said. `answer`: what the push
 * service said, at most 300 characters.
 */
type PushOutcome =
  | { sent: true; answer: string }
  | {
      sent: false;
      next: "again" | "never" | "target is gone" | "in doubt";
      reason: string;
      answer?: string;
      afterS?: number;
      /** It was too much for the push service (429). */
      limited?: boolean;
    };

const MOST_ENDPOINT = 1_000;
const AUTH_BYTES = 16;
const P256_POINT_BYTES = 65;
/** Everything together: name, connection, message, answer. */
const WITHIN_MS = 10_000;
/** For what the answer says behind its status, which has decided everything. */
const BODY_WITHIN_MS = 1_000;
const MOST_BODY_BYTES = 4_096;
const MOST_HEADER_BYTES = 16_384;
const MOST_ANNOUNCEMENTS = 3;
const MOST_ANSWER = 300;
/** A connection that nobody needs is closed before the other side may think of it: what is written into a closing one is in doubt. */
const IDLE_MS = 1_000;
/** One signature serves for so long; it is good for twelve hours, and push services know it again (RFC 8292, 2). */
const SIGNED_FOR_MS = 3_600_000;
const MOST_SIGNED = 1_000;
const NOWHERE = new AddressRanges([]);

/** Scheme, host and the rest: no port, no name, no password, no fragment, nothing that is not ASCII. */
const ENDPOINT = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/[!"$-[\]-~]*$/;

/** The host of an endpoint that may be sent to; null: it is none. `hosts` as in PUSH_HOSTS: names, or `*.` before what they end with. */
export function hostOfEndpoint(endpoint: string, hosts: readonly string[]): string | null {
  const host = endpoint.length <= MOST_ENDPOINT ? ENDPOINT.exec(endpoint)?.[1] : undefined;
  // Two readers must not take it for two hosts.
  if (host === undefined || URL.parse(endpoint)?.host !== host) return null;
  const isKnown = hosts.some((known) => (known.startsWith("*.") ? host.endsWith(known.slice(1)) : host === known));
  return isKnown ? host : null;
}

/**
 * Makes the check of endpoints that clients register. `not_allowed`: the endpoint is of no push service in `hosts`, or its name
 * leads to no public address. `away`: the DNS fails. A name that `hosts` holds whole isn't resolved: the operator vouches for it.
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

/** Whether a message can be encrypted for it: a point of the curve, and sixteen bytes, both in base64url. */
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

/** A pair of keys for one site, as `PushSender` has them. */
export const makePushKeys = (): { publicKey: string; privateKey: string } => webPush.generateVAPIDKeys();

export type PushGateway = {
  /** Sends one message; never rejects. After `signal` it gives up. */
  send(to: PushSubscription, message: PushMessage, sender: PushSender, signal: AbortSignal): Promise<PushOutcome>;
  close(): void;
};

/**
 * Makes what sends, with its connections and what it knows of names. `hosts`: to whom, as in PUSH_HOSTS. `dns`: servers as
 * "address:port", the system's when absent. `pretend`: a port of this machine that stands for every push service, and the
 * certificate (PEM) by which it does; for tests.
 */
export function createPushGateway(options: {
  hosts: readonly string[];
  dns?: readonly string[] | undefined;
  pretend?: { port: number; certificate: string } | undefined;
}): PushGateway {
  const { hosts, pretend } = options;
  const lookup = createNameLookup({ servers: options.dns, now: Date.now });
  const agent = new Agent({
    keepAlive: true,
    timeout: IDLE_MS,
    lookup: neverResolve,
    minVersion: "TLSv1.2",
    ...(pretend && { ca: pretend.certificate }),
  });
  const signed = new Map<string, { header: string; until: number }>();
  let turn: Promise<unknown> = Promise.resolve();

  /** Sealing keeps the process busy: between two of ten thousand messages, pages and streams have their turn. */
  const ownTurn = (): Promise<unknown> => {
    turn = turn.then(() => nextTurn());
    return turn;
  };

  const isAllowed = (address: string): boolean => isAllowedAddress(address, NOWHERE);

  async function findAddress(host: string): Promise<{ address: string; port: number } | PushOutcome> {
    if (pretend) return { address: "127.0.0.1", port: pretend.port };
    const addresses = await lookup.listAddresses(host, isAllowed);
    if (addresses === null || addresses.length === 0) return again("dns");
    const address = addresses.find(isAllowed);
    return address === undefined ? never("blocked") : { address, port: 443 };
  }

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
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
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
      const place = await findAddress(host);
      if ("sent" in place) return place;
      return handOver(agent, { ...place, host }, details, deadline);
    },
    close: () => agent.destroy(),
  };
}

const again = (reason: string): PushOutcome => ({ sent: false, next: "again", reason });
const never = (reason: string): PushOutcome => ({ sent: false, next: "never", reason });

/** Writes the message to the address, and reads what becomes of it. */
function handOver(
  agent: Agent,
  { address, port, host }: { address: string; port: number; host: string },
  { endpoint, headers, body }: webPush.RequestDetails,
  deadline: AbortSignal,
): Promise<PushOutcome> {
  return new Promise((resolve) => {
    /** From the first byte of the message on, only an answer tells. */
    let written = false;
    /** Its status is there, and decides. */
    let answered = false;
    const fail = (reason: string): void => {
      if (!answered) resolve(written ? { sent: false, next: "in doubt", reason } : again(reason));
    };
    const asking = request({
      agent,
      host: address,
      port,
      family: isIP(address),
      servername: host,
      method: "POST",
      path: endpoint.slice(`https://${host}`.length),
      setHost: false,
      maxHeaderSize: MOST_HEADER_BYTES,
      headers: { Host: host, ...headers },
    });
    const giveUp = (): void => {
      asking.destroy();
      fail("timeout");
    };
    deadline.addEventListener("abort", giveUp);
    asking.on("close", () => {
      deadline.removeEventListener("abort", giveUp);
      fail("broken");
    });
    asking.on("error", (error) => fail(String(error).slice(0, 200)));
    asking.on("socket", (socket) => {
      if (asking.reusedSocket) written = true;
      else socket.once("secureConnect", () => (written = true));
    });
    let announcements = 0;
    asking.on("information", () => {
      if (++announcements > MOST_ANNOUNCEMENTS) asking.destroy(new Error("too many announcements before an answer"));
    });
    asking.on("upgrade", (_, socket) => socket.destroy());
    asking.on("response", (response) => {
      answered = true;
      readAnswer(response, (answer) => resolve(outcomeOf(response, answer)));
    });
    if (deadline.aborted) giveUp();
    else asking.end(body);
  });
}

/** Tells at most 300 characters of what the answer says; what goes on for longer, or forever, is cut off. */
function readAnswer(response: IncomingMessage, tell: (answer: string) => void): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  const end = (): void => {
    clearTimeout(timer);
    const text = Buffer.concat(parts)
      .toString()
      .replace(/[\p{C}\s]+/gu, " ");
    tell(`${response.statusCode} ${text}`.trim().slice(0, MOST_ANSWER));
  };
  const cut = (): void => {
    response.destroy();
    end();
  };
  const timer = setTimeout(cut, BODY_WITHIN_MS);
  response.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > MOST_BODY_BYTES) cut();
    else parts.push(part);
  });
  response.on("error", end);
  response.on("end", end);
}

/** RFC 8030, 5 to 8, and what push services say besides. */
function outcomeOf({ statusCode = 0, headers }: IncomingMessage, answer: string): PushOutcome {
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
