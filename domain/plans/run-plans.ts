/**
 * Runs plans: stores an occurrence a day before it begins, notifies followers ten minutes before, keeps its game servers in
 * maintenance while it lasts, then schedules the next. Each step is due by a column, so that after an outage (of a process, the
 * database) pending steps run and past ones are skipped.
 */
import { and, asc, eq, isNull, lte, max, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { planOccurrences, plans } from "#db/schema/index.ts";
import { ANNOUNCED_BEFORE_MS, TOLD_BEFORE_MS } from "#shared/plans.ts";
import { recordEvent } from "../notifications/events.ts";
import { recordAudit } from "../site/audit.ts";
import { holdServers } from "./held-servers.ts";
import { nextOccurrences } from "./occurrences.ts";

type Plan = typeof plans.$inferSelect;
type PlanOccurrence = typeof planOccurrences.$inferSelect;

/** Most steps of each kind per run. */
const AT_ONCE = 50;

/** Runs the due steps; several processes may run it. Returns how many steps it took. */
export async function runPlans(db: Db): Promise<number> {
  let steps = 0;
  for (const step of [writeNext, finish, tell, begin])
    for (let done = 0; done < AT_ONCE && (await db.transaction(step)); done += 1) steps += 1;
  return steps;
}

/** The database's clock, not this machine's: in ms. */
const nowInMs = sql<number>`(extract(epoch from now()) * 1000)::float8`;

/** Stores the next occurrence of one due plan, or when there will be one to store. */
async function writeNext(tx: Db): Promise<boolean> {
  const [due] = await tx
    .select({ plan: plans, now: nowInMs })
    .from(plans)
    .where(and(lte(plans.due_at, sql`now()`), isNull(plans.ended_at)))
    .orderBy(asc(plans.due_at))
    .limit(1)
    .for("update", { skipLocked: true });
  if (!due) return false;
  const { plan, now } = due;
  const next = await nextOf(tx, plan, now);
  // Recompute at the announcement: the zone's rules may change until then.
  const announced = next && next.starts - ANNOUNCED_BEFORE_MS;
  if (next && announced !== null && announced <= now) {
    await tx
      .insert(planOccurrences)
      .values({ plan_id: plan.plan_id, starts_at: new Date(next.starts), ends_at: new Date(next.ends) });
  }
  const isWritten = announced !== null && announced <= now;
  await tx
    .update(plans)
    .set({
      due_at: announced === null || isWritten ? null : new Date(announced),
      ...(next ? {} : { ended_at: sql`now()` }),
    })
    .where(eq(plans.plan_id, plan.plan_id));
  return true;
}

/** The plan's first occurrence that isn't over and comes after all stored ones. */
async function nextOf(tx: Db, plan: Plan, now: number) {
  const [last] = await tx
    .select({ starts_at: max(planOccurrences.starts_at) })
    .from(planOccurrences)
    .where(eq(planOccurrences.plan_id, plan.plan_id));
  const after = last?.starts_at?.getTime() ?? 0;
  return nextOccurrences(plan, now, 2).find(({ starts }) => starts > after) ?? null;
}

/** Locks one occurrence that isn't over and for which `due` is true. */
async function lockOne(tx: Db, due: ReturnType<typeof sql>): Promise<{ plan: Plan; at: PlanOccurrence } | null> {
  const [found] = await tx
    .select({ plan: plans, at: planOccurrences })
    .from(planOccurrences)
    .innerJoin(plans, eq(plans.plan_id, planOccurrences.plan_id))
    .where(and(isNull(planOccurrences.over_at), due))
    .orderBy(asc(planOccurrences.starts_at), asc(planOccurrences.plan_id))
    .limit(1)
    .for("update", { skipLocked: true });
  return found ?? null;
}

const which = (at: PlanOccurrence) =>
  and(eq(planOccurrences.plan_id, at.plan_id), eq(planOccurrences.starts_at, at.starts_at));

/** Ends one past its end; its game servers leave maintenance through their own `maintenance_until`. */
async function finish(tx: Db): Promise<boolean> {
  const found = await lockOne(tx, sql`${planOccurrences.ends_at} <= now()`);
  if (!found) return false;
  await tx.update(planOccurrences).set({ over_at: sql`now()` }).where(which(found.at));
  await tx.update(plans).set({ due_at: sql`now()` }).where(eq(plans.plan_id, found.plan.plan_id));
  return true;
}

/** Notifies followers of an occurrence within ten minutes; not once it has begun. */
async function tell(tx: Db): Promise<boolean> {
  const before = sql`${TOLD_BEFORE_MS} * interval '1 millisecond'`;
  const found = await lockOne(
    tx,
    sql`${planOccurrences.told_at} is null and ${planOccurrences.starts_at} > now() and ${planOccurrences.starts_at} - ${before} <= now()`,
  );
  if (!found) return false;
  const { plan, at } = found;
  await tx.update(planOccurrences).set({ told_at: sql`now()` }).where(which(at));
  await recordEvent(tx, {
    kind: "plan_soon",
    about: { server_id: plan.server_id, game_id: plan.game_id },
    subject_id: String(plan.plan_id),
    facts: {
      plan: plan.kind,
      title: plan.title,
      minutes: plan.minutes,
      starts_at: at.starts_at.toISOString(),
      ends_at: at.ends_at.toISOString(),
    },
    dedupe_key: `plan_soon:${plan.plan_id}:${at.starts_at.toISOString()}`,
    expires_at: at.starts_at,
  });
  return true;
}

/** Puts the game servers of a begun occurrence into maintenance, even if it began during an outage of ours. */
async function begin(tx: Db): Promise<boolean> {
  const found = await lockOne(
    tx,
    sql`${planOccurrences.began_at} is null and ${planOccurrences.starts_at} <= now() and ${planOccurrences.ends_at} > now()`,
  );
  if (!found) return false;
  await beginOccurrence(tx, found.plan, found.at);
  return true;
}

/** Begins a locked occurrence, with its audit row. */
export async function beginOccurrence(tx: Db, plan: Plan, at: PlanOccurrence): Promise<void> {
  await tx.update(planOccurrences).set({ began_at: sql`now()` }).where(which(at));
  const held = await holdServers(tx, plan, at.ends_at);
  await recordAudit(tx, {
    what: "plan-began",
    actor_id: null,
    subject: { type: "plan", id: String(plan.plan_id) },
    details: { servers: held, until: at.ends_at.toISOString() },
  });
}
