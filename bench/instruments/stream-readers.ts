/** Many browsers at once: raw connections that hold a live stream open and note when a marked event arrives. */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Connections that are opened at the same time. */
const AT_ONCE = 200;
/** One address has some 28,000 ports, and those of a bench that ended just now may linger: each so many come from another one. */
const FROM_ONE_ADDRESS = 5_000;

export type StreamReaders = {
  count: number;
  /** The first reader's bytes so far, headers and chunk lengths included. */
  sample(): string;
  /**
   * Runs `change` and waits until the text has arrived everywhere (or 20 s are over).
   * @returns the milliseconds that it took to each reader that got it
   */
  untilAll(text: string, change: () => unknown): Promise<number[]>;
  /** Cut by a reset, so that no port lingers. */
  close(): Promise<void>;
};

/**
 * Opens so many streams and settles when each has its first event.
 * @param options.path what is asked for; everything unless told
 * @param options.headers further lines of each request, each with its line end
 */
export async function openStreamReaders(
  port: number,
  count: number,
  { path = "/live", headers = "" }: { path?: string; headers?: string } = {},
): Promise<StreamReaders> {
  const sockets: Socket[] = [];
  let sample = "";
  let marked: Buffer | null = null;
  let began = 0;
  let waits: number[] = [];
  let failed: Error | null = null;

  function open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const number = sockets.length;
      const localAddress = `127.0.0.${1 + (Math.floor(number / FROM_ONE_ADDRESS) % 250)}`;
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      sockets.push(socket);
      let opened = false;
      let seen: Buffer | null = null;
      let tail: Buffer = Buffer.alloc(0);
      socket.on("error", (error) => {
        failed ??= error;
        reject(error);
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`);
      socket.on("data", (part: Buffer) => {
        if (number === 0) sample = (sample + part.toString("latin1")).slice(-200_000);
        if (!opened) {
          // The first event ends with an empty line behind the headers' one.
          tail = Buffer.concat([tail, part]);
          if (tail.indexOf("\n\n", tail.indexOf("\r\n\r\n") + 4) === -1) return;
          opened = true;
          tail = Buffer.alloc(0);
          resolve();
          return;
        }
        if (marked === null || seen === marked) return;
        const whole = tail.length === 0 ? part : Buffer.concat([tail, part]);
        if (whole.indexOf(marked) === -1) {
          tail = Buffer.from(whole.subarray(-marked.length));
          return;
        }
        waits.push(performance.now() - began);
        seen = marked;
        tail = Buffer.alloc(0);
      });
    });
  }

  while (sockets.length < count) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, open));
  }
  // What was written to the last of them is under way.
  await pause(200);

  return {
    count,
    sample: () => sample,
    async untilAll(text, change) {
      marked = Buffer.from(text);
      waits = [];
      began = performance.now();
      await change();
      while (waits.length < count && performance.now() - began < 20_000) await pause(5);
      if (failed) throw failed;
      marked = null;
      return waits;
    },
    async close() {
      for (const socket of sockets) socket.resetAndDestroy();
      await pause(300);
    },
  };
}
