// What a page carries of the live figures: those that it shows, and the position from which the stream goes on.
import type { LiveRow } from "../live-row.ts";

/** Sums over the game servers of the site, or of a game, as far as the reader may see them. Inactive ones are not counted. */
export type Totals = {
  /** Those who were reported. */
  players_online: number;
  /** Whether that says anything: somebody reports players, or nothing is up that anybody could be on. */
  players_known: boolean;
  /** Whether any game server tells who is on. */
  players_reported: boolean;
  servers_online: number;
  servers_total: number;
  /** Where most are on; null while nobody is anywhere. */
  fullest: { server_id: number; server_name: string; user_online: number; user_max: number | null } | null;
};

/** Which figures a page shows: the site's totals, those of games, and rows of game servers, by their ids. */
export type Shows = { site?: boolean; games?: readonly number[]; servers?: readonly number[] };

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
