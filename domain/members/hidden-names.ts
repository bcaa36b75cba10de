// In-game names that a member hides from the lists of online players.
import { asc, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { hiddenPlayerNames } from "#db/schema/index.ts";
import { playerNameKey } from "#shared/player-names.ts";

/** At most this many names of this many characters. */
const HIDDEN_NAMES = { most: 10, longest: 40 };

/** In alphabetical order. */
export async function listHiddenNames(db: Db, userId: string): Promise<string[]> {
  const { user_id, player_name, name_key } = hiddenPlayerNames;
  const rows = await db
    .select({ player_name })
    .from(hiddenPlayerNames)
    .where(eq(user_id, userId))
    .orderBy(asc(name_key));
  return rows.map((row) => row.player_name);
}

/** Replaces a member's hidden names, one per line; hides them from player lists at once. */
export async function replaceHiddenNames(
  db: Db,
  userId: string,
  given: string,
): Promise<{ ok: true } | { ok: false; reason: "many" | "long" }> {
  const names = new Map<string, string>();
  for (const line of given.split("\n")) {
    const name = line.replace(/\p{C}/gu, "").trim();
    if (name !== "") names.set(playerNameKey(name), name);
  }
  if (names.size > HIDDEN_NAMES.most) return { ok: false, reason: "many" };
  if ([...names.values()].some((name) => [...name].length > HIDDEN_NAMES.longest)) return { ok: false, reason: "long" };
  await db.transaction(async (tx) => {
    await tx.delete(hiddenPlayerNames).where(eq(hiddenPlayerNames.user_id, userId));
    const rows = [...names].map(([name_key, player_name]) => ({ user_id: userId, player_name, name_key }));
    if (rows.length > 0) await tx.insert(hiddenPlayerNames).values(rows);
  });
  return { ok: true };
}
