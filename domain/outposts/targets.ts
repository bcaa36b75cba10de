/** Selects the game servers that outposts poll, and those that the site can't reach now. */
import { and, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver, gameserverLiveMetrics as live } from "#db/schema/index.ts";
import { AddressRanges, isAllowedAddress, isAllowedPort, readHost } from "#outside/game-address-rules.ts";
import { ASKED_ADAPTERS, askedPort, isAsked } from "#shared/adapters.ts";
import { MOST_TARGETS, type OutpostTarget, type WorkReplySent } from "./wire.ts";

export type TargetRules = {
  siteIntervalS: number;
  addressRule: { allowCidrs: readonly string[]; deniedPorts: readonly number[] };
};

/** `version` identifies the content: lists with the same version are equal. */
export type TargetList = { version: string; targets: OutpostTarget[]; ids: ReadonlySet<number> };

/** An outpost's polling interval in ms while we are in doubt, and while we consider it down, unless its usual one is shorter. */
const DOUBTED_EVERY_MS = 5_000;
const DOWN_EVERY_MS = 30_000;
const LEAST_EVERY_MS = 1_000;

const targetKey = sql<string>`gameserver_target_key(${gameserver})`;

const intervalMs = (siteIntervalS: number) =>
  sql<number>`coalesce(${gameserver.poll_interval_s}, ${siteIntervalS}::int) * 1000`;

/** Active, network-polled, visible servers only: a hidden address never leaves the site. */
const handedOut = and(
  eq(gameserver.lifecycle, "active"),
  ne(gameserver.visibility, "hidden"),
  eq(games.published, true),
  eq(gameserver.demo, false),
  // A secret never leaves the site, and without it the query would differ.
  sql`${gameserver.adapter_secrets} = '{}'::jsonb`,
  isNotNull(gameserver.host),
  inArray(gameserver.adapter, ASKED_ADAPTERS),
);

/** Creates a reader of the list; it reads the whole list only after a change. */
export function createTargetReader(db: Db, { siteIntervalS, addressRule }: TargetRules) {
  const none = new AddressRanges([]);
  const ours = new AddressRanges(addressRule.allowCidrs);
  const deniedPorts = new Set(addressRule.deniedPorts);
  let last: TargetList | null = null;

  /**
   * Only addresses that any machine may query: for an outpost the same private address is another machine. The outpost checks what
   * a name resolves to.
   */
  function isForOthers(host: string, port: number | null): boolean {
    if (port !== null && !isAllowedPort(port, deniedPorts)) return false;
    const read = readHost(host);
    if (read.kind === "name") return true;
    return read.kind === "address" && isAllowedAddress(read.address, none) && !ours.has(read.address);
  }

  return {
    async read(): Promise<TargetList> {
      const [state] = await db
        .select({
          version: sql<string>`md5(coalesce(string_agg(${gameserver.server_id} || ':' || ${targetKey} || ':' || ${intervalMs(siteIntervalS)}, ',' order by ${gameserver.server_id}), ''))`,
        })
        .from(gameserver)
        .innerJoin(games, eq(games.game_id, gameserver.game_id))
        .where(handedOut);
      const version = state?.version ?? "";
      if (last?.version === version) return last;
      const rows = await db
        .select({
          server_id: gameserver.server_id,
          target_key: targetKey,
          adapter: gameserver.adapter,
          host: sql<string>`${gameserver.host}`,
          game_port: gameserver.game_port,
          query_port: gameserver.query_port,
          options: gameserver.adapter_options,
          interval_ms: intervalMs(siteIntervalS),
        })
        .from(gameserver)
        .innerJoin(games, eq(games.game_id, gameserver.game_id))
        .where(handedOut)
        .orderBy(gameserver.server_id);
      const targets = rows
        .filter(({ adapter, host, game_port, query_port }) =>
          isForOthers(host, askedPort(adapter, { gamePort: game_port, queryPort: query_port })),
        )
        .flatMap(({ adapter, ...rest }) => (isAsked(adapter) ? [{ ...rest, adapter }] : []))
        .slice(0, MOST_TARGETS);
      // The next read picks up changes between the two statements.
      const list = { version, targets, ids: new Set(targets.map(({ server_id }) => server_id)) };
      last = list;
      return list;
    },
    /** The servers on the list that we can't reach now. */
    async readSoon({ ids }: TargetList): Promise<WorkReplySent["soon"]> {
      if (ids.size === 0) return [];
      const rows = await db
        .select({ server_id: live.server_id, status: live.status, interval_ms: intervalMs(siteIntervalS) })
        .from(live)
        .innerJoin(gameserver, eq(gameserver.server_id, live.server_id))
        .where(and(isNotNull(live.failure), ne(live.status, "online")));
      return rows
        .filter(({ server_id }) => ids.has(server_id))
        .flatMap(({ server_id, status, interval_ms }) => {
          const usual = status === "degraded" ? Math.min(DOUBTED_EVERY_MS, interval_ms / 2) : DOWN_EVERY_MS;
          const every_ms = Math.max(LEAST_EVERY_MS, Math.round(usual));
          return every_ms < interval_ms ? [{ server_id, every_ms }] : [];
        });
    },
  };
}
