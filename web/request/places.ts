// Limits concurrent work by slots: a total, a limit per address or account, some reserved. Requests without a free slot wait in a
// fair queue for a while (decision 024). Each kind of work has its own limits, as a bulkhead (shares.ts).
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { type Asker, createFairQueue, sharesOf } from "./fair-queue.ts";

/** Releases the slot; further calls do nothing. */
type Leave = () => void;

/** No slot was free. `own`: the client holds its maximum; `all`: all slots are taken. */
export class NoPlaceError extends Error {
  override name = "NoPlaceError";
  readonly reason: "own" | "all";

  constructor(reason: "own" | "all") {
    super(reason === "own" ? "the asker holds all places that one may have" : "all places are taken");
    this.reason = reason;
  }
}

/** `take` resolves when a slot is free. @throws {NoPlaceError} */
export type Places = { take(asker: Asker): Promise<Leave> };

/** Middleware: runs the rest while holding one of the client's concurrency slots. Limit the body before it: bodies may be slow. */
export const inPlace =
  (places: Places, askerOf: (request: IncomingMessage) => Asker): MiddlewareHandler<{ Bindings: HttpBindings }> =>
  async (c, next) => {
    const leave = await places.take(askerOf(c.env.incoming));
    try {
      await next();
    } finally {
      leave();
    }
  };

type Waiting = { asker: Asker; settle: (answer: Leave | NoPlaceError) => void };

/**
 * Creates the slots.
 * @param options.most in total
 * @param options.kept this number of slots is never given to the group `from`
 * @param options.ofOne at once for one client; its network may have CLIENTS_OF_NETWORK times as many
 * @param options.waiting how many may wait; then the longest queue loses its last
 * @param options.patienceMs how long a request waits; 0: refuse immediately
 */
export function createPlaces(options: {
  most: number;
  ofOne: number;
  kept: { places: number; from: Asker["group"] };
  waiting: number;
  patienceMs: number;
}): Places {
  const { most, ofOne, kept, patienceMs } = options;
  const held = new Map<string, number>();
  const waiting = createFairQueue<Waiting>();
  let taken = 0;
  const isFull = (asker: Asker) => taken >= (asker.group === kept.from ? most - kept.places : most);
  const hasAll = (asker: Asker) => sharesOf(asker, ofOne).some(([name, most]) => (held.get(name) ?? 0) >= most);
  const mayGo = (asker: Asker) => !isFull(asker) && !hasAll(asker);

  function enter(asker: Asker): Leave {
    const names = sharesOf(asker, ofOne).map(([name]) => name);
    for (const name of names) held.set(name, (held.get(name) ?? 0) + 1);
    taken += 1;
    let here = true;
    return () => {
      if (!here) return;
      here = false;
      taken -= 1;
      for (const name of names) {
        const left = (held.get(name) ?? 1) - 1;
        if (left > 0) held.set(name, left);
        else held.delete(name);
      }
      const next = waiting.take(mayGo);
      next?.settle(enter(next.asker));
    };
  }

  return {
    take(asker) {
      if (mayGo(asker)) return Promise.resolve(enter(asker));
      const refusal = () => new NoPlaceError(hasAll(asker) ? "own" : "all");
      if (patienceMs === 0) return Promise.reject(refusal());
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          asker,
          settle(answer) {
            clearTimeout(patience);
            if (answer instanceof NoPlaceError) reject(answer);
            else resolve(answer);
          },
        };
        const patience = setTimeout(() => {
          waiting.remove(asker, one);
          reject(refusal());
        }, patienceMs);
        waiting.add(asker, one);
        if (waiting.size > options.waiting) waiting.dropFromLongest()?.settle(new NoPlaceError("own"));
      });
    },
  };
}
