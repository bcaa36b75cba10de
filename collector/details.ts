/** Writes descriptions of game servers (text, icon, mods) to the database: one at a time, without delaying the figures. */
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Sql } from "#db/sql.ts";
import { type MadeIcon, makeIcon } from "#domain/media/icons.ts";
import type { GameDetails } from "#outside/game-query/details.ts";
import type { Claimed } from "./claim.ts";

/** Where it was polled: a server that has moved since has another description. */
type ToldAt = Pick<Claimed, "serverId" | "adapter" | "host" | "gamePort" | "queryPort">;

export type DetailsKeeper = {
  /** Takes the description of `server`; of each only the latest waits. */
  take(server: ToldAt, details: GameDetails): void;
  /** Starts nothing more; settles when started writes are done. */
  stop(): Promise<void>;
};

/** Creates the writer. Drops failed writes: it is queried again in ten minutes. */
export function createDetailsKeeper(sql: Sql, log: Logger): DetailsKeeper {
  const waiting = new Map<number, { server: ToldAt; details: GameDetails }>();
  let working: Promise<void> | null = null;
  let stopped = false;

  async function work(): Promise<void> {
    for (const [serverId, { server, details }] of waiting) {
      waiting.delete(serverId);
      if (stopped) break;
      try {
        await keepDetails(sql, server, details);
      } catch (error) {
        log.debug({ err: error, server_id: serverId }, "what a game server says of itself could not be kept");
      }
    }
    working = null;
  }

  return {
    take(server, details) {
      if (stopped) return;
      waiting.set(server.serverId, { server, details });
      working ??= work();
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}

/**
 * Writes a server's description if it has changed, is still wanted, and the server is still where it was polled. Servers without
 * one (any more) have no row.
 */
async function keepDetails(sql: Sql, server: ToldAt, { lines, icon, mods }: GameDetails): Promise<void> {
  const { serverId, adapter, host, gamePort, queryPort } = server;
  const toldHash = icon && createHash("sha256").update(icon).digest("hex");
  const [before] = await sql<{ icon_told_sha256: string | null }[]>`
    SELECT icon_told_sha256 FROM gameserver_details WHERE server_id = ${serverId}`;
  if (lines.length === 0 && icon === null && mods.length === 0) {
    if (before) await sql`DELETE FROM gameserver_details WHERE server_id = ${serverId}`;
    return;
  }
  const isKnown = before !== undefined && before.icon_told_sha256 === toldHash;
  const made: MadeIcon | null = icon === null || isKnown ? null : await makeIcon(icon);
  // Locks the game server's row, so that it can't be moved, or this turned off, between check and write.
  await sql`
    WITH asked AS (
      SELECT server_id FROM gameserver
      WHERE server_id = ${serverId} AND show_details AND adapter = ${adapter}
        AND (host, game_port, query_port) IS NOT DISTINCT FROM (${host}::text, ${gamePort}::int, ${queryPort}::int)
      FOR SHARE
    )
    INSERT INTO gameserver_details AS kept (server_id, lines, mods, icon, icon_id, icon_told_sha256)
    SELECT server_id, ${JSON.stringify(lines)}::text::jsonb, ${mods}::text[], ${made?.base64 ?? null}::text,
      ${made?.id ?? null}::text, ${toldHash}::text
    FROM asked
    ON CONFLICT (server_id) DO UPDATE SET
      lines = excluded.lines,
      mods = excluded.mods,
      icon = CASE WHEN kept.icon_told_sha256 IS DISTINCT FROM excluded.icon_told_sha256 THEN excluded.icon ELSE kept.icon END,
      icon_id = CASE WHEN kept.icon_told_sha256 IS DISTINCT FROM excluded.icon_told_sha256 THEN excluded.icon_id ELSE kept.icon_id END,
      icon_told_sha256 = excluded.icon_told_sha256,
      changed_at = now()
    WHERE (kept.lines, kept.mods, kept.icon_told_sha256) IS DISTINCT FROM (excluded.lines, excluded.mods, excluded.icon_told_sha256)`;
}
