/**
 * Automatic incidents: drafts one after an outage of five minutes, groups outages that began together, and closes it once all its
 * game servers are back. Only admins see a draft: an admin writes the text for the public (decision 046).
 */
import { and, eq, inArray, isNull, max, ne, sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { games, gameserver, gameserverLiveMetrics, incidentServers, incidents } from "#db/schema/index.ts";
import { shownStatusInSql } from "../game-servers/live-metrics.ts";
import { tellOfIncident } from "./tell-of-incident.ts";

/** An outage longer than this is an incident. */
const OUTAGE_MS = 5 * 60_000;
/** A longer outage began before the watch did, or is no news. */
const OLDEST_OUTAGE_MS = 24 * 3_600_000;
/** Outages that began this close together probably have one cause. */
const TOGETHER_MS = 2 * 60_000;

const STRICTEST_FIRST = ["hidden", "members", "public"];

type Down = { server_id: number; visibility: string; since: number };
type Open = { incident_id: number; visibility: string; since: number[] };

/** Drafts incidents, records recoveries and closes finished ones, in one process at a time. Returns how many incidents changed. */
export async function watchOutages(tx: Db, siteIntervalS: number): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.outages})`);
  const back = await noteBack(tx, siteIntervalS);
  const drafted = await draftOutages(tx, siteIntervalS);
  return back + drafted + (await closeWhatIsOver(tx));
}

/**
 * Finds the unpublished, open draft for a game server's outage. Drafts one now if due, so that the outage's notification can link
 * to it. Null: none, or not yet.
 */
export async function findOrDraft(db: Db, serverId: number, siteIntervalS: number): Promise<number | null> {
  const there = await findDraft(db, serverId);
  if (there !== null) return there;
  return db.transaction(async (tx) => {
    await watchOutages(tx, siteIntervalS);
    return findDraft(tx, serverId);
  });
}

async function findDraft(db: Db, serverId: number): Promise<number | null> {
  const [row] = await db
    .select({ incident_id: max(incidents.incident_id) })
    .from(incidents)
    .innerJoin(incidentServers, eq(incidentServers.incident_id, incidents.incident_id))
    .where(and(eq(incidentServers.server_id, serverId), isNull(incidents.published_at), isNull(incidents.closed_at)));
  return row?.incident_id ?? null;
}

/** When an offline game server's failures began, in ms: the first failure of the row that made it offline. */
const downSince = sql<number>`(extract(epoch from coalesce(
  (select e.first_failed_at from gameserver_status_event e
    where e.server_id = ${gameserver.server_id} and e.to_status = 'offline' order by e.changed_at desc limit 1),
  ${gameserverLiveMetrics.status_since})) * 1000)::float8`;

async function draftOutages(tx: Db, siteIntervalS: number): Promise<number> {
  const found = await tx
    .select({
      server_id: gameserver.server_id,
      visibility: gameserver.visibility,
      since: downSince,
      now: sql<number>`(extract(epoch from now()) * 1000)::float8`,
      known: sql<boolean>`exists (select from ${incidentServers} i where i.server_id = ${gameserver.server_id}
        and i.down_since >= to_timestamp(${downSince} / 1000) - interval '1 second')`,
    })
    .from(gameserverLiveMetrics)
    .innerJoin(gameserver, eq(gameserver.server_id, gameserverLiveMetrics.server_id))
    .innerJoin(games, and(eq(games.game_id, gameserver.game_id), eq(games.published, true)))
    .where(
      and(
        eq(gameserverLiveMetrics.status, "offline"),
        ne(gameserver.visibility, "hidden"),
        sql`${shownStatusInSql(siteIntervalS)} = 'offline'`,
      ),
    );
  const down = found.filter(
    ({ known, now, since }) => !known && now - since >= OUTAGE_MS && now - since < OLDEST_OUTAGE_MS,
  );
  if (down.length === 0) return 0;
  const open = await listOpen(tx);
  let changed = 0;
  for (const group of together(down)) {
    const [first] = group;
    if (!first) continue;
    const joined = open.find(
      ({ visibility, since }) =>
        visibility === first.visibility &&
        since.some((at) => group.some((one) => Math.abs(one.since - at) <= TOGETHER_MS)),
    );
    await addServers(tx, joined?.incident_id ?? (await draft(tx, first.since)), group);
    changed += 1;
  }
  return changed;
}

/** Groups outages that began together and have the same visibility, in order of time. */
function together(down: Down[]): Down[][] {
  const groups: Down[][] = [];
  for (const one of down.toSorted((a, b) => a.since - b.since)) {
    const group = groups.find(
      (other) => other[0]?.visibility === one.visibility && one.since - (other.at(-1)?.since ?? 0) <= TOGETHER_MS,
    );
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** Lists open automatic incidents with their visibility and when their servers went down. */
async function listOpen(tx: Db): Promise<Open[]> {
  const rows = await tx
    .select({
      incident_id: incidents.incident_id,
      visibility: gameserver.visibility,
      since: sql<number>`(extract(epoch from ${incidentServers.down_since}) * 1000)::float8`,
    })
    .from(incidents)
    .innerJoin(incidentServers, eq(incidentServers.incident_id, incidents.incident_id))
    .innerJoin(gameserver, eq(gameserver.server_id, incidentServers.server_id))
    .where(and(isNull(incidents.closed_at), eq(incidents.by_outage, true)));
  return [...Map.groupBy(rows, ({ incident_id }) => incident_id)].map(([incident_id, of]) => ({
    incident_id,
    // An incident is visible to those who may see all of its game servers, which an admin may have changed meanwhile.
    visibility: STRICTEST_FIRST.find((seen) => of.some(({ visibility }) => visibility === seen)) ?? "hidden",
    since: of.map(({ since }) => since),
  }));
}

async function draft(tx: Db, since: number): Promise<number> {
  const [made] = await tx
    .insert(incidents)
    .values({ about: "servers", by_outage: true, opened_at: new Date(since) })
    .returning({ incident_id: incidents.incident_id });
  if (!made) throw new Error("the incident was not inserted");
  return made.incident_id;
}

async function addServers(tx: Db, incidentId: number, down: Down[]): Promise<void> {
  await tx
    .insert(incidentServers)
    .values(down.map(({ server_id, since }) => ({ incident_id: incidentId, server_id, down_since: new Date(since) })))
    // A server that had recovered is down again.
    .onConflictDoUpdate({
      target: [incidentServers.incident_id, incidentServers.server_id],
      set: { down_since: sql`excluded.down_since`, back_at: null },
    });
  await tx.update(incidents).set({ updated_at: sql`clock_timestamp()` }).where(eq(incidents.incident_id, incidentId));
}

/** Records recoveries: after two answers, or because the server was retired. */
async function noteBack(tx: Db, siteIntervalS: number): Promise<number> {
  const { rows: back } = await tx.execute<{ incident_id: number }>(sql`
    update ${incidentServers} i set back_at = greatest(i.down_since,
      case when gameserver.lifecycle = 'retired' then now() else gameserver_live_metrics.status_since end)
    from gameserver join gameserver_live_metrics using (server_id), ${incidents}
    where i.server_id = gameserver.server_id and i.back_at is null and incidents.incident_id = i.incident_id
      and incidents.closed_at is null and incidents.by_outage
      and (gameserver.lifecycle = 'retired' or ${shownStatusInSql(siteIntervalS)} = 'online'
        and gameserver_live_metrics.last_answered_at > gameserver_live_metrics.status_since)
    returning i.incident_id`);
  const ids = [...new Set(back.map(({ incident_id }) => incident_id))];
  if (ids.length > 0)
    await tx.update(incidents).set({ updated_at: sql`clock_timestamp()` }).where(inArray(incidents.incident_id, ids));
  return ids.length;
}

/** Closes finished incidents, and notifies followers of published ones. */
async function closeWhatIsOver(tx: Db): Promise<number> {
  const over = await tx
    .select()
    .from(incidents)
    .where(
      and(
        isNull(incidents.closed_at),
        eq(incidents.by_outage, true),
        sql`not exists (select from ${incidentServers} i where i.incident_id = ${incidents.incident_id} and i.back_at is null)`,
      ),
    )
    .for("update");
  for (const incident of over) {
    await tx
      .update(incidents)
      .set({
        closed_at: sql`coalesce((select max(i.back_at) from ${incidentServers} i where i.incident_id = ${incident.incident_id}), now())`,
        updated_at: sql`clock_timestamp()`,
      })
      .where(eq(incidents.incident_id, incident.incident_id));
    if (incident.published_at) await tellOfIncident(tx, "incident_closed", incident);
  }
  return over.length;
}
