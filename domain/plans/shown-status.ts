// Plans and incidents for pages, feeds and calendars: of the last 90 days, limited to what an audience may see.
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import {
  games,
  incidentServers,
  incidents,
  incidentUpdates,
  type LocalText,
  planOccurrences,
  plans,
} from "#db/schema/index.ts";
import type { PlanKind, Repeats } from "#shared/plans.ts";

/** An active or recent plan. Times are ISO texts. */
export type ShownPlan = {
  plan_id: number;
  kind: PlanKind;
  /** Its scope: one game server, a game's, or, where both are null, all. */
  server_id: number | null;
  game_slug: string | null;
  title: LocalText | null;
  first_local: string;
  time_zone: string;
  repeats: Repeats;
  minutes: number;
  /** It has ended for good. */
  ended: boolean;
  updated_at: string;
  /** Past, current and announced ones, in order. */
  occurrences: { starts_at: string; ends_at: string; over: boolean }[];
};

/** A published incident. `servers`: null for one about a game or the site. */
export type ShownIncident = {
  incident_id: number;
  game_slug: string | null;
  servers: { server_id: number; back_at: string | null }[] | null;
  title: LocalText;
  opened_at: string;
  closed_at: string | null;
  updated_at: string;
  /** Newest first. */
  updates: { update_id: number; text: LocalText; at: string }[];
};

/** Limits of what is in memory. */
const MOST_OCCURRENCES = 2_000;
const MOST_INCIDENTS = 300;

const lately = sql`now() - interval '90 days'`;

/** Lists active plans, and those of the last 90 days. */
export async function listShownPlans(db: Db): Promise<ShownPlan[]> {
  const [rows, occurrences] = await Promise.all([
    db
      .select({ plan: plans, game_slug: games.game_slug })
      .from(plans)
      .leftJoin(games, eq(games.game_id, plans.game_id))
      .where(or(isNull(plans.ended_at), gt(plans.ended_at, lately)))
      .orderBy(asc(plans.plan_id)),
    db
      .select()
      .from(planOccurrences)
      .where(gt(planOccurrences.ends_at, lately))
      .orderBy(desc(planOccurrences.starts_at))
      .limit(MOST_OCCURRENCES),
  ]);
  const of = Map.groupBy(occurrences, ({ plan_id }) => plan_id);
  return rows.map(({ plan, game_slug }) => ({
    plan_id: plan.plan_id,
    kind: plan.kind,
    server_id: plan.server_id,
    game_slug,
    title: plan.title,
    first_local: plan.first_local,
    time_zone: plan.time_zone,
    repeats: plan.repeats,
    minutes: plan.minutes,
    ended: plan.ended_at !== null,
    updated_at: plan.updated_at.toISOString(),
    occurrences: (of.get(plan.plan_id) ?? [])
      // An occurrence that no process began, during an outage of ours, did not take place.
      .filter(({ began_at, over_at }) => began_at !== null || over_at === null)
      .map(({ starts_at, ends_at, over_at }) => ({
        starts_at: starts_at.toISOString(),
        ends_at: ends_at.toISOString(),
        over: over_at !== null,
      }))
      .reverse(),
  }));
}

/** Lists published incidents of the last 90 days, and all open ones, newest first. */
export async function listShownIncidents(db: Db): Promise<ShownIncident[]> {
  const rows = await db
    .select({ incident: incidents, game_slug: games.game_slug })
    .from(incidents)
    .leftJoin(games, eq(games.game_id, incidents.game_id))
    .where(and(isNotNull(incidents.published_at), or(isNull(incidents.closed_at), gt(incidents.closed_at, lately))))
    .orderBy(desc(incidents.opened_at), desc(incidents.incident_id))
    .limit(MOST_INCIDENTS);
  if (rows.length === 0) return [];
  const ids = rows.map(({ incident }) => incident.incident_id);
  const [servers, updates] = await Promise.all([
    db.select().from(incidentServers).where(inArray(incidentServers.incident_id, ids)),
    db
      .select()
      .from(incidentUpdates)
      .where(inArray(incidentUpdates.incident_id, ids))
      .orderBy(desc(incidentUpdates.update_id)),
  ]);
  const serversOf = Map.groupBy(servers, ({ incident_id }) => incident_id);
  const updatesOf = Map.groupBy(updates, ({ incident_id }) => incident_id);
  return rows.flatMap(({ incident: { incident_id, about, title, opened_at, closed_at, updated_at }, game_slug }) =>
    title === null
      ? []
      : [
          {
            incident_id,
            game_slug,
            servers:
              about === "servers"
                ? (serversOf.get(incident_id) ?? []).map(({ server_id, back_at }) => ({
                    server_id,
                    back_at: back_at?.toISOString() ?? null,
                  }))
                : null,
            title,
            opened_at: opened_at.toISOString(),
            closed_at: closed_at?.toISOString() ?? null,
            updated_at: updated_at.toISOString(),
            updates: (updatesOf.get(incident_id) ?? []).map(({ update_id, text, created_at }) => ({
              update_id,
              text,
              at: created_at.toISOString(),
            })),
          },
        ],
  );
}

/** The games and game servers that an audience sees. */
type Seen = { gameSlugs: ReadonlySet<string>; serverIds: ReadonlySet<number> };

/** Plans that name nothing hidden from an audience. */
export const plansSeenWith = (all: readonly ShownPlan[], { gameSlugs, serverIds }: Seen): ShownPlan[] =>
  all.filter(
    ({ server_id, game_slug }) =>
      (server_id === null || serverIds.has(server_id)) && (game_slug === null || gameSlugs.has(game_slug)),
  );

/**
 * Incidents whose game servers an audience may see completely: the text may name each of them. An incident whose game servers are
 * all deleted is about nothing.
 */
export const incidentsSeenWith = (all: readonly ShownIncident[], { gameSlugs, serverIds }: Seen): ShownIncident[] =>
  all.filter(({ servers, game_slug }) =>
    servers === null
      ? game_slug === null || gameSlugs.has(game_slug)
      : servers.length > 0 && servers.every(({ server_id }) => serverIds.has(server_id)),
  );

/** An announced or current occurrence. Times are ISO texts. */
type PlanSoon = { kind: PlanKind; starts_at: string; ends_at: string };

/** The next occurrence for a game server that isn't over; null: none is announced. */
export function planOf(server: { server_id: number; game_slug: string }, shown: readonly ShownPlan[]): PlanSoon | null {
  let next: PlanSoon | null = null;
  for (const plan of shown) {
    if (plan.server_id !== null && plan.server_id !== server.server_id) continue;
    if (plan.game_slug !== null && plan.game_slug !== server.game_slug) continue;
    const at = plan.occurrences.find(({ over }) => !over);
    if (at && (next === null || at.starts_at < next.starts_at))
      next = { kind: plan.kind, starts_at: at.starts_at, ends_at: at.ends_at };
  }
  return next;
}

/** The same for several servers of a game, by id; `{}` if none has one, so that pages without plans don't grow. */
export function plansOf(
  gameSlug: string,
  serverIds: readonly number[],
  shown: readonly ShownPlan[],
): { plans?: Record<number, PlanSoon> } {
  const found = serverIds.flatMap((server_id) => {
    const plan = planOf({ server_id, game_slug: gameSlug }, shown);
    return plan ? [[server_id, plan] as const] : [];
  });
  return found.length > 0 ? { plans: Object.fromEntries(found) } : {};
}
