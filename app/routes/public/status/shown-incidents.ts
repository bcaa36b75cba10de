// Data of incidents that is sent to the browser, in the reader's language.
import type { ShownIncident } from "#domain/plans/shown-status.ts";
import { localText } from "../../../language.ts";

export type ShownIncidentText = ReturnType<typeof showIncidents>[number];

/** Most game servers that an incident names. */
const MOST_NAMED = 8;

export function showIncidents(
  incidents: readonly ShownIncident[],
  names: ReadonlyMap<number, string>,
  games: ReadonlyMap<string, string>,
) {
  return incidents.map(({ incident_id, game_slug, servers, title, opened_at, closed_at, updates }) => ({
    incident_id,
    title: localText(title),
    opened_at,
    closed_at,
    about: [
      ...(game_slug === null ? [] : [{ path: `/games/${game_slug}`, name: games.get(game_slug) ?? "" }]),
      ...(servers ?? []).slice(0, MOST_NAMED).map(({ server_id }) => ({
        path: `/servers/${server_id}`,
        name: names.get(server_id) ?? "",
      })),
    ],
    updates: updates.map(({ update_id, text, at }) => ({ update_id, text: localText(text), at })),
  }));
}
