// The pictures that the site draws for games that have none: which are due, and what becomes of them.
import { and, asc, eq, isNotNull, isNull, lte, notInArray, sql } from "drizzle-orm";
import { SHIPPED_PICTURES } from "#content/pictures/shipped.ts";
import type { Db } from "#db/client.ts";
import { type DrawnScene, games } from "#db/schema/index.ts";
import { type Actor, recordAudit } from "../site/audit.ts";

/** A game whose picture is to be drawn, and what those of the other games show. */
export type DueScene = {
  game_id: number;
  game_name: string;
  catalogue_id: string | null;
  scene_take: number;
  others: DrawnScene["shows"][];
};

/** A picture that was not finished within this time is drawn by somebody else. */
const CLAIM = sql`now() + interval '2 minutes'`;

/** Takes the game that waits longest; null when none does. Nobody else takes it for two minutes. */
export function claimDueScene(db: Db): Promise<DueScene | null> {
  return db.transaction(async (tx) => {
    // Looked for first: an update of no row would tell everybody that games have changed.
    const [due] = await tx
      .select({
        game_id: games.game_id,
        game_name: games.game_name,
        catalogue_id: games.catalogue_id,
        scene_take: games.scene_take,
      })
      .from(games)
      .where(
        and(
          lte(games.scene_due_at, sql`now()`),
          isNull(games.banner),
          notInArray(sql`coalesce(${games.picture}, ${games.game_slug})`, [...SHIPPED_PICTURES]),
        ),
      )
      .orderBy(asc(games.scene_due_at), asc(games.game_id))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return null;
    await tx.update(games).set({ scene_due_at: CLAIM }).where(eq(games.game_id, due.game_id));
    // One that is to give way to another counts as well: the other should be another place.
    const rows = await tx.select({ scene: games.scene }).from(games).where(isNotNull(games.scene));
    return { ...due, others: rows.flatMap(({ scene }) => scene?.shows ?? []) };
  });
}

/** Shows a picture from now on. `unused`: the id of the one whose files can go, the old one, or this one where it came too late. */
export function keepScene(db: Db, due: DueScene, scene: DrawnScene): Promise<{ unused: string | null }> {
  return db.transaction(async (tx) => {
    const asked = and(eq(games.game_id, due.game_id), eq(games.scene_take, due.scene_take));
    const [before] = await tx.select({ scene: games.scene }).from(games).where(asked).for("update");
    if (!before) return { unused: scene.id };
    await tx.update(games).set({ scene, scene_due_at: null }).where(asked);
    return { unused: before.scene?.id ?? null };
  });
}

/** Puts off what could not be done now. */
export async function putOffScene(db: Db, { game_id }: DueScene, minutes: number): Promise<void> {
  await db
    .update(games)
    .set({ scene_due_at: sql`now() + make_interval(mins => ${minutes})` })
    .where(and(eq(games.game_id, game_id), isNotNull(games.scene_due_at)));
}

/** Asks for another picture of a game; the old one stays until it is there. False: there is no such game. */
export function askForAnotherScene(db: Db, actor: Actor, gameId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [asked] = await tx
      .update(games)
      .set({ scene_take: sql`${games.scene_take} + 1`, scene_due_at: sql`now()` })
      .where(eq(games.game_id, gameId))
      .returning({ scene: games.scene, scene_take: games.scene_take });
    if (!asked) return false;
    await recordAudit(tx, {
      what: "game-picture-changed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "game", id: String(gameId) },
      details: { before: { scene: asked.scene?.id ?? null }, after: { scene_take: asked.scene_take } },
    });
    return true;
  });
}
