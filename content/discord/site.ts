/** What Discord is told of the site: a part of what visitors see, and of nothing else. */
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
  /** Those that everybody may see. */
  gameServers: DiscordServer[];
  live: LiveRow[];
  settings: { site_name: string };
  site_url: string;
  /** Since when figures are held back because the fault is ours; null: they are current. */
  delayed_since: string | null;
};

/** Each game server that is meant to run, with what is known of it. */
export function shownServers(site: DiscordSite): { server: DiscordServer; row: LiveRow | undefined }[] {
  const rows = new Map(site.live.map((row) => [row.server_id, row]));
  return site.gameServers
    .filter(({ lifecycle }) => lifecycle !== "retired")
    .map((server) => ({ server, row: rows.get(server.server_id) }));
}
