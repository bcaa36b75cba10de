// Maps a status to a word, a shape and a tone for pictures, badges and widgets outside of the site's pages.
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import type { LiveRow } from "#shared/live-row.ts";
import type { Locale } from "#shared/locale.ts";
import { type ShownStatus, UNMEASURED } from "#shared/statuses.ts";

const STATUS_FACES = {
  online: {
    name: "status_online",
    tone: "online",
    shape:
      '<circle cx="8" cy="8" r="7" fill="currentColor" opacity=".22" stroke="none"/><circle cx="8" cy="8" r="3.6" fill="currentColor" stroke="none"/>',
  },
  degraded: {
    name: "status_degraded",
    tone: "degraded",
    shape: '<path d="M8 2.4 14.4 13.4H1.6zM8 6.6v3M8 11.5v.01"/>',
  },
  offline: {
    name: "status_offline",
    tone: "offline",
    shape: '<path d="M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"/>',
  },
  unknown: {
    name: "status_unknown",
    tone: "quiet",
    shape:
      '<circle cx="8" cy="8" r="6.2" stroke-dasharray="2.6 2.27"/><path d="M6.4 6.6a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.9.6-.9 1.2M8 11.3v.01"/>',
  },
  maintenance: {
    name: "status_maintenance",
    tone: "maintenance",
    shape:
      '<path d="M9.6 5.2a.7.7 0 0 0 0 .9l.4.4a.7.7 0 0 0 .9 0l2.6-2.6a4 4 0 0 1-5.2 5.2l-4.5 4.5a1.4 1.4 0 0 1-2-2l4.5-4.5a4 4 0 0 1 5.2-5.2z"/>',
  },
  inactive: {
    name: "status_inactive",
    tone: "quiet",
    shape: '<path d="M13.9 8.6A6 6 0 1 1 7.4 2.1a4.7 4.7 0 0 0 6.5 6.5z"/>',
  },
} as const satisfies Record<ShownStatus, object>;

/** Gets a game server's display; before its first measurement by the admin's setting. */
export const faceOf = (server: Pick<GameServer, "lifecycle">, row: LiveRow | undefined) =>
  STATUS_FACES[row?.status ?? UNMEASURED[server.lifecycle]];

/** Formats "12 / 60", or "12" without a known maximum; null if the number of players is unknown. */
export function countText(row: LiveRow | undefined, locale: Locale): string | null {
  if (row === undefined || row.user_online === null) return null;
  const number = new Intl.NumberFormat(locale);
  const online = number.format(row.user_online);
  return row.user_max === null ? online : `${online} / ${number.format(row.user_max)}`;
}
