/** Data of the site for Discord: a part of what visitors see. */
import type { LiveRow } from "#shared/live-row.ts";
import type { Lifecycle } from "#shared/statuses.ts";

export type DiscordServer = {
  server_id: number;
  server_name: string;
  game_name: string;
  game_slug: string;
  lifecycle: Lifecycle;
  host: string | null;
  game_port: number | null;
};

export type DiscordSite = {
  games: { game_id: number; game_name: string; game_slug: string }[];
  /** Public servers. */
  gameServers: DiscordServer[];
  live: LiveRow[];
  settings: { site_name: string };
  site_url: string;
  /** Since when figures are deferred by our fault; null: they are current. */
  delayed_since: string | null;
};

/** Lists the game servers that are meant to run, with their live rows. */
export function shownServers(site: DiscordSite): { server: DiscordServer; row: LiveRow | undefined }[] {
  const rows = new Map(site.live.map((row) => [row.server_id, row]));
  return site.gameServers
    .filter(({ lifecycle }) => lifecycle !== "retired")
    .map((server) => ({ server, row: rows.get(server.server_id) }));
}
