// Finds games in the catalogue, and adds them to the site.
import { eq, isNotNull, sql } from "drizzle-orm";
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import type { CatalogueGame } from "#content/catalogue/catalogue-game.ts";
import { guideOf } from "#content/catalogue/guides.ts";
import { FIRST_GAMES } from "#content/first-games.ts";
import type { Db } from "#db/client.ts";
import { games } from "#db/schema/index.ts";
import { createCatalogueSearch } from "#shared/catalogue-search.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { isSameName } from "./fields.ts";
import { insertGame, listNames, lockGames, type NameTaken } from "./insert-game.ts";

const byId = new Map(CATALOGUE.map((game) => [game.id, game]));
const byType = new Map(CATALOGUE.flatMap((game) => (game.gameType === null ? [] : [[game.gameType, game] as const])));
const search = createCatalogueSearch(CATALOGUE);

/** Finds a game by id; null when the catalogue has none. */
export const findCatalogueGame = (id: string): CatalogueGame | null => byId.get(id) ?? null;

/** Finds the game for a type of outside/game-types; null when there is none. */
export const findCatalogueGameOfType = (type: string): CatalogueGame | null => byType.get(type) ?? null;

/** Searches games, best first; without a query returns all in catalogue order, the eight first. */
export const searchCatalogue = (query: string, { limit }: { limit: number }): CatalogueGame[] => search(query, limit);

/** The fields for a list of choices, in catalogue order. */
export const listCatalogueChoices = () =>
  CATALOGUE.map(({ id, name, acronym, aliases, gameType, adapter, gamePort, queryPort, first }) => ({
    id,
    name,
    acronym,
    aliases,
    gameType,
    adapter,
    gamePort,
    queryPort,
    first,
  }));

/** Lists the catalogue games that the site has. */
export async function listTakenGames(db: Db): Promise<{ catalogue_id: string; game_id: number }[]> {
  const rows = await db
    .select({ catalogue_id: games.catalogue_id, game_id: games.game_id })
    .from(games)
    .where(isNotNull(games.catalogue_id));
  return rows.flatMap(({ catalogue_id, game_id }) => (catalogue_id === null ? [] : [{ catalogue_id, game_id }]));
}

/** Ids of the eight games with texts and pictures of their own. */
export const FIRST_EIGHT_IDS: readonly string[] = CATALOGUE.filter(({ first }) => first).map(({ id }) => id);

/** The result for each requested game. */
export type TakenGames = {
  /** In the order of the request; `is_new`: it wasn't there before. */
  taken: { catalogue_id: string; game_id: number; game_slug: string; is_new: boolean }[];
  /** `unknown`: no such id in the catalogue. `name_taken`: another catalogue game has this name here. */
  refused: ({ catalogue_id: string; reason: "unknown" } | ({ catalogue_id: string } & Omit<NameTaken, "ok">))[];
};

/**
 * Adds catalogue games to the site, published, after the existing ones, in the order of `ids`. Leaves a game that the site has
 * unchanged; a handwritten one with the same name becomes this catalogue game and keeps its texts. One transaction, with an audit
 * row for each changed game.
 */
export async function takeCatalogueGames(db: Db, actor: Actor, ids: readonly string[]): Promise<TakenGames> {
  const asked = [...new Set(ids)];
  const known = asked.flatMap((id) => byId.get(id) ?? []);
  const refused: TakenGames["refused"] = asked
    .filter((id) => !byId.has(id))
    .map((catalogue_id) => ({ catalogue_id, reason: "unknown" }));
  if (known.length === 0) return { taken: [], refused };
  return db.transaction(async (tx) => {
    await lockGames(tx);
    const there = await listNames(tx);
    const taken: TakenGames["taken"] = [];
    for (const game of known) {
      const own =
        there.find(({ catalogue_id }) => catalogue_id === game.id) ??
        there.find(({ game_name }) => isSameName(game_name, game.name));
      if (own && own.catalogue_id !== null && own.catalogue_id !== game.id) {
        const by = { game_name: own.game_name, game_slug: own.game_slug };
        refused.push({ catalogue_id: game.id, reason: "name_taken", by });
        continue;
      }
      if (own?.catalogue_id === null) await adopt(tx, actor, own.game_id, game);
      const { game_id, game_slug } = own ?? (await insertGame(tx, actor, rowOf(game)));
      taken.push({ catalogue_id: game.id, game_id, game_slug, is_new: own === undefined });
    }
    return { taken, refused };
  });
}

/** A catalogue game's initial row; the eight have texts of their own. */
function rowOf(game: CatalogueGame) {
  const facts = { catalogue_id: game.id, join_link: game.joinLink };
  const written = game.first ? FIRST_GAMES.find(({ game_slug }) => game_slug === game.id) : undefined;
  if (written) return { ...written, ...facts };
  return { game_name: game.name, game_acronym: game.acronym, guide: guideOf(game), ...facts };
}

/** Turns an admin's handwritten game into this catalogue game. Its content stays. */
async function adopt(tx: Db, actor: Actor, gameId: number, game: CatalogueGame): Promise<void> {
  await tx
    .update(games)
    .set({ catalogue_id: game.id, join_link: sql`coalesce(${games.join_link}, ${game.joinLink}::text)` })
    .where(eq(games.game_id, gameId));
  await recordAudit(tx, {
    what: "game-updated",
    actor_id: actor.user_id,
    origin: actor.origin,
    subject: { type: "game", id: String(gameId) },
    details: { before: { catalogue_id: null }, after: { catalogue_id: game.id } },
  });
}
