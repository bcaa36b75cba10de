// POST /live/waiting/ID: a page of a game server that is down is open in front of somebody, and says so every few seconds.
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

/** How long a word of a browser holds in the database; it comes again every eight seconds (`app/live/use-waiting.ts`). */
const HOLDS_S = 20;
/** A game server that this process has said so of stays as it is for this long, however many look at it. */
const SAID_AGAIN_MS = 10_000;
/** Who was refused is not looked up again for this long; no more of them are remembered at a time. */
const REFUSED_MS = 5_000;
const MOST_REFUSED = 10_000;

type Env = { Bindings: HttpBindings };

/** The endpoint: 200 with whether it is asked more often now, 404 for whom it does not exist, 503 while the database is away. */
export function waitingEndpoint(db: Db, hub: LiveHub, members: Members, trustProxy: number): Hono<Env> {
  /** By game server, and by watcher, until when (steady ms). */
  const said = new Map<number, number>();
  const refused = new Map<string, number>();
  const app = new Hono<Env>();

  /** One process writes at most once in ten seconds of a game server, and asks at most once in five for who is refused. */
  async function isGranted(serverId: number, watcher: Watcher): Promise<boolean> {
    const now = performance.now();
    if ((said.get(serverId) ?? 0) > now) return true;
    if ((refused.get(watcher.name) ?? 0) > now) return false;
    // Before the answer: who comes meanwhile need not write as well.
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
      // Who it is matters only where not everybody may see it.
      if (!site.gameServers.some(isOpen) && (await members.find(c.req.header("Cookie")))) site = hub.read("members");
      if (!site.gameServers.some(isOpen)) return c.json({ waiting: false }, 404);
      const status = site.live.find(isOpen)?.status;
      const { ip } = readVisit(c.env.incoming, trustProxy);
      // A whole /48 is one: what its neighbours watch already is free for them.
      const watcher = isUncountedProxy(ip) ? ANYBODY : watcherAt(clientKeysOf(ip).network);
      const waiting = (status === "offline" || status === "degraded") && (await isGranted(id, watcher));
      return c.json({ waiting }, 200, { "Cache-Control": "no-store" });
    },
  );
  return app;
}
