// Defines a page's live figures: those that it shows, and the position from which the stream continues.
import type { LiveRow } from "../live-row.ts";
import type { Totals } from "./shown-figures.ts";

/** The browser's initial state: no change between this page and the stream is lost. */
export type LivePage = {
  epoch: string;
  seq: number;
  /** Identifies the catalog (games, game servers, brand) that the page shows. */
  catalog: string;
  /** Of the game servers that it shows. */
  rows: LiveRow[];
  /** ISO times of their last polls, by server_id. */
  asked: Record<number, string | null>;
  totals: { site?: Totals; games?: Record<number, Totals> };
  delayed_since: string | null;
  /** ISO time of the server's rendering: the first "now" of the page. */
  rendered_at: string;
};

/** Shows nothing yet, and is old. */
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
