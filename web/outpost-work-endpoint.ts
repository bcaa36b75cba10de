// Serves POST /api/outposts/work: an outpost sends its results and gets the game servers to poll (decision 040).
import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import type { Db } from "#db/client.ts";
import { findOutpost, makeNonce, startNonce, takeReport } from "#domain/outposts/outposts.ts";
import { createTargetReader, type TargetRules } from "#domain/outposts/targets.ts";
import {
  isOutpostToken,
  isSignedWork,
  MOST_REQUEST_BYTES,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  type WorkReplySent,
  workRequest,
} from "#domain/outposts/wire.ts";
import { fieldErrorsOf } from "./api/field-errors.ts";
import { problem, tooOften } from "./api/problem.ts";
import { bodyOf, limitBody } from "./request/limited-body.ts";
import { createRateLimits, ofAccount, ofAddress } from "./request/rate-limits.ts";
import { readVisit } from "./request/visit.ts";

/** The interval of an outpost's requests in ms: as fast as it learns of a game server in doubt, or that it was revoked. */
const NEXT_MS = 1_500;
const SOONEST_MS = 500;
const PER_TOKEN = { tries: 200, seconds: 60 };
const WRONG_PER_ADDRESS = { tries: 20, seconds: 60 };

/**
 * Makes the endpoint: 200 with the work, 400 not our shape, 401 no such token (any more), 409 not signed with the present
 * nonce, which is in the header, 413 too large, 429 too often, 503 database unavailable.
 * @param inPlace the step that takes a slot for database queries
 */
export function outpostWorkEndpoint(
  db: Db,
  rules: TargetRules,
  trustProxy: number,
  inPlace: MiddlewareHandler<{ Bindings: HttpBindings }>,
) {
  const limits = createRateLimits(db);
  const targets = createTargetReader(db, rules);
  const next_ms = Math.min(NEXT_MS, Math.max(SOONEST_MS, (rules.siteIntervalS * 1000) / 2));
  const app = new Hono<{ Bindings: HttpBindings; Variables: { began: number } }>();

  app.use("/", (c, next) => {
    c.set("began", performance.now());
    return next();
  });
  app.post(
    "/",
    limitBody(MOST_REQUEST_BYTES, (_, why) =>
      why === "slow" ? problem(408, "The body did not arrive in time.") : problem(413, "The body is too large."),
    ),
    inPlace,
    async (c) => {
      const guess = ofAddress("outpost", readVisit(c.env.incoming, trustProxy).ip, WRONG_PER_ADDRESS);
      const shut = await limits.waitFor(guess);
      if (shut !== null) return tooOften(shut);
      const token = /^Bearer (\S{1,200})$/.exec(c.req.header("Authorization") ?? "")?.[1] ?? "";
      const wait = isOutpostToken(token) ? await limits.consume([ofAccount("outpost", token, PER_TOKEN)]) : null;
      if (wait !== null) return tooOften(wait);
      const outpost = await findOutpost(db, token);
      if (outpost === null) {
        await limits.consume(guess);
        const headers = { "WWW-Authenticate": 'Bearer error="invalid_token"' };
        return problem(401, "No outpost has this token.", { headers });
      }
      const body = bodyOf(c) ?? new Uint8Array();
      const signed = (nonce: string) => isSignedWork(c.req.header(SIGNATURE_HEADER), token, nonce, body);
      if (outpost.nonce === null || !signed(outpost.nonce)) {
        return notSigned(outpost.nonce ?? (await startNonce(db, outpost.outpost_id)));
      }
      const request = workRequest.safeParse(readJson(body));
      if (!request.success) {
        return problem(400, "The report is not of the expected shape.", {
          errors: fieldErrorsOf(request.error.issues.slice(0, 10)),
        });
      }
      const list = await targets.read();
      const nonce = makeNonce();
      const waitedMs = performance.now() - c.get("began");
      const taken = await takeReport(db, outpost, { request: request.data, list, nextNonce: nonce, waitedMs });
      // Another request has used this nonce.
      if (taken === "used") return notSigned((await findOutpost(db, token))?.nonce ?? null);
      const reply: WorkReplySent = {
        nonce,
        list: list.version,
        targets: request.data.list === list.version ? null : list.targets,
        soon: await targets.readSoon(list),
        next_ms,
      };
      return c.json(reply, 200, { "Cache-Control": "no-store" });
    },
  );
  return app;
}

const notSigned = (nonce: string | null): Response =>
  problem(409, "The report is not signed with the present nonce.", {
    code: "nonce",
    headers: nonce === null ? {} : { [NONCE_HEADER]: nonce },
  });

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return null;
  }
}
