// Lets admins create, change and end plans, running ones too. Each change and its audit row are one transaction.
import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { readDatabaseNow } from "#db/database-clock.ts";
import { games, gameserver, planOccurrences, plans } from "#db/schema/index.ts";
import { isDangling, newRevision, revisionOf, type Saved } from "../edit-conflicts.ts";
import { withdrawEvents } from "../notifications/events.ts";
import { type Actor, changesBetween, recordAudit } from "../site/audit.ts";
import { moveEnd } from "./held-servers.ts";
import { nextOccurrences } from "./occurrences.ts";
import { type PlanFields, type PlanTexts, planTexts } from "./plan-shape.ts";
import { beginOccurrence } from "./run-plans.ts";

type Plan = typeof plans.$inferSelect;
type PlanOccurrence = typeof planOccurrences.$inferSelect;

const MOST_PLANS = 200;

const told = (actor: Actor, planId: number) => ({
  actor_id: actor.user_id,
  origin: actor.origin,
  subject: { type: "plan", id: String(planId) },
});

/** Creates a plan. `no_subject`: its subject doesn't exist; `too_many`: two hundred are active. */
export async function createPlan(
  db: Db,
  actor: Actor,
  fields: PlanFields,
): Promise<{ ok: true; plan_id: number } | { ok: false; reason: "no_subject" | "too_many" }> {
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.plans})`);
      if ((await tx.$count(plans, isNull(plans.ended_at))) >= MOST_PLANS) return { ok: false, reason: "too_many" };
      const [made] = await tx
        .insert(plans)
        .values({ ...fields, due_at: sql`now()`, created_by: actor.user_id })
        .returning();
      if (!made) throw new Error("the plan was not inserted");
      await recordAudit(tx, { what: "plan-made", ...told(actor, made.plan_id), details: { after: planTexts(made) } });
      return { ok: true as const, plan_id: made.plan_id };
    });
  } catch (error) {
    if (isDangling(error)) return { ok: false, reason: "no_subject" };
    throw error;
  }
}

/** Finds a plan for the admin's form; null when there is none. `running`: it takes place now. */
export async function findPlanToEdit(db: Db, planId: number) {
  const [found] = await db
    .select({ plan: plans, revision: revisionOf(plans.updated_at) })
    .from(plans)
    .where(eq(plans.plan_id, planId));
  if (!found) return null;
  const open = await findOpen(db, planId);
  return {
    plan_id: planId,
    revision: found.revision,
    form: planTexts(found.plan),
    ended: found.plan.ended_at !== null,
    running: open !== null && open.began_at !== null,
  };
}

/**
 * Saves a plan unless another admin has saved it since `revision`. While it takes place, its game servers follow: to another end,
 * to the new scope, or out of maintenance if it would not take place now.
 */
export async function updatePlan(
  db: Db,
  actor: Actor,
  planId: number,
  revision: string,
  fields: PlanFields,
): Promise<Saved<PlanTexts> | { ok: false; reason: "no_subject" }> {
  try {
    return await db.transaction(async (tx) => {
      const before = await lockPlan(tx, planId);
      if (!before) return { ok: false as const, reason: "gone" as const };
      if (before.revision !== revision)
        return {
          ok: false as const,
          reason: "conflict" as const,
          revision: before.revision,
          theirs: planTexts(before.plan),
        };
      const [saved] = await tx
        .update(plans)
        .set({ ...fields, updated_at: newRevision, ended_at: null })
        .where(eq(plans.plan_id, planId))
        .returning({ plan: plans, revision: revisionOf(plans.updated_at) });
      if (!saved) throw new Error("the plan was not updated");
      await moveOccurrence(tx, before.plan, saved.plan);
      const details = changesBetween(planTexts(before.plan), planTexts(saved.plan));
      if (details) await recordAudit(tx, { what: "plan-changed", ...told(actor, planId), details });
      return { ok: true as const, revision: saved.revision };
    });
  } catch (error) {
    if (isDangling(error)) return { ok: false, reason: "no_subject" };
    throw error;
  }
}

/** Ends a plan for good, and a running occurrence now. False: there is none, or it has ended before. */
export async function endPlan(db: Db, actor: Actor, planId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const found = await lockPlan(tx, planId);
    if (!found || found.plan.ended_at !== null) return false;
    await tx
      .update(plans)
      .set({ ended_at: sql`now()`, due_at: null, updated_at: newRevision })
      .where(eq(plans.plan_id, planId));
    const open = await findOpen(tx, planId);
    if (open) await endOccurrence(tx, found.plan, open);
    await recordAudit(tx, { what: "plan-ended", ...told(actor, planId) });
    return true;
  });
}

async function lockPlan(tx: Db, planId: number): Promise<{ plan: Plan; revision: string } | null> {
  const [found] = await tx
    .select({ plan: plans, revision: revisionOf(plans.updated_at) })
    .from(plans)
    .where(eq(plans.plan_id, planId))
    .for("update");
  return found ?? null;
}

/** Finds the announced or running occurrence. */
async function findOpen(db: Db, planId: number): Promise<PlanOccurrence | null> {
  const [open] = await db
    .select()
    .from(planOccurrences)
    .where(and(eq(planOccurrences.plan_id, planId), isNull(planOccurrences.over_at)));
  return open ?? null;
}

const which = (at: PlanOccurrence) =>
  and(eq(planOccurrences.plan_id, at.plan_id), eq(planOccurrences.starts_at, at.starts_at));

/** Ends a running occurrence now; withdraws an announced one, from followers too. */
async function endOccurrence(tx: Db, plan: Plan, at: PlanOccurrence): Promise<void> {
  if (at.began_at === null) {
    await tx.delete(planOccurrences).where(which(at));
    await withdrawEvents(tx, [`plan_soon:${plan.plan_id}:${at.starts_at.toISOString()}`]);
    return;
  }
  await moveEnd(tx, plan.plan_id, plan, at.ends_at, null);
  await tx
    .update(planOccurrences)
    .set({ ends_at: sql`greatest(now(), starts_at)`, over_at: sql`now()` })
    .where(which(at));
}

/** Adapts the announced or running occurrence to a changed plan. */
async function moveOccurrence(tx: Db, before: Plan, after: Plan): Promise<void> {
  const open = await findOpen(tx, after.plan_id);
  const due = () => tx.update(plans).set({ due_at: sql`now()` }).where(eq(plans.plan_id, after.plan_id));
  if (!open) return void (await due());
  const now = await readDatabaseNow(tx);
  const kept = nextOccurrences(after, now, 1).find(({ starts }) => starts === open.starts_at.getTime());
  if (!kept) {
    await endOccurrence(tx, before, open);
    return void (await due());
  }
  const moved = { ...open, ends_at: new Date(kept.ends) };
  await tx.update(planOccurrences).set({ ends_at: moved.ends_at }).where(which(open));
  if (open.began_at === null) return;
  const isElsewhere = before.server_id !== after.server_id || before.game_id !== after.game_id;
  await moveEnd(tx, after.plan_id, before, open.ends_at, isElsewhere ? null : moved.ends_at);
  if (isElsewhere) await beginOccurrence(tx, after, moved);
}

/** Lists all active plans and the newest ended ones for the admin area. */
export function listPlans(db: Db, most = 300) {
  return db
    .select({ plan: plans, server_name: gameserver.server_name, game_name: games.game_name })
    .from(plans)
    .leftJoin(gameserver, eq(gameserver.server_id, plans.server_id))
    .leftJoin(games, eq(games.game_id, plans.game_id))
    .orderBy(sql`${plans.ended_at} desc nulls first`, asc(plans.plan_id))
    .limit(most);
}

/** The time zone of the newest plan, as the default for the next; null: there is none. */
export async function findLastZone(db: Db): Promise<string | null> {
  const [last] = await db.select({ zone: plans.time_zone }).from(plans).orderBy(desc(plans.plan_id)).limit(1);
  return last?.zone ?? null;
}

/** Lists the subjects of plans in the admin's order. */
export async function listSubjects(db: Db) {
  const [allGames, servers] = await Promise.all([
    db
      .select({ id: games.game_id, name: games.game_name })
      .from(games)
      .orderBy(asc(games.sort_order), asc(games.game_id)),
    db
      .select({ id: gameserver.server_id, name: gameserver.server_name, game_id: gameserver.game_id })
      .from(gameserver)
      .innerJoin(games, eq(games.game_id, gameserver.game_id))
      .orderBy(asc(games.sort_order), asc(gameserver.sort_order), asc(gameserver.server_id)),
  ]);
  return { games: allGames, servers };
}
