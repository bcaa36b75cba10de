// Serves POST /live/waiting/ID: a browser with the page of an offline game server open reports every few seconds that its user
// waits.
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Db } from "#db/client.ts";
import { ANYBODY, type Watcher, waitFor, watcherAt } from "#domain/game-servers/waiting.ts";
import type { Members } from "../accounts/members.ts";
import { clientKeysOf, isUncountedProxy } from "../request/client-keys.ts";
import { limitBody } from "../request/limited-body.ts";
import { readVisit } from "../request/visit.ts";
import type { LiveHub } from "./hub.ts";

export const WAITING_PATH = "/live/waiting";

/** How long a report is valid in the database; browsers repeat it every eight seconds (`app/live/use-waiting.ts`). */
const HOLDS_S = 20;
/** After a report of this process the game server needs no further one for this long, however many wait. */
const SAID_AGAIN_MS = 10_000;
/** Refused watchers are not looked up again for this long; this many are remembered at a time. */
const REFUSED_MS = 5_000;
const MOST_REFUSED = 10_000;

type Env = { Bindings: HttpBindings };

/** Makes the endpoint: 200 with whether it is now polled more often, 404 if not visible, 503 while the database is unavailable. */
export function waitingEndpoint(db: Db, hub: LiveHub, members: Members, trustProxy: number): Hono<Env> {
  /** By game server, and by watcher, until when (steady ms). */
  const said = new Map<number, number>();
  const refused = new Map<string, number>();
  const app = new Hono<Env>();

  /** A process writes at most every ten seconds per game server, and queries at most every five per refused watcher. */
  async function isGranted(serverId: number, watcher: Watcher): Promise<boolean> {
    const now = performance.now();
    if ((said.get(serverId) ?? 0) > now) return true;
    if ((refused.get(watcher.name) ?? 0) > now) return false;
    // Before the reply, so that requests meanwhile need not write as well.
    said.set(serverId, now + SAID_AGAIN_MS);
    try {
      if ((await waitFor(db, [serverId], HOLDS_S, watcher)).includes(serverId)) return true;
      said.delete(serverId);
    } catch (error) {
      said.delete(serverId);
      throw error;
    }
    if (refused.size >= MOST_REFUSED) refused.clear();
    refused.set(watcher.name, now + REFUSED_MS);
    return false;
  }

  app.post(
    "/:id{[1-9][0-9]{0,9}}",
    limitBody(0, (c) => c.body(null, 413)),
    async (c) => {
      const id = Number(c.req.param("id"));
      const isOpen = (one: { server_id: number }) => one.server_id === id;
      let site = hub.read("public");
      // The member matters only if visitors may not see it.
      if (!site.gameServers.some(isOpen) && (await members.find(c.req.header("Cookie")))) site = hub.read("members");
      if (!site.gameServers.some(isOpen)) return c.json({ waiting: false }, 404);
      const status = site.live.find(isOpen)?.status;
      const { ip } = readVisit(c.env.incoming, trustProxy);
      // A whole /48 is one watcher: what its neighbours already watch is free.
      const watcher = isUncountedProxy(ip) ? ANYBODY : watcherAt(clientKeysOf(ip).network);
      const waiting = (status === "offline" || status === "degraded") && (await isGranted(id, watcher));
      return c.json({ waiting }, 200, { "Cache-Control": "no-store" });
    },
  );
  return app;
}
