/** Runs one TCP conversation with an untrusted server: connects to a literal address, reads within a deadline, closes at once. */
import { connect, isIP, type Socket } from "node:net";
import type { QueryFailure } from "#shared/statuses.ts";
import type { GameAnswer, QueryResult, QueryTarget } from "./answer.ts";
import { failureOfError } from "./network-failure.ts";

/** A reader's result for the bytes so far: more are needed, they break the protocol, or the answer. */
export type Reading = "more" | "malformed" | GameAnswer;

/**
 * Connects to `target` and reads; never rejects. Sends `greeting` once connected. `onConnect` and `onBytes` decide
 * whether the conversation is over; `onBytes` buffers the bytes and must limit them. `deadlineMs` covers everything.
 */
export function exchangeOverTcp(
  target: QueryTarget,
  conversation: {
    greeting?: Buffer;
    onConnect?: () => Reading;
    onBytes: (bytes: Buffer) => Reading;
    deadlineMs: number;
  },
): Promise<QueryResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let socket: Socket | undefined;
    let askedAt = startedAt;
    let tick: "same" | "later" = "same";
    let heard: "nothing" | "accepted" | "bytes" = "nothing";

    const end = (result: QueryResult): void => {
      clearTimeout(timer);
      socket?.removeAllListeners("data");
      socket?.destroy();
      resolve(result);
    };
    const fail = (failure: QueryFailure): void => end({ ok: false, latencyMs: performance.now() - startedAt, failure });
    const take = (reading: Reading): void => {
      if (reading === "more") return;
      if (reading === "malformed") fail("malformed");
      else end({ ok: true, latencyMs: performance.now() - askedAt, answer: reading });
    };
    const expire = (): void => fail(heard === "nothing" ? "no_reply" : "timeout");
    // After a stall of this process a reply may be unread: it is read before the immediate runs.
    const timer = setTimeout(() => setImmediate(expire), conversation.deadlineMs);

    const family = isIP(target.address);
    if (family === 0) return fail("blocked");
    try {
      socket = connect({ host: target.address, port: target.port, family, autoSelectFamily: false, noDelay: true });
    } catch {
      return fail("blocked");
    }
    // An error within this turn of the event loop is from the own system; the network cannot have answered yet.
    setImmediate(() => {
      tick = "later";
    });
    socket.on("error", (error) => fail(heard === "bytes" ? "malformed" : failureOfError(error, tick === "same")));
    socket.on("close", () => fail(heard === "bytes" ? "malformed" : "refused"));
    socket.on("connect", () => {
      heard = "accepted";
      // Without a greeting the latency counts from the start, including the connection.
      if (conversation.greeting) {
        askedAt = performance.now();
        socket?.write(conversation.greeting);
      }
      take(conversation.onConnect?.() ?? "more");
    });
    socket.on("data", (bytes: Buffer) => {
      heard = "bytes";
      take(conversation.onBytes(bytes));
    });
  });
}
