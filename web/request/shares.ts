// Sets the number of slots for each kind of work in a web process, and how many one address or account may hold (decision
// 024).
import { createPlaces, type Places } from "./places.ts";

export type Shares = {
  /** Pages being rendered, and API responses that query the database. */
  pages: Places;
  /** Forms and other actions: they hash passwords, write, and send mails. */
  forms: Places;
  /** Files being uploaded. */
  uploads: Places;
  /** Filtered lists, which are rendered one at a time. */
  lists: Places;
};

/**
 * Longer than a queue with 700 requests of one address takes, and shorter than people and proxies wait. No request is refused
 * immediately while the queue has room: a flooding client would only retry immediately.
 */
const PATIENCE_MS = 10_000;

/** Creates the slots of one web process; each process counts its own. */
export function createShares(): Shares {
  return {
    // A network with fifty people behind one address gets its slots one after the other, faster than they click.
    pages: createPlaces({
      most: 300,
      ofOne: 24,
      kept: { places: 60, from: "visitors" },
      waiting: 3_000,
      patienceMs: PATIENCE_MS,
    }),
    forms: createPlaces({
      most: 60,
      ofOne: 4,
      kept: { places: 20, from: "visitors" },
      waiting: 1_000,
      patienceMs: PATIENCE_MS,
    }),
    // Each may hold some megabytes: a waiting client would send meanwhile.
    uploads: createPlaces({ most: 20, ofOne: 2, kept: { places: 6, from: "members" }, waiting: 0, patienceMs: 0 }),
    lists: createPlaces({
      most: 1,
      ofOne: 1,
      kept: { places: 0, from: "visitors" },
      waiting: 50,
      patienceMs: PATIENCE_MS,
    }),
  };
}
