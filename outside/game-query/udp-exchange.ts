/** One UDP conversation with a stranger: a connected socket of its own, requests that are repeated, a deadline, and bounds. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isIP } from "node:net";
import type { QueryFailure } from "#shared/statuses.ts";
import type { GameAnswer, QueryResult, QueryTarget } from "./answer.ts";
import { failureOfError } from "./network-failure.ts";

/** What is sent at once, and repeated until something else is asked: one packet, or several that are different ways to ask. */
export type UdpRequest = Buffer | readonly Buffer[];

/**
 * What a reader makes of a packet: wait for more (it is a part, a double or a stray), it breaks the protocol, it is the
 * answer, or something else has to be asked now (a challenge to show, the next question).
 */
export type UdpReading = "more" | "malformed" | GameAnswer | { ask: UdpRequest };

/** Waits before a request is sent again: 300, 900 and 1,500 ms after the first time. A line may lose a fifth of its packets each way. */
export const resendAfterMs = [300, 600, 600] as const;
/** Node's timers may wake a moment early. */
const timerToleranceMs = 2;
/** Duplicates and strays are let pass, a flood is not. */
const mostPackets = 256;
/** More steps than the longest handshake takes. */
const mostRequests = 5;

/**
 * Asks `target` and reads; never rejects. `onPacket` gets each packet from there that has a byte in it, keeps what it
 * needs and must bound it. `deadlineMs` covers everything. The latency is that of the last request. A port where nobody
 * listens is `refused` as soon as its machine says so.
 */
export function exchangeOverUdp(
  target: QueryTarget,
  conversation: {
    request: UdpRequest;
    onPacket: (packet: Buffer) => UdpReading;
    /** What is sent last, however it ended, so that nothing stays open over there; null: nothing. */
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
        // Sending hears of the refusal of what was sent before. Nobody waits to hear of the very first (it would cost a turn
        // of the queue): if that was not sent, the repetition says so.
        socket?.send(packet, timesSent + place > 1 ? onSent : undefined);
      }
      const resendAt = sentAt + (resendAfterMs[timesSent - 1] ?? Number.POSITIVE_INFINITY);
      clearTimeout(timer);
      timer = setTimeout(wake, Math.max(0, Math.min(resendAt, expiresAt) - sentAt));
    };
    const wake = (): void => {
      // After a stall of our own, an answer may lie unread: it is read before the immediate runs.
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
        // What a reader did not foresee in a stranger's bytes must not end the process that watches all the others.
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
