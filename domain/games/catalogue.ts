// The catalogue as the site uses it: finding a game in it, and taking games from it.
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

/** The game of this id; null when the catalogue has none. */
export const findCatalogueGame = (id: string): CatalogueGame | null => byId.get(id) ?? null;

/** The game that is asked by this type of outside/game-types; null when there is none. */
export const findCatalogueGameOfType = (type: string): CatalogueGame | null => byType.get(type) ?? null;

/** The games that a query finds, best first; all of them in the order of the catalogue, the eight first, without a query. */
export const searchCatalogue = (query: string, { limit }: { limit: number }): CatalogueGame[] => search(query, limit);

/** What a list of choices shows of each game, in the order of the catalogue. */
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

/** Which games of the catalogue the site has. */
export async function listTakenGames(db: Db): Promise<{ catalogue_id: string; game_id: number }[]> {
  const rows = await db
    .select({ catalogue_id: games.catalogue_id, game_id: games.game_id })
    .from(games)
    .where(isNotNull(games.catalogue_id));
  return rows.flatMap(({ catalogue_id, game_id }) => (catalogue_id === null ? [] : [{ catalogue_id, game_id }]));
}

/** The ids of the eight that come with texts and pictures of their own. */
export const FIRST_EIGHT_IDS: readonly string[] = CATALOGUE.filter(({ first }) => first).map(({ id }) => id);

/** What became of each game that was asked for. */
export type TakenGames = {
  /** In the order in which they were asked for; `is_new`: it was not there before. */
  taken: { catalogue_id: string; game_id: number; game_slug: string; is_new: boolean }[];
  /** `unknown`: the catalogue has none of this id. `name_taken`: another game of the catalogue is called so here. */
  refused: ({ catalogue_id: string; reason: "unknown" } | ({ catalogue_id: string } & Omit<NameTaken, "ok">))[];
};

/**
 * Puts games of the catalogue on the site, published, behind those that are there, in the order of `ids`. A game that the site
 * has already is left as it is; one that was written by hand under the same name becomes this game of the catalogue and keeps
 * its texts. All of it in one transaction, with an audit row for each game that changed.
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

/** The row that a game of the catalogue begins as; the eight have texts of their own. */
function rowOf(game: CatalogueGame) {
  const facts = { catalogue_id: game.id, join_link: game.joinLink };
  const written = game.first ? FIRST_GAMES.find(({ game_slug }) => game_slug === game.id) : undefined;
  if (written) return { ...written, ...facts };
  return { game_name: game.name, game_acronym: game.acronym, guide: guideOf(game), ...facts };
}

/** A game that an admin wrote by hand becomes this game of the catalogue. What it says already stays. */
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
