// Serves supervisors: /livez, whether this process is alive, and /readyz, whether it is ready.
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { environmentFor, readConfig } from "#config";
import type { Database } from "#db/client.ts";
import type { AppParts } from "./context.ts";
import { ALIVE, createReadinessCheck, READY } from "./health.ts";
import type { LiveHub } from "./live/hub.ts";
import { answerCheck } from "./pages/check-answer.ts";

/** Checks for a supervisor's request, which is always answered, in the site's turn. */
export const isSupervisor = ({ url = "/" }: IncomingMessage): boolean => {
  const [path] = url.split("?", 1);
  return path === ALIVE || path === READY;
};

/** Makes the endpoint. Readiness reads `stopping`, so that a balancer stops routing here before the first request is refused. */
export function healthEndpoint(
  database: Database,
  hub: LiveHub,
  parts: Pick<AppParts, "canWrite" | "secret">,
  options: { trustProxy: number; stopping: () => boolean },
) {
  const { stopping } = options;
  const checkReadiness = createReadinessCheck(database, { hub, canWrite: parts.canWrite, stopping });
  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  endpoint.get(ALIVE, (c) => {
    c.header("Cache-Control", "no-store");
    const site = { secret: parts.secret, trustProxy: options.trustProxy, env: () => environmentFor(readConfig()) };
    const answer = answerCheck(c.env.incoming, site);
    return answer ? c.json(answer) : c.text("ok");
  });
  endpoint.get(READY, async (c, next) => {
    // A proxy hides the address as it is written; as "/%72eadyz" it would pass.
    if (!isSupervisor(c.env.incoming)) return next();
    c.header("Cache-Control", "no-store");
    // Answers immediately: a balancer has to stop routing here before the first connection is refused, and a busy
    // database is slow.
    if (stopping()) return c.json({ ready: false, checks: { stopping: true } }, 503);
    const { ready, checks, cannot_write } = await checkReadiness();
    return c.json({ ready, checks, ...(cannot_write === null ? {} : { cannot_write }) }, ready ? 200 : 503);
  });
  return endpoint;
}
