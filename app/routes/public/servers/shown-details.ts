// What leaves the server of what a game server says of itself.
import type { ToldDetails } from "#domain/game-servers/details.ts";

/** `icon`: the address of its picture; null: none. `mods`: those that it tells where an admin has written down none. */
export type ShownDetails = Pick<ToldDetails, "lines" | "mods"> & { icon: string | null };

/** `told` null: nothing. */
export function showDetails(server: { server_id: number; mods: string[] }, told: ToldDetails | null): ShownDetails {
  return {
    lines: told?.lines ?? [],
    mods: server.mods.length > 0 ? [] : (told?.mods ?? []),
    icon: told?.icon ? `/server-icons/${server.server_id}/${told.icon.id}.webp` : null,
  };
}
