// Lets admins create, change, order and remove games. Each change and its audit row are one transaction.
import { asc, count, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver, gameserverSample } from "#db/schema/index.ts";
import { isTaken, newRevision, revisionOf, type Saved } from "../edit-conflicts.ts";
import { type Actor, changesBetween, recordAudit } from "../site/audit.ts";
import { type GameFields, gameColumnsOf, gameFieldsOf, type NewGameFields } from "./fields.ts";
import { type GuideForm, guideColumnsOf, guideFormOf } from "./guide.ts";
import { findNamesake, insertGame, lockGames, type NameTaken } from "./insert-game.ts";

const subject = (gameId: number) => ({ type: "game", id: String(gameId) });
const by = ({ user_id, origin }: Actor) => ({ actor_id: user_id, origin });

/** Creates a game, published, last in the order, with a slug from its name. */
export async function createGame(
  db: Db,
  actor: Actor,
  fields: NewGameFields,
): Promise<{ ok: true; game_id: number; game_slug: string } | NameTaken> {
  return db.transaction(async (tx) => {
    await lockGames(tx);
    const namesake = await findNamesake(tx, fields.game_name);
    return namesake ?? { ok: true, ...(await insertGame(tx, actor, fields)) };
  });
}

/** Finds a game for the admin's pages; null when there is none. */
export async function findGameToEdit(db: Db, gameId: number) {
  const [found] = await db
    .select({ game: games, revision: revisionOf(games.updated_at) })
    .from(games)
    .where(eq(games.game_id, gameId));
  if (!found) return null;
  const { game, revision } = found;
  return {
    game_id: game.game_id,
    revision,
    form: gameFieldsOf(game),
    guide: guideFormOf(game),
    banner: game.banner,
    picture: game.picture,
    catalogue_id: game.catalogue_id,
  };
}

/**
 * Saves a game unless another admin has saved it since `revision`, or another game has the slug (`taken`) or the new name
 * (`name_taken`).
 */
export async function updateGame(
  db: Db,
  actor: Actor,
  gameId: number,
  revision: string,
  fields: GameFields,
): Promise<Saved<GameFields> | { ok: false; reason: "taken" } | NameTaken> {
  try {
    return await db.transaction(async (tx) => {
      await lockGames(tx);
      const [there] = await tx.select({ id: games.game_id }).from(games).where(eq(games.game_id, gameId));
      const namesake = there ? await findNamesake(tx, fields.game_name, gameId) : null;
      if (namesake) return namesake;
      return save(tx, actor, gameId, revision, fields, gameFieldsOf, gameColumnsOf(fields));
    });
  } catch (error) {
    if (isTaken(error)) return { ok: false, reason: "taken" };
    throw error;
  }
}

/** Saves a guide, its steps and its boxes, under the same conditions. */
export async function updateGuide(
  db: Db,
  actor: Actor,
  gameId: number,
  revision: string,
  guide: GuideForm,
): Promise<Saved<GuideForm>> {
  const columns = guideColumnsOf(guide);
  return save(db, actor, gameId, revision, guideFormOf(columns), guideFormOf, columns);
}

async function save<Said extends GameFields | GuideForm>(
  db: Db,
  actor: Actor,
  gameId: number,
  revision: string,
  said: Said,
  saidIn: (game: typeof games.$inferSelect) => Said,
  columns: Partial<typeof games.$inferSelect>,
): Promise<Saved<Said>> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ game: games, revision: revisionOf(games.updated_at) })
      .from(games)
      .where(eq(games.game_id, gameId))
      .for("update");
    if (!found) return { ok: false, reason: "gone" };
    const theirs = saidIn(found.game);
    const details = changesBetween(theirs, said);
    if (!details) return { ok: true, revision: found.revision };
    if (found.revision !== revision) return { ok: false, reason: "conflict", revision: found.revision, theirs };
    const [saved] = await tx
      .update(games)
      .set({ ...columns, updated_at: newRevision })
      .where(eq(games.game_id, gameId))
      .returning({ revision: revisionOf(games.updated_at) });
    await recordAudit(tx, { what: "game-updated", ...by(actor), subject: subject(gameId), details });
    return { ok: true, revision: saved?.revision ?? "" };
  });
}

/** Counts what is deleted with a game. */
export async function countWhatHangsOn(
  db: Db,
  gameId: number,
): Promise<{ servers: { server_id: number; name: string }[]; samples: number }> {
  const servers = await db
    .select({ server_id: gameserver.server_id, name: gameserver.server_name })
    .from(gameserver)
    .where(eq(gameserver.game_id, gameId))
    .orderBy(asc(gameserver.sort_order), asc(gameserver.server_id));
  const ids = servers.map(({ server_id }) => server_id);
  const [kept] =
    ids.length === 0
      ? []
      : await db.select({ n: count() }).from(gameserverSample).where(inArray(gameserverSample.server_id, ids));
  return { servers, samples: kept?.n ?? 0 };
}

/**
 * Removes a game with its game servers and their history, after its exact name was typed. `pictures` are the ids of pictures that
 * are no longer used.
 */
export async function removeGame(
  db: Db,
  actor: Actor,
  gameId: number,
  typedName: string,
): Promise<{ ok: true; pictures: string[] } | { ok: false; reason: "gone" | "not_confirmed" }> {
  return db.transaction(async (tx) => {
    const [game] = await tx.select().from(games).where(eq(games.game_id, gameId)).for("update");
    if (!game) return { ok: false, reason: "gone" };
    if (typedName.trim() !== game.game_name) return { ok: false, reason: "not_confirmed" };
    const servers = await tx
      .delete(gameserver)
      .where(eq(gameserver.game_id, gameId))
      .returning({ server_id: gameserver.server_id, server_name: gameserver.server_name });
    // Samples are many and have no foreign key: the index of their game server finds them.
    const ids = servers.map(({ server_id }) => server_id);
    if (ids.length > 0) await tx.delete(gameserverSample).where(inArray(gameserverSample.server_id, ids));
    await tx.delete(games).where(eq(games.game_id, gameId));
    const details = { before: { ...gameFieldsOf(game), servers: servers.map(({ server_name }) => server_name) } };
    await recordAudit(tx, { what: "game-removed", ...by(actor), subject: subject(gameId), details });
    return { ok: true, pictures: game.banner ? [game.banner.id] : [] };
  });
}

/** Lists the games in the order of the home page. */
export function listGameOrder(db: Db) {
  return db
    .select({ id: games.game_id, name: games.game_name })
    .from(games)
    .orderBy(asc(games.sort_order), asc(games.game_id));
}

/** Lists the games to choose for a game server, in the same order, each with the initial join link of a new one. */
export function listGameChoices(db: Db) {
  return db
    .select({ game_id: games.game_id, game_name: games.game_name, join_link: games.join_link })
    .from(games)
    .orderBy(asc(games.sort_order), asc(games.game_id));
}

/** The catalogue id of a game; null: none, or there is no such game. */
export async function findCatalogueId(db: Db, gameId: number): Promise<string | null> {
  const [game] = await db.select({ id: games.catalogue_id }).from(games).where(eq(games.game_id, gameId));
  return game?.id ?? null;
}

/** The initial join link of a game's new servers; empty if it has none, or there is no such game. */
export async function findJoinLink(db: Db, gameId: number): Promise<string> {
  const [game] = await db.select({ join_link: games.join_link }).from(games).where(eq(games.game_id, gameId));
  return game?.join_link ?? "";
}

/** Sets the order of games. `changed`: the list differs from the current games; nothing was changed. */
export async function orderGames(
  db: Db,
  actor: Actor,
  ids: number[],
): Promise<{ ok: true } | { ok: false; reason: "changed" }> {
  return db.transaction(async (tx) => {
    await lockGames(tx);
    const before = (await listGameOrder(tx)).map(({ id }) => id);
    if (before.length !== ids.length || before.some((id) => !ids.includes(id))) return { ok: false, reason: "changed" };
    const details = changesBetween({ order: before }, { order: ids });
    if (!details) return { ok: true };
    await tx.execute(sql`update games set sort_order = place - 1
      from unnest(${sql.param(ids)}::int[]) with ordinality as wanted (id, place)
      where games.game_id = wanted.id and games.sort_order is distinct from place - 1`);
    await recordAudit(tx, { what: "games-ordered", ...by(actor), subject: { type: "games", id: "" }, details });
    return { ok: true };
  });
}
