// Exchanges what browsers' scripts need to log in with a passkey, or to add one. The challenge waits in the browser, sealed, so
// that requesting one writes nothing.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { z } from "zod";
import {
  CHALLENGE_S,
  consumeLogin,
  consumeRegistration,
  loginOptions,
  registrationOptions,
} from "#domain/accounts/passkey-ceremonies.ts";
import { findMemberByToken, type Member } from "#domain/accounts/sessions.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import type { AppParts } from "../context.ts";
import { ofAddress } from "../request/rate-limits.ts";
import { readVisit } from "../request/visit.ts";
import { beginSession } from "./begin-session.ts";
import { readSealedCookie, readSessionToken, setCookie, setSealedCookie } from "./cookies.ts";

/** A browser's data about a passkey has some kilobytes. */
export const MAX_BODY_BYTES = 64 * 1024;
const MOST_NAME = 60;

const bytes = z.base64url().min(1).max(MAX_BODY_BYTES);
const credential = <Response extends z.ZodType>(response: Response) =>
  z.object({
    id: bytes,
    rawId: bytes,
    type: z.literal("public-key"),
    authenticatorAttachment: z.enum(["cross-platform", "platform"]).optional().catch(undefined),
    clientExtensionResults: z.object({}).default({}),
    response,
  });
/** The output of a browser's `PublicKeyCredential.toJSON()` (WebAuthn 3, 5.1). Nothing else reaches the library. */
const registration = z.object({
  name: z.string().optional(),
  response: credential(
    z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: z.array(z.string().max(20)).max(10).default([]),
    }),
  ),
});
const login = z.object({
  response: credential(
    z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes.optional() }),
  ),
});

type C = Context<{ Bindings: HttpBindings }>;
/** The cookies in which challenges wait. */
const LOGIN = "passkey_login";
const REGISTRATION = "passkey_new";
type Challenge = { challenge: string; user_id: string | null };

/** Makes the endpoints, below `/api/auth/passkey`. */
export function passkeyEndpoints(app: AppParts, trustProxy: number) {
  const endpoints = new Hono<{ Bindings: HttpBindings }>();
  const visitOf = (c: C) => readVisit(c.env.incoming, trustProxy);
  const originOf = (c: C) => app.addresses.linkOrigin(c.env.incoming);
  const refused = (c: C, status: 401 | 403 = 401) => c.json({ error: "The passkey was not accepted." }, status);

  async function findMember(c: C): Promise<Member | null> {
    const token = readSessionToken(c.req.header("Cookie"), app.siteUrl);
    return token === null ? null : findMemberByToken(app.db, token);
  }

  /** Answers with options, and stores their challenge in the browser. */
  function offer<Options extends { challenge: string }>(c: C, name: string, user_id: string | null, options: Options) {
    const facts: Challenge = { challenge: options.challenge, user_id };
    c.header("Set-Cookie", setSealedCookie(app, name, facts, CHALLENGE_S));
    return c.json(options);
  }

  /** Takes the challenge from the browser, which keeps none. */
  function takeChallenge(c: C, name: string): Challenge | null {
    c.header("Set-Cookie", setCookie(app.siteUrl, name, "", 0));
    return readSealedCookie<Challenge>(app, c.req.header("Cookie"), name);
  }

  endpoints.use(async (c, next) => {
    const wait = await app.limits.consume(ofAddress("passkey", visitOf(c).ip, { tries: 60, seconds: 15 * 60 }));
    if (wait === null) return next();
    c.header("Retry-After", String(wait));
    return c.json({ error: `Too many tries. Please wait ${wait} seconds.` }, 429);
  });

  endpoints.get("/generate-authenticate-options", async (c) => {
    const member = await findMember(c);
    const site = { origin: originOf(c), name: "" };
    return offer(c, LOGIN, null, await loginOptions(app.db, site, member?.user_id ?? null));
  });

  endpoints.post("/verify-authentication", async (c) => {
    const posted = readPosted(login, await c.req.text());
    if (!posted) return invalid(c);
    const kept = takeChallenge(c, LOGIN);
    const userId = kept && (await consumeLogin(app.db, { origin: originOf(c) }, kept.challenge, posted.response));
    if (!userId) return refused(c);
    const signedIn = await beginSession(app, c.req.raw, visitOf(c), {
      user_id: userId,
      by: "passkey",
      two_factors: true,
    });
    if (!signedIn.ok) return refused(c, 403);
    for (const cookie of signedIn.headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    return c.json({ ok: true });
  });

  // For a member who has just confirmed their identity.
  endpoints.get("/generate-register-options", async (c) => {
    const member = await findMember(c);
    if (!member?.fresh) return refused(c, member ? 403 : 401);
    const { site_name: name } = await readSiteSettings(app.db);
    return offer(
      c,
      REGISTRATION,
      member.user_id,
      await registrationOptions(app.db, { origin: originOf(c), name }, member),
    );
  });

  endpoints.post("/verify-registration", async (c) => {
    const posted = readPosted(registration, await c.req.text());
    if (!posted) return invalid(c);
    const member = await findMember(c);
    if (!member?.fresh) return refused(c, member ? 403 : 401);
    const kept = takeChallenge(c, REGISTRATION);
    if (kept?.user_id !== member.user_id) return refused(c);
    const passkeyId = await consumeRegistration(
      app.db,
      { origin: originOf(c) },
      { user_id: member.user_id, origin: visitOf(c) },
      { challenge: kept.challenge, response: posted.response, name: posted.name?.trim().slice(0, MOST_NAME) || null },
    );
    return passkeyId === null ? refused(c) : c.json({ passkey_id: passkeyId });
  });
  return endpoints;
}

const invalid = (c: C) => c.json({ error: "This is not what a browser says of a passkey." }, 400);

/** Parses the posted body without unknown fields; null: invalid. */
function readPosted<Shape extends z.ZodType>(shape: Shape, text: string): z.output<Shape> | null {
  try {
    return shape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
