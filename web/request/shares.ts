// How many places there are for each kind of work in a web process, and how many of them one address or account may have
// (decision 024).
import { createPlaces, type Places } from "./places.ts";

export type Shares = {
  /** Pages that are being made, and answers of the API that ask the database. */
  pages: Places;
  /** Forms and other acts: they hash passwords, write, and send mails. */
  forms: Places;
  /** Files that are arriving. */
  uploads: Places;
  /** Filtered lists, which are made one at a time. */
  lists: Places;
};

/**
 * Longer than a line takes in which one address stands 700 times, and shorter than people and proxies wait. Nobody is refused
 * at once while there is room in the line: whoever floods would only come back at once.
 */
const PATIENCE_MS = 10_000;

/** Makes the places of one web process; nobody else's are counted. */
export function createShares(): Shares {
  return {
    // A network with fifty people behind one address finds its places one after the other, faster than they click.
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
    // Each may hold some megabytes. Whoever waited here would send meanwhile.
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
