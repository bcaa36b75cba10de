// A game machine's own report of itself, for games that answer no query.
import { createHash } from "node:crypto";
import { and, eq, ne } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics } from "#db/schema/index.ts";

/** The body of a heartbeat: people now, the maximum, the version; unknown fields are ignored. */
export const heartbeatShape = z.object({
  players: z.int().min(0).max(100_000).nullable(),
  max_players: z.int().min(0).max(100_000).nullish(),
  version: z
    .string()
    .max(60)
    // Control characters and those that turn or hide text have no business in a version.
    .transform((text) => text.replace(/[\p{Cc}\p{Cf}]/gu, "").trim())
    .nullish(),
});

/** SHA-256 (hex) of a bearer token: the only form in which one is stored. */
export function hashHeartbeatToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * Stores a heartbeat for the game server whose token it is. The collector judges it like any other answer.
 * False when no game server that is still in use has this token.
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
    .update(gameserverLiveMetrics)
    .set({
      heartbeat_at: new Date(),
      heartbeat_players: heartbeat.players,
      heartbeat_max: heartbeat.max_players ?? null,
      heartbeat_version: heartbeat.version || null,
    })
    .where(eq(gameserverLiveMetrics.server_id, owner))
    .returning({ server_id: gameserverLiveMetrics.server_id });
  return updated.length > 0;
}
