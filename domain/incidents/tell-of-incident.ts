// Notifies followers of an incident: once when it opens, once per update, once when it ends.
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { incidentServers, type incidents, type LocalText } from "#db/schema/index.ts";
import { type EventAbout, recordEvents } from "../notifications/events.ts";

type Incident = Pick<typeof incidents.$inferSelect, "incident_id" | "about" | "game_id" | "title">;

/**
 * Records the events in the caller's transaction: one per game server; a follower of several is notified once.
 * @param update its text, for `incident_updated`
 */
export async function tellOfIncident(
  tx: Db,
  kind: "incident_opened" | "incident_updated" | "incident_closed",
  incident: Incident,
  update?: { update_id: number; text: LocalText },
): Promise<void> {
  const key = `${kind}:${incident.incident_id}${update ? `:${update.update_id}` : ""}`;
  const abouts = await aboutsOf(tx, incident);
  await recordEvents(
    tx,
    abouts.map((about) => ({
      kind,
      about,
      subject_id: String(incident.incident_id),
      facts: { title: incident.title, ...(update ? { text: update.text } : {}) },
      dedupe_key: `${key}:${about.server_id ?? about.game_id ?? "site"}`,
      telling_key: key,
    })),
  );
}

async function aboutsOf(tx: Db, { about, incident_id, game_id }: Incident): Promise<EventAbout[]> {
  if (about !== "servers") return [{ game_id }];
  return tx
    .select({ server_id: incidentServers.server_id })
    .from(incidentServers)
    .where(eq(incidentServers.incident_id, incident_id));
}
