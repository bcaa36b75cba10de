// Serves POST /api/v1/heartbeat: a game machine reports itself, with the bearer token of its game server.
import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import type { Db } from "#db/client.ts";
import { heartbeatShape, recordHeartbeat } from "#domain/game-servers/heartbeats.ts";
import { limitBody } from "../request/limited-body.ts";
import { createRateLimits, ofAccount, ofAddress } from "../request/rate-limits.ts";
import { readVisit } from "../request/visit.ts";
import { fieldErrorsOf } from "./field-errors.ts";
import { problem, tooOften } from "./problem.ts";

const MAX_BODY_BYTES = 4 * 1024;
const PER_TOKEN = { tries: 30, seconds: 60 };
const WRONG_PER_ADDRESS = { tries: 20, seconds: 60 };

/**
 * Makes the endpoint: 204 stored, 400 not our shape, 401 no such token, 413 too large, 429 too often, 503 database
 * unavailable.
 * @param inPlace the step that takes a slot for database queries
 */
export function heartbeatEndpoint(
  db: Db,
  trustProxy: number,
  inPlace: MiddlewareHandler<{ Bindings: HttpBindings }>,
): Hono<{ Bindings: HttpBindings }> {
  const limits = createRateLimits(db);
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.post(
    "/",
    limitBody(MAX_BODY_BYTES, (_, why) =>
      why === "slow" ? problem(408, "The body did not arrive in time.") : problem(413, "The body is larger than 4 KB."),
    ),
    inPlace,
    async (c) => {
      const guess = ofAddress("heartbeat", readVisit(c.env.incoming, trustProxy).ip, WRONG_PER_ADDRESS);
      const shut = await limits.waitFor(guess);
      if (shut !== null) return tooOften(shut);
      const token = /^Bearer ([\w.~+/-]{20,200}=*)$/.exec(c.req.header("Authorization") ?? "")?.[1];
      if (!token) {
        await limits.consume(guess);
        const headers = { "WWW-Authenticate": "Bearer" };
        return problem(401, "A heartbeat needs the bearer token of its game server.", { headers });
      }
      const body = heartbeatShape.safeParse(await c.req.json().catch(() => null));
      if (!body.success) {
        return problem(400, "The heartbeat is not of the expected shape.", {
          errors: fieldErrorsOf(body.error.issues),
        });
      }
      const wait = await limits.consume([ofAccount("heartbeat", token, PER_TOKEN)]);
      if (wait !== null) return tooOften(wait);
      if (!(await recordHeartbeat(db, token, body.data))) {
        await limits.consume(guess);
        const headers = { "WWW-Authenticate": 'Bearer error="invalid_token"' };
        return problem(401, "No game server has this token.", { headers });
      }
      return c.body(null, 204);
    },
  );
  return app;
}
