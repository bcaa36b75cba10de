// What a new site starts with: the eight games, in the order of the home page, and their first game servers.
import type { Db } from "#db/client.ts";
import { games, gameserver } from "#db/schema/index.ts";
import { FIRST_EIGHT } from "./catalogue/first-eight.ts";
import type { FirstGame } from "./first-game.ts";
import { aion } from "./games/aion.ts";
import { arksurvivalevolved } from "./games/arksurvivalevolved.ts";
import { minecraft } from "./games/minecraft.ts";
import { projectzomboid } from "./games/projectzomboid.ts";
import { skyrimtogheter } from "./games/skyrimtogheter.ts";
import { tera } from "./games/tera.ts";
import { thefront } from "./games/thefront.ts";
import { valheim } from "./games/valheim.ts";

/** The games in the order of the home page. */
export const FIRST_GAMES: readonly FirstGame[] = [
  aion,
  valheim,
  minecraft,
  projectzomboid,
  thefront,
  arksurvivalevolved,
  skyrimtogheter,
  tera,
];

/**
 * Inserts the first games and game servers into a site that has no game at all, in one transaction; otherwise does
 * nothing, so that what an admin removed does not come back. Safe when two processes start at once.
 */
export async function seedFirstContent(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // One seeder at a time: the second waits here and then finds games. Readers are not held up.
    await tx.execute("lock table games in share row exclusive mode");
    if ((await tx.$count(games)) > 0) return;

    const rows = await tx
      .insert(games)
      .values(
        FIRST_GAMES.map(({ game }, place) => ({
          ...game,
          catalogue_id: game.game_slug,
          join_link: FIRST_EIGHT.find(({ id }) => id === game.game_slug)?.joinLink ?? null,
          sort_order: place,
        })),
      )
      .returning({ game_id: games.game_id, game_slug: games.game_slug });
    const idOf = new Map(rows.map((row) => [row.game_slug, row.game_id]));

    await tx.insert(gameserver).values(
      FIRST_GAMES.flatMap(({ game, servers }) =>
        servers.map((server, place) => ({
          ...server,
          game_id: requireId(idOf, game.game_slug),
          sort_order: place,
          visibility: server.lifecycle === "retired" ? ("public" as const) : ("hidden" as const),
        })),
      ),
    );
  });
}

function requireId(idOf: Map<string, number>, slug: string): number {
  const id = idOf.get(slug);
  if (id === undefined) throw new Error(`The game ${slug} was not inserted.`);
  return id;
}
