// Inserts a game, handwritten or from the catalogue: ensures a unique name, a free slug and a place in the order.
import { asc, max, sql } from "drizzle-orm";
import { landscapeFor, landscapeOf } from "#content/landscapes/landscapes.ts";
import type { Db } from "#db/client.ts";
import { games } from "#db/schema/index.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { isSameName, slugFrom } from "./fields.ts";

const MOST_SLUG_TRIES = 50;

/** This other game has the name already. */
export type NameTaken = { ok: false; reason: "name_taken"; by: { game_name: string; game_slug: string } };

/** Blocks creating, changing and ordering games until the transaction ends. */
export const lockGames = (tx: Db) => tx.execute(sql`lock table games in share row exclusive mode`);

/** Lists every game's name here and in the catalogue, oldest first. */
export const listNames = (tx: Db) =>
  tx
    .select({
      game_id: games.game_id,
      game_name: games.game_name,
      game_slug: games.game_slug,
      catalogue_id: games.catalogue_id,
    })
    .from(games)
    .orderBy(asc(games.game_id));

/**
 * Finds the game that has a name already, as a refusal; null if none has. Two cards with one name would be indistinguishable.
 * Acronyms are only shown beside names, and games do share theirs.
 */
export async function findNamesake(tx: Db, name: string, exceptId?: number): Promise<NameTaken | null> {
  const other = (await listNames(tx)).find((game) => game.game_id !== exceptId && isSameName(game.game_name, name));
  return other
    ? { ok: false, reason: "name_taken", by: { game_name: other.game_name, game_slug: other.game_slug } }
    : null;
}

type NewGame = Pick<typeof games.$inferInsert, "game_name" | "game_acronym"> & Partial<typeof games.$inferInsert>;

/**
 * Inserts a game, published and last in the order, with its audit row. Its slug is `game_slug`, or comes from its name, numbered if
 * taken; its picture is `picture`, or a landscape that no other game shows, as long as there is one. The caller holds `lockGames`:
 * slug, place and picture depend on existing games.
 */
export async function insertGame(tx: Db, actor: Actor, game: NewGame): Promise<{ game_id: number; game_slug: string }> {
  const game_slug = await findFreeSlug(tx, game.game_slug ?? slugFrom(game.game_name));
  const picture = game.picture ?? (await findFreeLandscape(tx, game.game_name, game_slug));
  const [last] = await tx.select({ place: max(games.sort_order) }).from(games);
  const [made] = await tx
    .insert(games)
    .values({
      tagline: { en: "" },
      description: { en: "" },
      ...game,
      game_slug,
      picture,
      sort_order: (last?.place ?? -1) + 1,
    })
    .returning({ game_id: games.game_id });
  if (!made) throw new Error("the game was not inserted");
  const { game_name, game_acronym, catalogue_id } = game;
  await recordAudit(tx, {
    what: "game-created",
    actor_id: actor.user_id,
    origin: actor.origin,
    subject: { type: "game", id: String(made.game_id) },
    details: { after: { game_name, game_acronym, game_slug, ...(catalogue_id && { catalogue_id }) } },
  });
  return { game_id: made.game_id, game_slug };
}

/** The name of the landscape for a new game; null: its slug has a built-in painting. */
async function findFreeLandscape(tx: Db, game_name: string, game_slug: string): Promise<string | null> {
  if (landscapeOf({ game_name, game_slug, picture: null }) === null) return null;
  return landscapeFor(game_name, await listShownLandscapes(tx)).name;
}

/** Names of the landscapes that games show, or would show without their banner. */
export async function listShownLandscapes(db: Db): Promise<Set<string>> {
  const rows = await db
    .select({ game_name: games.game_name, game_slug: games.game_slug, picture: games.picture })
    .from(games);
  return new Set(rows.flatMap((game) => landscapeOf(game)?.name ?? []));
}

async function findFreeSlug(db: Db, wanted: string): Promise<string> {
  const rows = await db
    .select({ slug: games.game_slug })
    .from(games)
    .where(sql`${games.game_slug} like ${`${wanted}%`}`);
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let number = 1; number < MOST_SLUG_TRIES; number += 1) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
  return `${wanted}-${Date.now()}`;
}
