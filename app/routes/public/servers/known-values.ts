// Combines a game server's record and live row: its status, and the values of its game's guide. In the browser too.
import type { LiveRow } from "#shared/live-row.ts";
import { UNMEASURED } from "#shared/statuses.ts";
import type { GuideValues } from "../../../ui/guide/fill-guide.ts";
import type { SharedServer } from "../../../ui/share-link/share-text.ts";
import type { ShownServer } from "./shown-server.ts";

/** Lists the ports of servers that can be joined. */
export const portsOf = (servers: Pick<ShownServer, "host" | "game_port">[]): number[] =>
  servers.flatMap(({ host, game_port }) => (host !== null && game_port !== null ? [game_port] : []));

/**
 * Returns the values of a guide: the record, measured version and maximum, and the ports of all the game's servers. Empty without a
 * game server.
 */
export function guideValues(server: ShownServer | undefined, row: LiveRow | undefined, ports: number[]): GuideValues {
  return {
    address: server?.address ?? null,
    host: server?.host ?? null,
    port: server?.host ? server.game_port : null,
    version: row?.version ?? server?.version ?? null,
    name: server?.server_name ?? "",
    max: row?.user_max ?? server?.user_max ?? null,
    ports,
    links: server?.links ?? [],
  };
}

/** Describes a game server for sharing with friends. */
export const sharedServer = (
  { server_id, server_name: name, address, join_code, password, password_access }: ShownServer,
  game: string,
): SharedServer => ({ server_id, name, game, address, join_code, password, password_access });

/** Returns the status without a live row: the admin's, else unknown. */
export function shownStatus(server: Pick<ShownServer, "lifecycle">, row: LiveRow | undefined): LiveRow["status"] {
  return row?.status ?? UNMEASURED[server.lifecycle];
}
