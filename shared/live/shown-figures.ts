// Defines the live figures besides rows of game servers, for pages and other programs.

/** Sums over the game servers of the site, or of a game, as far as the reader may see them. Inactive ones are not counted. */
export type Totals = {
  /** The reported ones. */
  players_online: number;
  /** Whether that number is meaningful: players are reported, or no server is up that players could be on. */
  players_known: boolean;
  /** Whether any game server reports players. */
  players_reported: boolean;
  servers_online: number;
  servers_total: number;
  /** The server with the most players; null without players. */
  fullest: { server_id: number; server_name: string; user_online: number; user_max: number | null } | null;
};

/** The figures that a page shows: the site's totals, those of games, and rows of game servers, by their ids. */
export type Shows = { site?: boolean; games?: readonly number[]; servers?: readonly number[] };
