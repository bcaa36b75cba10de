// Serves POST /live/shows: changes the topics of a browser's stream without reconnecting it.
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import type { Database } from "#db/client.ts";
import { MOST_TOPICS_LENGTH, readTopics } from "#shared/live/live-topics.ts";
import { CLIENTS_OF_NETWORK, clientKeysOf } from "../request/client-keys.ts";
import { limitBody } from "../request/limited-body.ts";
import { readVisit } from "../request/visit.ts";
import type { LiveStream } from "./stream.ts";

export const SHOWS_PATH = "/live/shows";
/** Forwards a change to the process that holds the stream. */
const CHANNEL = "live_shows";

const MAX_BODY_BYTES = 8 * 1024;
/** How many changes one client, and all together, may have forwarded in this time. */
const PASSED_WITHIN_MS = 10_000;
const MOST_OF_CLIENT = 200;
const MOST_PASSED = 2_000;

const shape = z.strictObject({
  stream: z.string().regex(/^[\w-]{22}$/),
  shows: z.string().max(MOST_TOPICS_LENGTH),
  since: z.string().max(100).nullable(),
  turn: z.int().min(1),
  whole: z.boolean(),
});

type Env = { Bindings: HttpBindings };

/**
 * Makes the endpoint: 204 if this process holds the stream, 202 if the change was forwarded to the others, 429 for too many
 * changes, or more topics than one address may have, 503 while the database, which forwards, is unavailable. A browser without an
 * echo in its stream opens a new one.
 */
export function showsEndpoint({ sql }: Pick<Database, "sql">, live: LiveStream, trustProxy: number): Hono<Env> {
  let passed = { since: performance.now(), all: 0, byKey: new Map<string, number>() };

  function mayPass(ip: string): boolean {
    const now = performance.now();
    if (now - passed.since > PASSED_WITHIN_MS) passed = { since: now, all: 0, byKey: new Map() };
    const { client, network } = clientKeysOf(ip);
    const countOf = (key: string) => passed.byKey.get(key) ?? 0;
    if (countOf(client) >= MOST_OF_CLIENT || countOf(network) >= MOST_OF_CLIENT * CLIENTS_OF_NETWORK) return false;
    if (passed.all >= MOST_PASSED) return false;
    for (const key of new Set([client, network])) passed.byKey.set(key, countOf(key) + 1);
    passed.all += 1;
    return true;
  }

  const app = new Hono<Env>();
  app.post(
    "/",
    limitBody(MAX_BODY_BYTES, (c) => c.body(null, 413)),
    async (c) => {
      c.header("Cache-Control", "no-store");
      const asked = readAsked(await c.req.text());
      if (!asked) return c.body(null, 400);
      const done = live.show(asked.stream, asked);
      if (done === "often") return c.body(null, 429, { "Retry-After": "5" });
      if (done === "full") return c.body(null, 429, { "Retry-After": "10" });
      if (done === "shown") return c.body(null, 204);
      if (!mayPass(readVisit(c.env.incoming, trustProxy).ip)) return c.body(null, 429, { "Retry-After": "5" });
      const { stream, topics, since, turn, whole } = asked;
      try {
        const message = JSON.stringify({ stream, shows: topics.join(), since, turn, whole });
        await sql`SELECT pg_notify(${CHANNEL}, ${message})`;
      } catch {
        return c.body(null, 503, { "Retry-After": "1" });
      }
      return c.body(null, 202);
    },
  );
  return app;
}

/** Applies changes from other processes to the streams of this one. */
export function followShows({ listen }: Pick<Database, "listen">, live: LiveStream) {
  return listen(CHANNEL, (text) => {
    const asked = readAsked(text);
    if (asked) live.show(asked.stream, asked);
  });
}

function readAsked(text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = shape.safeParse(value);
  if (!read.success) return null;
  const { shows, ...asked } = read.data;
  const topics = readTopics(shows);
  return topics && { ...asked, topics };
}
