// Builds messages for services (docs/notifications.md describes the event as webhooks get it).
import type { ServiceEvent, ServiceMessage } from "#outside/channels/service.ts";
import type { ClaimedDelivery } from "./channel.ts";

type Notified = Pick<ClaimedDelivery, "delivery_id" | "event" | "telling">;

/**
 * Builds a delivery's message; without an event, a test. Its id is the same for every attempt. `origin`: of the site, without a
 * slash at the end.
 */
export function serviceMessage({ delivery_id, event, telling }: Notified, origin: string, nowMs = Date.now()) {
  const made = event ? eventOf(event, telling, origin) : testEvent(origin, nowMs);
  const { title, text, url } = made.data;
  return {
    id: `msg_${delivery_id}`,
    timestampS: Math.floor(nowMs / 1000),
    title: title ?? made.type,
    text: text ?? "",
    url,
    event: made,
  } satisfies ServiceMessage;
}

type Made = ServiceEvent & { data: { title: string | null; text: string | null; url: string | null } };

function eventOf(event: NonNullable<Notified["event"]>, telling: Notified["telling"], origin: string): Made {
  const { server_id, server_name, game_id, game_name, game_slug } = event;
  return {
    type: event.kind,
    timestamp: event.happened_at.toISOString(),
    data: {
      event_id: event.event_id,
      server: server_id === null ? null : { id: server_id, name: server_name, url: `${origin}/servers/${server_id}` },
      game:
        game_id === null
          ? null
          : { id: game_id, name: game_name, url: game_slug === null ? null : `${origin}/games/${game_slug}` },
      subject_id: event.subject_id,
      facts: event.facts,
      title: telling?.title ?? null,
      text: telling?.body ?? null,
      url: telling ? `${origin}${telling.path}` : null,
    },
  };
}

const testEvent = (origin: string, nowMs: number): Made => ({
  type: "test",
  timestamp: new Date(nowMs).toISOString(),
  data: {
    event_id: null,
    server: null,
    game: null,
    subject_id: null,
    facts: {},
    title: "Test message",
    text: "This channel works.",
    url: `${origin}/admin/notifications`,
  },
});
