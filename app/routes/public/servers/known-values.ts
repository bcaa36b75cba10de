// What is known of a game server from its record and its live row together: its status, and what fills its game's guide. In the
// browser too.
import type { LiveRow } from "#shared/live-row.ts";
import { UNMEASURED } from "#shared/statuses.ts";
import type { GuideValues } from "../../../ui/guide/fill-guide.ts";
import type { SharedServer } from "../../../ui/share-link/share-text.ts";
import type { ShownServer } from "./shown-server.ts";

/** The ports of those that can be joined. */
export const portsOf = (servers: Pick<ShownServer, "host" | "game_port">[]): number[] =>
  servers.flatMap(({ host, game_port }) => (host !== null && game_port !== null ? [game_port] : []));

/**
 * What a guide is filled from: the record, the version and maximum as measured, and the ports of all game servers of the
 * game. Without a game server: nothing.
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

/** A game server as its reader tells a friend of it. */
export const sharedServer = (
  { server_id, server_name: name, address, join_code, password, password_access }: ShownServer,
  game: string,
): SharedServer => ({ server_id, name, game, address, join_code, password, password_access });

/** The status to show where no live row has arrived: what the admin says, else unknown. */
export function shownStatus(server: Pick<ShownServer, "lifecycle">, row: LiveRow | undefined): LiveRow["status"] {
  return row?.status ?? UNMEASURED[server.lifecycle];
}
