/** Runs one UDP conversation with an untrusted server: a connected socket of its own, repeated requests, a deadline, and limits. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isIP } from "node:net";
import type { QueryFailure } from "#shared/statuses.ts";
import type { GameAnswer, QueryResult, QueryTarget } from "./answer.ts";
import { failureOfError } from "./network-failure.ts";

/** Packets sent at once, and repeated until the next request: one, or several alternative queries. */
export type UdpRequest = Buffer | readonly Buffer[];

/**
 * A reader's result for a packet: wait for more (it is a part, a double or a stray), it breaks the protocol, the answer, or the
 * next request (with a challenge, or another query).
 */
export type UdpReading = "more" | "malformed" | GameAnswer | { ask: UdpRequest };

/** Waits before a resend: 300, 900 and 1,500 ms after the first time. A connection may lose a fifth of its packets each way. */
export const resendAfterMs = [300, 600, 600] as const;
/** Node's timers may fire slightly early. */
const timerToleranceMs = 2;
/** Duplicates and strays are ignored, a flood is not. */
const mostPackets = 256;
/** More steps than the longest handshake has. */
const mostRequests = 5;

/**
 * Sends requests to `target` and reads; never rejects. `onPacket` gets each non-empty packet from there, buffers it and must limit
 * that. `deadlineMs` covers everything. The latency is that of the last request. A closed port is `refused` as soon as its machine
 * reports that.
 */
export function exchangeOverUdp(
  target: QueryTarget,
  conversation: {
    request: UdpRequest;
    onPacket: (packet: Buffer) => UdpReading;
    /** The last packet, sent after any outcome, so that the server can release its state; null: none. */
    farewell?: () => Buffer | null;
    deadlineMs: number;
  },
): Promise<QueryResult> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const expiresAt = startedAt + conversation.deadlineMs;
    let socket: Socket | null = null;
    let timer: NodeJS.Timeout | undefined;
    let request = conversation.request;
    let requests = 0;
    let timesSent = 0;
    let sentAt = startedAt;
    let packets = 0;

    const end = (result: QueryResult): void => {
      clearTimeout(timer);
      const open = socket;
      socket = null;
      const last = open && conversation.farewell?.();
      if (open && last) open.send(last, () => open.close());
      else open?.close();
      resolve(result);
    };
    const fail = (failure: QueryFailure): void => end({ ok: false, latencyMs: performance.now() - startedAt, failure });
    const expire = (): void => fail(packets > 0 ? "timeout" : "no_reply");

    const onSent = (error: Error | null): void => {
      if (error) fail(failureOfError(error, false));
    };
    const send = (): void => {
      timesSent++;
      sentAt = performance.now();
      for (const [place, packet] of (Buffer.isBuffer(request) ? [request] : request).entries()) {
        // The callback reports a refusal of earlier packets. The very first packet has none (it would cost a turn of the queue): if
        // sending failed, the resend reports it.
        socket?.send(packet, timesSent + place > 1 ? onSent : undefined);
      }
      const resendAt = sentAt + (resendAfterMs[timesSent - 1] ?? Number.POSITIVE_INFINITY);
      clearTimeout(timer);
      timer = setTimeout(wake, Math.max(0, Math.min(resendAt, expiresAt) - sentAt));
    };
    const wake = (): void => {
      // After a stall of this process a reply may be unread: it is read before the immediate runs.
      if (performance.now() >= expiresAt - timerToleranceMs) setImmediate(expire);
      else send();
    };
    const ask = (next: UdpRequest): void => {
      if (++requests > mostRequests) {
        fail("malformed");
        return;
      }
      request = next;
      timesSent = 0;
      send();
    };

    const read = (packet: Buffer): UdpReading => {
      if (++packets > mostPackets || packet.length === 0) return "malformed";
      try {
        return conversation.onPacket(packet);
      } catch {
        // An unforeseen error on untrusted bytes must not end the process that polls all the others.
        return "malformed";
      }
    };
    const receive = (packet: Buffer, from: RemoteInfo): void => {
      // The kernel drops other senders once connected; this covers the moment between bind and connect.
      if (socket === null || from.port !== target.port) return;
      const reading = read(packet);
      if (reading === "more") return;
      if (reading === "malformed") fail("malformed");
      else if ("ask" in reading) ask(reading.ask);
      else end({ ok: true, latencyMs: performance.now() - sentAt, answer: reading });
    };

    const family = isIP(target.address);
    if (family === 0) return fail("blocked");
    try {
      socket = createSocket(family === 6 ? "udp6" : "udp4");
      socket.on("error", (error) => fail(failureOfError(error, false)));
      socket.on("message", receive);
      socket.connectSync(target.port, target.address);
    } catch (error) {
      return fail(failureOfError(error, true));
    }
    ask(request);
  });
}
