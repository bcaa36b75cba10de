// Data of a game server's own description that is sent to the browser.
import type { ToldDetails } from "#domain/game-servers/details.ts";

/** `icon`: address of the picture; null: none. `mods`: those it reports if an admin has listed none. */
export type ShownDetails = Pick<ToldDetails, "lines" | "mods"> & { icon: string | null };

/** `told` null: nothing. */
export function showDetails(server: { server_id: number; mods: string[] }, told: ToldDetails | null): ShownDetails {
  return {
    lines: told?.lines ?? [],
    mods: server.mods.length > 0 ? [] : (told?.mods ?? []),
    icon: told?.icon ? `/server-icons/${server.server_id}/${told.icon.id}.webp` : null,
  };
}
