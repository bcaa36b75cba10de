// POST /api/v1/heartbeat: a game machine reports itself, with the bearer token of its game server.
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Db } from "#db/client.ts";
import { heartbeatShape, recordHeartbeat } from "#domain/heartbeats.ts";
import { createRateLimits, ofAccount, ofAddress } from "./rate-limits.ts";
import { readVisit } from "./visit.ts";

const MAX_BODY_BYTES = 4 * 1024;
const PER_TOKEN = { tries: 30, seconds: 60 };
const WRONG_PER_ADDRESS = { tries: 20, seconds: 60 };

/** The endpoint: 204 stored, 400 not our shape, 401 no such token, 413 too large, 429 too often, 503 database away. */
export function heartbeatEndpoint(db: Db, trustProxy: number): Hono<{ Bindings: HttpBindings }> {
  const limits = createRateLimits(db);
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.post(
    "/",
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json({ error: "The body is larger than 4 KB." }, 413) }),
    async (c) => {
      const guess = ofAddress("heartbeat", readVisit(c.env.incoming, trustProxy).ip, WRONG_PER_ADDRESS);
      const shut = await limits.waitFor(guess);
      if (shut !== null) return tooOften(shut);
      const token = /^Bearer ([\w.~+/-]{20,200}=*)$/.exec(c.req.header("Authorization") ?? "")?.[1];
      if (!token) {
        await limits.charge([guess]);
        c.header("WWW-Authenticate", "Bearer");
        return c.json({ error: "A heartbeat needs the bearer token of its game server." }, 401);
      }
      const body = heartbeatShape.safeParse(await c.req.json().catch(() => null));
      if (!body.success) {
        const fields = body.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
        return c.json({ error: "The heartbeat is not of the expected shape.", fields }, 400);
      }
      const wait = await limits.charge([ofAccount("heartbeat", token, PER_TOKEN)]);
      if (wait !== null) return tooOften(wait);
      if (!(await recordHeartbeat(db, token, body.data))) {
        await limits.charge([guess]);
        c.header("WWW-Authenticate", 'Bearer error="invalid_token"');
        return c.json({ error: "No game server has this token." }, 401);
      }
      return c.body(null, 204);

      function tooOften(seconds: number) {
        c.header("Retry-After", String(seconds));
        return c.json({ error: "Too many heartbeats. One in ten seconds is plenty." }, 429);
      }
    },
  );
  return app;
}
