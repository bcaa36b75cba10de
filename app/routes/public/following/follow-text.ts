// Describes a follow: subject, and when to notify.
import type { FollowKind } from "#shared/push.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";

const WHEN: Record<FollowKind, (threshold: string) => string> = {
  server_up: () => m.following_server_up(),
  seat_free: () => m.following_seat_free(),
  players_reached: (count) => m.following_players_reached({ count }),
  plan_soon: () => m.following_plan_soon(),
  news: () => m.following_news(),
  server_down: () => m.following_server_down(),
};

/** "when it is back up" */
export const whenText = ({ kind, threshold }: { kind: FollowKind; threshold: number | null }): string =>
  WHEN[kind](formatNumber(threshold ?? 0));

/** Name of the subject; it may be hidden or deleted by now. */
export const aboutText = (about: { name: string | null; server_id: number | null; game_id: number | null }): string =>
  about.name ?? (about.server_id === null && about.game_id === null ? m.following_site() : m.following_hidden());
