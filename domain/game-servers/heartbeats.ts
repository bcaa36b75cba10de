// Heartbeats: reports from game machines, for games that answer no query.
import { createHash } from "node:crypto";
import { and, eq, ne, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics as live } from "#db/schema/index.ts";
import { tellDue } from "./due-channel.ts";

/** The body of a heartbeat: current players, the maximum, the version; unknown fields are ignored. */
export const heartbeatShape = z.object({
  players: z.int().min(0).max(100_000).nullable(),
  max_players: z.int().min(0).max(100_000).nullish(),
  version: z
    .string()
    .max(60)
    // Strips control characters and those that reverse or hide text from the version.
    .transform((text) => text.replace(/[\p{Cc}\p{Cf}]/gu, "").trim())
    .nullish(),
});

/** SHA-256 (hex) of a bearer token: the only stored form. */
export function hashHeartbeatToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * Stores a heartbeat for the token's game server. The collector judges it like any other answer. False when no active game server
 * has this token.
 */
export async function recordHeartbeat(
  db: Db,
  token: string,
  heartbeat: z.infer<typeof heartbeatShape>,
): Promise<boolean> {
  const owner = db
    .select({ server_id: gameserver.server_id })
    .from(gameserver)
    .where(and(eq(gameserver.heartbeat_token_hash, hashHeartbeatToken(token)), ne(gameserver.lifecycle, "retired")));
  const updated = await db
    .update(live)
    .set({
      heartbeat_at: sql`now()`,
      heartbeat_players: heartbeat.players,
      heartbeat_max: heartbeat.max_players ?? null,
      heartbeat_version: heartbeat.version || null,
      // Judge a change at once; unchanged figures wait for the next turn.
      next_poll_at: sql`case when ${live.heartbeat_players} is distinct from ${heartbeat.players}::int and ${live.claimed_by} is null
        then now() else ${live.next_poll_at} end`,
    })
    .where(eq(live.server_id, owner))
    .returning({ is_due: sql<boolean>`${live.next_poll_at} <= now()` });
  if (updated[0]?.is_due) await tellDue(db);
  return updated.length > 0;
}
