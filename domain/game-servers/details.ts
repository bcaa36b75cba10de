// Details that a game server reports about itself, as stored. The caller checks who may see them.
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserverDetails } from "#db/schema/index.ts";
import type { ToldLine } from "#shared/told-text.ts";

/** The icon's `id` is a hash of its content. */
export type ToldDetails = { lines: ToldLine[]; mods: string[]; icon: { id: string; bytes: Buffer } | null };

/** Null: it reports nothing, or hasn't been polled yet. */
export async function findDetails(db: Db, serverId: number): Promise<ToldDetails | null> {
  const [found] = await db.select().from(gameserverDetails).where(eq(gameserverDetails.server_id, serverId));
  if (!found) return null;
  const icon = found.icon !== null &&
    found.icon_id !== null && { id: found.icon_id, bytes: Buffer.from(found.icon, "base64") };
  return { lines: found.lines, mods: found.mods, icon: icon || null };
}
