// The curves of the last 24 hours as this process last read them: lists and cards are drawn from memory, every request alike.
import type { Logger } from "pino";
import type { Db } from "#db/client.ts";
import { type DayCurve, listDayCurves } from "#domain/game-servers/day-curves.ts";

/** Five minutes come to an end at any time between two readings; nothing newer exists. */
const READ_EVERY_MS = 120_000;
/** Older than this they would show another day: then none are shown. */
const KEPT_MS = 30 * 60_000;

export type DayCurves = {
  /** By server_id, hidden game servers left out. Whether the person who asks may see one is the caller's to check. */
  read(): ReadonlyMap<number, DayCurve>;
  stop(): void;
};

/** Reads them now and then from the database, never while somebody waits: before the first reading there are none. */
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
      // The hub says that the database is away; this only goes without.
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
