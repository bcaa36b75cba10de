// Serves the addresses below `/api/auth`: passkeys, which need script, and logins with other sites. Everything else about accounts
// is a form of a page.
import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import type { AppParts } from "../context.ts";
import { limitBody, type RefuseBody } from "../request/limited-body.ts";
import { MAX_BODY_BYTES, passkeyEndpoints } from "./passkey-endpoints.ts";
import { addProvider } from "./provider-endpoints.ts";

/**
 * Makes the endpoints. `inPlace` is the step that takes a slot for database work.
 * @param refuseBody answers a body that is too large
 */
export function authEndpoints(
  app: AppParts,
  trustProxy: number,
  refuseBody: RefuseBody,
  inPlace: MiddlewareHandler<{ Bindings: HttpBindings }>,
) {
  const endpoints = new Hono<{ Bindings: HttpBindings }>();
  endpoints.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
  });
  endpoints.use(limitBody(MAX_BODY_BYTES, refuseBody));
  // Only where the database alone is asked: waiting for another site would delay other clients' forms.
  for (const path of ["/passkey/*", ...app.providers.map(({ id }) => `/${id}/link`)]) endpoints.use(path, inPlace);
  endpoints.route("/passkey", passkeyEndpoints(app, trustProxy));
  for (const provider of app.providers) addProvider(endpoints, app, provider, trustProxy);
  return endpoints;
}
