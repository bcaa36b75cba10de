// What a page carries of the live figures: those that it shows, and the position from which the stream goes on.
import type { LiveRow } from "../live-row.ts";
import type { Totals } from "./shown-figures.ts";

/** What the browser starts from: nothing that changes between this page and the stream is lost. */
export type LivePage = {
  epoch: string;
  seq: number;
  /** Names the catalog (games, game servers, brand) that the page shows. */
  catalog: string;
  /** Of the game servers that it shows. */
  rows: LiveRow[];
  /** ISO times of the last question to each of them, by server_id. */
  asked: Record<number, string | null>;
  totals: { site?: Totals; games?: Record<number, Totals> };
  delayed_since: string | null;
  /** ISO time of the server's rendering: the first "now" of the page. */
  rendered_at: string;
};

/** Where nothing is shown yet, from long ago. */
export const EMPTY_LIVE_PAGE: LivePage = {
  epoch: "",
  seq: 0,
  catalog: "",
  rows: [],
  asked: {},
  totals: {},
  delayed_since: null,
  rendered_at: new Date(0).toISOString(),
};
