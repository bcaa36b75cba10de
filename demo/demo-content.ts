// Seeds a demo, and the tests: the eight games that ship with Spawnpoint, and their game servers.
import { FIRST_EIGHT } from "#content/catalogue/first-eight.ts";
import { FIRST_GAMES } from "#content/first-games.ts";
import type { Db } from "#db/client.ts";
import { games, gameserver } from "#db/schema/index.ts";
import { DEMO_TEXTS } from "./demo-texts.ts";
import { FIRST_GAME_SERVERS } from "./first-game-servers.ts";

/**
 * Inserts the eight games and their game servers into a site without games, in one transaction; otherwise does nothing, so that
 * what an admin removed doesn't come back. Safe when two processes start at once. Returns whether it did.
 */
export async function seedDemoContent(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    // One seeder at a time: the second waits here and then finds games. Readers aren't blocked.
    await tx.execute("lock table games in share row exclusive mode");
    if ((await tx.$count(games)) > 0) return false;

    const rows = await tx
      .insert(games)
      .values(
        FIRST_GAMES.map((game, place) => ({
          ...game,
          ...DEMO_TEXTS[game.game_slug],
          catalogue_id: game.game_slug,
          join_link: FIRST_EIGHT.find(({ id }) => id === game.game_slug)?.joinLink ?? null,
          sort_order: place,
        })),
      )
      .returning({ game_id: games.game_id, game_slug: games.game_slug });
    const idOf = new Map(rows.map((row) => [row.game_slug, row.game_id]));

    await tx.insert(gameserver).values(
      FIRST_GAME_SERVERS.map(({ game_slug, ...server }, place) => ({
        ...server,
        game_id: requireId(idOf, game_slug),
        sort_order: place,
        visibility: server.lifecycle === "retired" ? ("public" as const) : ("hidden" as const),
      })),
    );
    return true;
  });
}

function requireId(idOf: Map<string, number>, slug: string): number {
  const id = idOf.get(slug);
  if (id === undefined) throw new Error(`The game ${slug} was not inserted.`);
  return id;
}
