// Texts for a channel's state and kind.
import { m } from "../../../paraglide/messages.js";

export function stateText(channel: { dead: boolean; failing: boolean; last_sent_at: string | null }): string {
  if (channel.dead) return m.admin_notify_channel_dead();
  if (channel.failing) return m.admin_notify_channel_failing();
  return channel.last_sent_at === null ? m.admin_notify_channel_new() : m.admin_notify_channel_fine();
}

/** @param service the service's name; null: a kind of ours */
export const kindText = (kind: string, service: string | null): string =>
  service ?? (kind === "discord" ? m.admin_discord() : m.admin_notify_mailbox());
