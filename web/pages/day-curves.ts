// Caches the curves of the last 24 hours in this process: lists and cards are drawn from memory, for every request alike.
import type { Logger } from "pino";
import type { Db } from "#db/client.ts";
import { type DayCurve, listDayCurves } from "#domain/game-servers/day-curves.ts";

/** Five-minute intervals end at any time between two reads; nothing newer exists. */
const READ_EVERY_MS = 120_000;
/** Older curves would show another day: then none are shown. */
const KEPT_MS = 30 * 60_000;

export type DayCurves = {
  /** By server_id, without hidden game servers. The caller checks whether the client may see one. */
  read(): ReadonlyMap<number, DayCurve>;
  stop(): void;
};

/** Reads them regularly from the database, never during a request: before the first read there are none. */
export function followDayCurves(db: Db, log: Logger): DayCurves {
  let curves: ReadonlyMap<number, DayCurve> = new Map();
  let readAt = 0;
  let reading = false;

  async function read() {
    if (reading) return;
    reading = true;
    try {
      curves = await listDayCurves(db);
      readAt = performance.now();
    } catch (error) {
      // The hub reports the outage; here the curves are just missing.
      log.debug({ err: error }, "the curves of the last 24 hours could not be read");
      if (performance.now() - readAt > KEPT_MS) curves = new Map();
    } finally {
      reading = false;
    }
  }

  void read();
  const timer = setInterval(read, READ_EVERY_MS);
  timer.unref();
  return { read: () => curves, stop: () => clearInterval(timer) };
}
