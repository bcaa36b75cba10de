// Builds webhook messages (docs/notifications.md describes them): the event, its subject, and the text for people.
import type { ClaimedDelivery } from "./channel.ts";

type Said = Pick<ClaimedDelivery, "delivery_id" | "event" | "telling">;

/** Builds a delivery's message as JSON. Its id is the same for every attempt. `origin`: of the site, without a slash at the end. */
export function webhookMessage({ delivery_id, event, telling }: Said, origin: string, nowMs = Date.now()) {
  const timestampS = Math.floor(nowMs / 1000);
  const id = `msg_${delivery_id}`;
  if (!event) return { id, timestampS, body: testBody(origin, nowMs) };
  const { server_id, server_name, game_id, game_name, game_slug } = event;
  const body = {
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
  return { id, timestampS, body: JSON.stringify(body) };
}

/** A test message in the same shape. */
const testBody = (origin: string, nowMs: number): string =>
  JSON.stringify({
    type: "test",
    timestamp: new Date(nowMs).toISOString(),
    data: {
      event_id: null,
      server: null,
      game: null,
      subject_id: null,
      facts: {},
      title: "A test",
      text: "Somebody pressed the button.",
      url: `${origin}/admin/notifications`,
    },
  });
