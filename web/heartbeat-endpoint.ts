// POST /api/v1/heartbeat: a game machine reports itself, with the bearer token of its game server.
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { Db } from "#db/client.ts";
import { heartbeatShape, recordHeartbeat } from "#domain/heartbeats.ts";
import { limitedAddress, readVisit } from "./visit.ts";

const MAX_BODY_BYTES = 4 * 1024;

/** The endpoint: 204 stored, 400 not our shape, 401 no such token, 413 too large, 429 too often, 503 database away. */
export function heartbeatEndpoint(db: Db, trustProxy: number): Hono<{ Bindings: HttpBindings }> {
  const perToken = new RateLimiterMemory({ points: 30, duration: 60 });
  const wrongPerAddress = new RateLimiterMemory({ points: 20, duration: 60 });
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.post(
    "/",
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json({ error: "The body is larger than 4 KB." }, 413) }),
    async (c) => {
      const address = limitedAddress(readVisit(c.env.incoming, trustProxy).ip);
      const wrong = await wrongPerAddress.get(address);
      if (wrong && wrong.remainingPoints <= 0) return tooOften(wrong.msBeforeNext);
      const token = /^Bearer ([\w.~+/-]{20,200}=*)$/.exec(c.req.header("Authorization") ?? "")?.[1];
      if (!token) {
        await wrongPerAddress.consume(address).catch(() => null);
        c.header("WWW-Authenticate", "Bearer");
        return c.json({ error: "A heartbeat needs the bearer token of its game server." }, 401);
      }
      const body = heartbeatShape.safeParse(await c.req.json().catch(() => null));
      if (!body.success) {
        const fields = body.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
        return c.json({ error: "The heartbeat is not of the expected shape.", fields }, 400);
      }
      const refused = await perToken.consume(token).then(
        () => null,
        (limit: RateLimiterRes) => limit,
      );
      if (refused) return tooOften(refused.msBeforeNext);
      if (!(await recordHeartbeat(db, token, body.data))) {
        await wrongPerAddress.consume(address).catch(() => null);
        c.header("WWW-Authenticate", 'Bearer error="invalid_token"');
        return c.json({ error: "No game server has this token." }, 401);
      }
      return c.body(null, 204);

      function tooOften(ms: number) {
        c.header("Retry-After", String(Math.ceil(ms / 1000)));
        return c.json({ error: "Too many heartbeats. One in ten seconds is plenty." }, 429);
      }
    },
  );
  return app;
}
