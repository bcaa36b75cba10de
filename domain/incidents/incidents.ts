// Lets admins write, publish, update and close incidents. Each change, its audit row and its notifications are one transaction.
import { asc, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { gameserver, incidentServers, incidents, incidentUpdates } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { INCIDENT_LIMITS } from "#shared/plans.ts";
import { isDangling, newRevision } from "../edit-conflicts.ts";
import { filledLine, line, lines } from "../form-text.ts";
import { localText } from "../local-text.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { tellOfIncident } from "./tell-of-incident.ts";

type Incident = typeof incidents.$inferSelect;

const words = {
  title_en: filledLine(INCIDENT_LIMITS.title),
  title_de: line(INCIDENT_LIMITS.title),
};

/** An incident's title as a form sends it. Errors: `missing`, `too_long`. */
export const incidentTextShape = z.object(words);

/** An update. Errors: `missing`, `too_long`. */
export const incidentUpdateShape = z
  .object({ text_en: lines(INCIDENT_LIMITS.text), text_de: lines(INCIDENT_LIMITS.text) })
  .refine(({ text_en, text_de }) => text_en !== "" || text_de !== "", {
    path: ["text_en"],
    message: fieldError("missing"),
  });

/** A new incident with its first text. Errors: `missing`, `too_long`, `no_choice`. */
export const newIncidentShape = z.object({
  ...words,
  about: z.string().regex(/^(?:site|(?:game|server)-[1-9]\d{0,8})$/, fieldError("no_choice")),
  text_en: lines(INCIDENT_LIMITS.text),
  text_de: lines(INCIDENT_LIMITS.text),
});

const told = (actor: Actor, incidentId: number) => ({
  actor_id: actor.user_id,
  origin: actor.origin,
  subject: { type: "incident", id: String(incidentId) },
});

const textOf = ({ text_en, text_de }: { text_en: string; text_de: string }) => localText(text_en || text_de, text_de);

/** Creates and publishes an incident. `no_subject`: its subject doesn't exist. */
export async function createIncident(
  db: Db,
  actor: Actor,
  given: z.output<typeof newIncidentShape>,
): Promise<{ ok: true; incident_id: number } | { ok: false; reason: "no_subject" }> {
  const [kind, id] = given.about.split("-");
  const about = kind === "server" ? "servers" : kind === "game" ? "game" : "site";
  try {
    return await db.transaction(async (tx) => {
      const [made] = await tx
        .insert(incidents)
        .values({
          about,
          game_id: about === "game" ? Number(id) : null,
          title: localText(given.title_en, given.title_de),
          published_at: sql`now()`,
          created_by: actor.user_id,
        })
        .returning();
      if (!made) throw new Error("the incident was not inserted");
      if (about === "servers")
        await tx.insert(incidentServers).values({ incident_id: made.incident_id, server_id: Number(id) });
      if (given.text_en || given.text_de)
        await tx
          .insert(incidentUpdates)
          .values({ incident_id: made.incident_id, text: textOf(given), created_by: actor.user_id });
      await tellOfIncident(tx, "incident_opened", made);
      await recordAudit(tx, {
        what: "incident-opened",
        ...told(actor, made.incident_id),
        details: { title: given.title_en },
      });
      return { ok: true as const, incident_id: made.incident_id };
    });
  } catch (error) {
    if (isDangling(error)) return { ok: false, reason: "no_subject" };
    throw error;
  }
}

/** Result of a change; `over`: already closed, or too many updates. */
export type Acted = { ok: true } | { ok: false; reason: "gone" | "over" };

async function change(
  db: Db,
  incidentId: number,
  act: (tx: Db, incident: Incident) => Promise<"done" | "over">,
): Promise<Acted> {
  return db.transaction(async (tx) => {
    const [found] = await tx.select().from(incidents).where(eq(incidents.incident_id, incidentId)).for("update");
    if (!found) return { ok: false, reason: "gone" };
    return (await act(tx, found)) === "done" ? { ok: true } : { ok: false, reason: "over" };
  });
}

/**
 * Sets an incident's title, and publishes a draft. Notifies followers if it is still open; a changed title of a published incident
 * isn't sent again.
 */
export async function publishIncident(
  db: Db,
  actor: Actor,
  incidentId: number,
  given: z.output<typeof incidentTextShape>,
): Promise<{ ok: true; told: "published" | "published_late" | "saved" } | Exclude<Acted, { ok: true }>> {
  let told_as: "published" | "published_late" | "saved" = "saved";
  const acted = await change(db, incidentId, async (tx, incident) => {
    const title = localText(given.title_en, given.title_de);
    await tx
      .update(incidents)
      .set({ title, published_at: sql`coalesce(published_at, now())`, updated_at: newRevision })
      .where(eq(incidents.incident_id, incidentId));
    const isNew = incident.published_at === null;
    if (isNew) told_as = incident.closed_at === null ? "published" : "published_late";
    if (isNew && incident.closed_at === null) await tellOfIncident(tx, "incident_opened", { ...incident, title });
    await recordAudit(tx, {
      what: isNew ? "incident-opened" : "incident-changed",
      ...told(actor, incidentId),
      details: { title: given.title_en },
    });
    return "done";
  });
  return acted.ok ? { ok: true, told: told_as } : acted;
}

/** Adds an update. `over`: there are a hundred. */
export function addIncidentUpdate(
  db: Db,
  actor: Actor,
  incidentId: number,
  given: z.output<typeof incidentUpdateShape>,
) {
  return change(db, incidentId, async (tx, incident) => {
    const so_far = await tx.$count(incidentUpdates, eq(incidentUpdates.incident_id, incidentId));
    if (so_far >= INCIDENT_LIMITS.updates) return "over";
    const text = textOf(given);
    const [made] = await tx
      .insert(incidentUpdates)
      .values({ incident_id: incidentId, text, created_by: actor.user_id })
      .returning({ update_id: incidentUpdates.update_id });
    await touch(tx, incidentId);
    if (made && incident.published_at) await tellOfIncident(tx, "incident_updated", incident, { ...made, text });
    await recordAudit(tx, { what: "incident-changed", ...told(actor, incidentId), details: { text: text.en } });
    return "done";
  });
}

/** Closes an incident; a draft closes without notifications. `over`: it is closed already. */
export function closeIncident(db: Db, actor: Actor, incidentId: number) {
  return change(db, incidentId, async (tx, incident) => {
    if (incident.closed_at) return "over";
    await tx
      .update(incidents)
      .set({ closed_at: sql`now()`, updated_at: newRevision })
      .where(eq(incidents.incident_id, incidentId));
    if (incident.published_at) await tellOfIncident(tx, "incident_closed", incident);
    await recordAudit(tx, { what: "incident-closed", ...told(actor, incidentId) });
    return "done";
  });
}

const touch = (tx: Db, incidentId: number) =>
  tx.update(incidents).set({ updated_at: newRevision }).where(eq(incidents.incident_id, incidentId));

/** Lists the newest incidents for the admin area, open ones first. */
export function listIncidents(db: Db, most = 100) {
  return db
    .select({
      incident_id: incidents.incident_id,
      title: incidents.title,
      opened_at: incidents.opened_at,
      published_at: incidents.published_at,
      closed_at: incidents.closed_at,
      servers: sql<string[]>`array(select g.server_name from ${incidentServers} i join ${gameserver} g using (server_id)
        where i.incident_id = ${incidents.incident_id} order by g.server_name limit 20)`,
    })
    .from(incidents)
    .orderBy(sql`${incidents.closed_at} is not null`, desc(incidents.opened_at), desc(incidents.incident_id))
    .limit(most);
}

/** Finds an incident for the admin's page, with game servers and updates; null when there is none. */
export async function findIncident(db: Db, incidentId: number) {
  const [found] = await db.select().from(incidents).where(eq(incidents.incident_id, incidentId));
  if (!found) return null;
  const [servers, updates] = await Promise.all([
    db
      .select({
        server_id: gameserver.server_id,
        server_name: gameserver.server_name,
        down_since: incidentServers.down_since,
        back_at: incidentServers.back_at,
      })
      .from(incidentServers)
      .innerJoin(gameserver, eq(gameserver.server_id, incidentServers.server_id))
      .where(eq(incidentServers.incident_id, incidentId))
      .orderBy(asc(gameserver.server_name)),
    db
      .select({
        update_id: incidentUpdates.update_id,
        text: incidentUpdates.text,
        created_at: incidentUpdates.created_at,
      })
      .from(incidentUpdates)
      .where(eq(incidentUpdates.incident_id, incidentId))
      .orderBy(desc(incidentUpdates.update_id)),
  ]);
  return { incident: found, servers, updates };
}
