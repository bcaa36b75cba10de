// What can be shown of the live figures besides rows of game servers, in pages and in other programs.

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
