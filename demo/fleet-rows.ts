// Reads and writes the rows of the demo fleet: which game servers it may run, and their addresses on this machine.
import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type GameServerLink, games, gameserver } from "#db/schema/index.ts";
import { FIRST_GAME_SERVERS } from "./first-game-servers.ts";
import { DEMO_ONLY } from "./fleet-plan.ts";

/** Host of mock game servers. A demo row with any other address belongs to the operator. */
export const DEMO_HOST = "127.0.0.1";

/** A row that the fleet runs, with its intended ports. */
export type FleetRow = Awaited<ReturnType<typeof listFleetRows>>[number];

const isFleetAddress = and(eq(gameserver.demo, true), eq(gameserver.host, DEMO_HOST));
const isPlayable = or(isNull(gameserver.host), isFleetAddress);

/** Inserts the missing game servers that only the demo has, if their game exists. */
export async function insertDemoOnly(db: Db): Promise<void> {
  const found = await db
    .select({ game_id: games.game_id, game_slug: games.game_slug, server_name: gameserver.server_name })
    .from(games)
    .leftJoin(gameserver, eq(gameserver.game_id, games.game_id));
  const missing = DEMO_ONLY.flatMap(({ game_slug, ...server }, place) => {
    const ofGame = found.filter((row) => row.game_slug === game_slug);
    const [first] = ofGame;
    if (first === undefined || ofGame.some((row) => row.server_name === server.server_name)) return [];
    return [{ ...server, game_id: first.game_id, sort_order: 100 + place, demo: true }];
  });
  if (missing.length > 0) await db.insert(gameserver).values(missing);
}

/** Lists every game server that the fleet may run: its own from before, and those of the demo's content without an address. */
export async function listFleetRows(db: Db) {
  const rows = await db
    .select({
      server_id: gameserver.server_id,
      game_slug: games.game_slug,
      server_name: gameserver.server_name,
      adapter: gameserver.adapter,
      adapter_options: gameserver.adapter_options,
      game_port: gameserver.game_port,
      query_port: gameserver.query_port,
      user_max: gameserver.user_max,
      version: gameserver.version,
      demo: gameserver.demo,
    })
    .from(gameserver)
    .innerJoin(games, eq(games.game_id, gameserver.game_id))
    .where(and(isPlayable, ne(gameserver.lifecycle, "retired")))
    .orderBy(gameserver.server_id);
  return rows.flatMap(({ demo, ...row }) => {
    const intended = intendedPorts(row);
    // Without an address and not ours: an admin's draft.
    return demo || intended ? [{ ...row, ...intended }] : [];
  });
}

/** Returns the ports that a game server was shipped with; null if it wasn't shipped, or was renamed. */
export function intendedPorts(server: { game_slug: string; server_name: string }) {
  const shipped = [...FIRST_GAME_SERVERS, ...DEMO_ONLY].find(
    ({ game_slug, server_name }) => game_slug === server.game_slug && server_name === server.server_name,
  );
  return shipped ? { game_port: shipped.game_port ?? null, query_port: shipped.query_port ?? null } : null;
}

type FleetAddress = {
  server_id: number;
  game_port: number | null;
  query_port: number | null;
  heartbeat_token_hash: string | null;
  /** Links of its guide, unless an admin has set some. */
  links: GameServerLink[];
};

/**
 * Writes the rows' addresses on this machine, in one transaction. Rows new to the demo become public; rows that an admin has hidden
 * stay hidden; rows with an address of their own are skipped.
 */
export async function writeFleetAddresses(db: Db, addresses: FleetAddress[]): Promise<void> {
  if (addresses.length === 0) return;
  await db.transaction(async (tx) => {
    for (const { server_id, links, ...address } of addresses) {
      await tx
        .update(gameserver)
        .set({
          ...address,
          host: DEMO_HOST,
          demo: true,
          links: sql`case when ${gameserver.links} = '[]' then ${JSON.stringify(links)}::jsonb else ${gameserver.links} end`,
          visibility: sql`case when ${isFleetAddress} then ${gameserver.visibility} else 'public' end`,
          updated_at: new Date(),
        })
        .where(and(eq(gameserver.server_id, server_id), isPlayable));
    }
    // A new address deletes what was measured at the former one, and records that; rows with a past continue as if nothing had
    // changed.
    await tx.execute(sql`delete from gameserver_status_event where to_status = 'unknown' and changed_at = now()
      and server_id in ${addresses.map(({ server_id }) => server_id)}`);
    await tx.execute(sql`
      update gameserver_live_metrics live set status = turn.to_status, status_since = turn.changed_at
      from (
        select distinct on (server_id) server_id, to_status, changed_at from gameserver_status_event
        order by server_id, changed_at desc, event_id desc
      ) turn
      where turn.server_id = live.server_id and turn.to_status = 'online' and live.status = 'unknown'
        and live.first_asked_at is not null
        and live.server_id in ${addresses.map(({ server_id }) => server_id)}`);
  });
}
