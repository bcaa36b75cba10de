// Serves the account library's few addresses for browsers: passkeys, which need script, and sign-in with Discord. Only the site's
// own actions call the rest of the library.

import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import { findMemberByToken, findSessionOwner, hashToken } from "#domain/sign-in/sessions.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import { addressIn, localeAt } from "#shared/locale.ts";
import type { AppParts } from "../context.ts";
import { limitBody, type RefuseBody } from "../request/limited-body.ts";
import { nextPage } from "../request/next-page.ts";
import { ofAddress } from "../request/rate-limits.ts";
import { readVisit, type Visit } from "../request/visit.ts";
import { cookieName, NOT_VERIFIED } from "./auth.ts";
import { afterSignIn, endSessionBefore, libraryHeaders } from "./auth-actions.ts";
import { withVisit } from "./auth-store.ts";
import { readSessionToken } from "./members.ts";

const PASSKEYS = {
  "GET generate-authenticate-options": "options",
  "POST verify-authentication": "sign-in",
  "GET generate-register-options": "options",
  "POST verify-registration": "registration",
} as const;

/** A browser's data about a passkey has some kilobytes. */
const MAX_BODY_BYTES = 64 * 1024;
const MOST_NAME = 60;

const bytes = z.base64url().min(1).max(MAX_BODY_BYTES);
const credential = <Response extends z.ZodType>(response: Response) =>
  z.object({
    id: bytes,
    rawId: bytes,
    type: z.literal("public-key"),
    authenticatorAttachment: z.string().max(40).nullish(),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
    response,
  });
/** The output of a browser's `PublicKeyCredential.toJSON()` (WebAuthn 3, 5.1). Nothing else reaches the library. */
const POSTED = {
  registration: z.object({
    name: z.string().optional(),
    response: credential(
      z.object({
        clientDataJSON: bytes,
        attestationObject: bytes,
        transports: z.array(z.string().max(20)).max(10).default([]),
      }),
    ),
  }),
  "sign-in": z.object({
    response: credential(
      z.object({
        clientDataJSON: bytes,
        authenticatorData: bytes,
        signature: bytes,
        userHandle: bytes.nullish(),
      }),
    ),
  }),
};

/**
 * Makes the endpoints, below `/api/auth`. `inPlace` is the step that takes a slot for database work.
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
  // Except Discord's callback: it waits for another site, and would delay other clients' forms.
  for (const path of ["/passkey/*", "/discord/*"]) endpoints.use(path, inPlace);

  endpoints.all("/passkey/:act", async (c) => {
    const kind = PASSKEYS[`${c.req.method} ${c.req.param("act")}` as keyof typeof PASSKEYS];
    if (!kind) return c.json({ error: "There is nothing at this address." }, 404);
    const visit = readVisit(c.env.incoming, trustProxy);
    const wait = await app.limits.consume(ofAddress("passkey", visit.ip, { tries: 60, seconds: 15 * 60 }));
    if (wait !== null) {
      c.header("Retry-After", String(wait));
      return c.json({ error: `Too many tries. Please wait ${wait} seconds.` }, 429);
    }
    const posted = kind === "options" ? null : readPosted(POSTED[kind], await c.req.raw.text());
    if (posted === undefined) return c.json({ error: "This is not what a browser says of a passkey." }, 400);
    const answer = await withVisit(visit, () => askLibrary(app, c.env.incoming, c.req.raw, visit, posted));
    const failed = answer.status >= 500 && !(await answer.clone().text()).includes(NOT_VERIFIED);
    if (failed) return c.json({ error: "Passkeys do not work right now. Please try again later." }, 503);
    if (!answer.ok) return c.json({ error: "The passkey was not accepted." }, answer.status === 403 ? 403 : 401);
    const body = await answer.json();
    for (const cookie of answer.headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    // The library knows the name that the site had when this process started.
    if (body.rp) body.rp.name = (await readSiteSettings(app.db)).site_name;
    if (kind === "options") return c.json(body);
    if (kind === "registration") return c.json({ passkey_id: body.id });
    // The library's response contains the session's token, which scripts must not see.
    const headers = new Headers();
    await afterSignIn(app, c.req.raw, visit, headers, body.user, "passkey");
    for (const cookie of headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    return c.json({ ok: true });
  });

  // Both ways to Discord begin with a form: the cross-site check refuses other sites' forms earlier (web/request/cross-site.ts).
  endpoints.post("/discord", async (c) => {
    if (!app.discord) return c.json({ error: "There is nothing at this address." }, 404);
    const next = nextPage(c.req.query("next") ?? null);
    const origin = app.addresses.linkOrigin(c.env.incoming);
    const { headers, response } = await app.authAt(origin).api.signInSocial({
      body: { provider: "discord", callbackURL: origin + next, errorCallbackURL: `${origin}/login/` },
      headers: libraryHeaders(c.req.raw, readVisit(c.env.incoming, trustProxy)),
      returnHeaders: true,
    });
    for (const cookie of headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    return c.redirect(String(response.url), 303);
  });

  // For a member who has just confirmed their identity.
  endpoints.post("/discord/link", async (c) => {
    if (!app.discord) return c.json({ error: "There is nothing at this address." }, 404);
    const next = nextPage(c.req.query("next") ?? null);
    const token = readSessionToken(c.req.header("Cookie"), app.siteUrl);
    const member = token === null ? null : await findMemberByToken(app.db, token);
    if (!member?.fresh) {
      const path = `${member ? "/user/reauthenticate" : "/login/"}?next=${encodeURIComponent(next)}`;
      return c.redirect(addressIn(localeAt(next), path), 303);
    }
    const origin = app.addresses.linkOrigin(c.env.incoming);
    const back = (outcome: string) => origin + withOutcome(next, outcome);
    const { headers, response } = await app.authAt(origin).api.linkSocialAccount({
      body: {
        provider: "discord",
        callbackURL: back("linked"),
        errorCallbackURL: back("refused"),
        // Discord shows which of its accounts this is, and requires consent.
        additionalParams: { prompt: "consent" },
      },
      headers: libraryHeaders(c.req.raw, readVisit(c.env.incoming, trustProxy)),
      returnHeaders: true,
    });
    for (const cookie of headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    return c.redirect(response.url, 303);
  });

  // The one address that signs in by GET, as OAuth requires: the state in the cookie ties it to this browser.
  endpoints.get("/callback/discord", async (c) => {
    if (!app.discord) return c.json({ error: "There is nothing at this address." }, 404);
    const visit = readVisit(c.env.incoming, trustProxy);
    // An invented code makes the site query Discord, which refuses a site with too many invalid requests.
    const wait = await app.limits.consume(ofAddress("discord", visit.ip, { tries: 60, seconds: 15 * 60 }));
    if (wait !== null) return c.redirect("/login/?refused=discord");
    const before = readSessionToken(c.req.header("Cookie"), app.siteUrl);
    const answer = await withVisit({ ...visit, token: before }, () =>
      askLibrary(app, c.env.incoming, c.req.raw, visit),
    );
    for (const cookie of answer.headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    const to = answer.headers.get("Location");
    const marks = answer.headers
      .getSetCookie()
      .filter((line) => line.startsWith(cookieName(app.siteUrl, "second_step")));
    if (marks.length > 0) {
      await endSessionBefore(app, c.req.raw);
      return c.redirect(
        `/two-factor?next=${encodeURIComponent(nextPage(to?.slice(app.addresses.linkOrigin(c.env.incoming).length) ?? null))}`,
      );
    }
    const token = /spawnpoint_session=([^.;]+)/.exec(answer.headers.getSetCookie().join("\n"))?.[1];
    // The reason is not shown: it would reveal whether the address has an account.
    if (!token || !to) {
      const { pathname, searchParams } = new URL(to ?? "/", app.addresses.linkOrigin(c.env.incoming));
      const outcome = searchParams.get("discord");
      return c.redirect(outcome ? withOutcome(pathname, outcome) : "/login/?refused=discord");
    }
    const user = await findSessionOwner(app.db, hashToken(decodeURIComponent(token)));
    if (user) {
      const headers = new Headers();
      await afterSignIn(app, c.req.raw, visit, headers, user, "discord");
      for (const cookie of headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    }
    return c.redirect(to);
  });
  return endpoints;
}

/** Gets the page that started linking an account, with the outcome. */
const withOutcome = (path: string, outcome: string) =>
  `${new URL(path, "http://page.invalid").pathname}?discord=${encodeURIComponent(outcome)}`;

async function askLibrary(
  app: AppParts,
  incoming: IncomingMessage,
  request: Request,
  visit: Visit,
  posted: unknown = null,
): Promise<Response> {
  const url = new URL(request.url);
  const headers = libraryHeaders(request, visit);
  // The cross-site check has passed; the library compares the site's own address as this browser knows it.
  const origin = app.addresses.linkOrigin(incoming);
  headers.set("Origin", origin);
  headers.set("Content-Type", "application/json");
  const body = posted === null ? null : JSON.stringify(posted);
  return app
    .authAt(origin)
    .handler(new Request(origin + url.pathname + url.search, { method: request.method, headers, body }));
}

/** Parses the posted body without unknown fields, and cuts a key's name to what a list can show; undefined: invalid. */
function readPosted(shape: (typeof POSTED)[keyof typeof POSTED], text: string): unknown {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { data } = shape.safeParse(given);
  return data && "name" in data && data.name !== undefined ? { ...data, name: data.name.slice(0, MOST_NAME) } : data;
}
