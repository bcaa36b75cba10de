// Which rows a list holds and in which order: settled when it opens and whenever the reader touches a filter, and not by the
// live figures. They change within their rows; no row moves, comes or goes under a pointer because somebody joined a game.
import { useState } from "react";
import { filterQuery, passes, type ServerFilter } from "#shared/server-filter.ts";
import { useLiveReader } from "../../../live/use-live.ts";
import type { FindableServer } from "./findable-servers.ts";
import { shownStatus } from "./known-values.ts";

/** Where nobody is counted: behind those where nobody is on, one that is up before one that may be, before one that is not. */
const UNCOUNTED = { online: -1, degraded: -2, unknown: -3, maintenance: -4, offline: -5, inactive: -6 };

type Settled = { key: string; ids: number[]; seen: Set<number> };

/** The game servers that pass, those with the most players first. One that was added since stands at the end. */
export function useSettledServers(
  servers: FindableServer[],
  filter: ServerFilter,
  favourites: ReadonlySet<number> | null,
): FindableServer[] {
  const readRows = useLiveReader();
  const key = filterQuery({ ...filter, page: 1 });

  function settle(): Settled {
    const rows = new Map(readRows().map((row) => [row.server_id, row]));
    const online = ({ server_id }: FindableServer) => rows.get(server_id)?.user_online ?? null;
    const rank = (server: FindableServer) =>
      online(server) ?? UNCOUNTED[shownStatus(server, rows.get(server.server_id))];
    const ids = servers
      .filter((server) => passes(server, filter, online(server), favourites))
      .sort((a, b) => rank(b) - rank(a))
      .map(({ server_id }) => server_id);
    return { key, ids, seen: new Set(servers.map(({ server_id }) => server_id)) };
  }

  const [kept, setKept] = useState(settle);
  let settled = kept;
  if (kept.key !== key) {
    settled = settle();
    setKept(settled);
  }
  const byId = new Map(servers.map((server) => [server.server_id, server]));
  const added = servers.filter(
    (server) => !settled.seen.has(server.server_id) && !filter.players && passes(server, filter, null, favourites),
  );
  return [...settled.ids.flatMap((id) => byId.get(id) ?? []), ...added];
}
