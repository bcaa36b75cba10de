// The names in games that a member hides from the lists of who is on.
import { asc, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { hiddenPlayerNames } from "#db/schema/index.ts";
import { playerNameKey } from "#shared/player-names.ts";

/** So many names, of so many characters each. */
const HIDDEN_NAMES = { most: 10, longest: 40 };

/** By the alphabet. */
export async function listHiddenNames(db: Db, userId: string): Promise<string[]> {
  const { user_id, player_name, name_key } = hiddenPlayerNames;
  const rows = await db
    .select({ player_name })
    .from(hiddenPlayerNames)
    .where(eq(user_id, userId))
    .orderBy(asc(name_key));
  return rows.map((row) => row.player_name);
}

/** Puts these in the place of those before, one a line. From now on nobody sees them on a list. */
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
