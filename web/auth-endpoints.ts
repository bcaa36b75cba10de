// The few addresses of the account library that a browser may call: passkeys, which need script, and Discord's way in.
// Everything else of it is called by our own actions alone.
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { recordAudit } from "#domain/audit.ts";
import { findSessionOwner, hashToken } from "#domain/sessions.ts";
import { readSiteSettings } from "#domain/site-settings.ts";
import { cookieName } from "./auth.ts";
import { afterSignIn, endSessionBefore, libraryHeaders } from "./auth-actions.ts";
import type { AppParts } from "./context.ts";
import { limitBody, type RefuseBody } from "./limited-body.ts";
import { nextPage } from "./next-page.ts";
import { ofAddress } from "./rate-limits.ts";
import { readVisit, type Visit } from "./visit.ts";

const PASSKEYS = {
  "GET generate-authenticate-options": "options",
  "POST verify-authentication": "sign-in",
  "GET generate-register-options": "options",
  "POST verify-registration": "registration",
} as const;

/** What a browser says of a key is some kilobytes. */
const MAX_BODY_BYTES = 64 * 1024;
const MOST_NAME = 60;

export function authEndpoints(app: AppParts, trustProxy: number, refuseBody: RefuseBody) {
  const endpoints = new Hono<{ Bindings: HttpBindings }>();
  endpoints.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
  });

  endpoints.use(limitBody(MAX_BODY_BYTES, refuseBody));

  endpoints.all("/passkey/:act", async (c) => {
    const kind = PASSKEYS[`${c.req.method} ${c.req.param("act")}` as keyof typeof PASSKEYS];
    if (!kind) return c.json({ error: "There is nothing at this address." }, 404);
    const visit = readVisit(c.env.incoming, trustProxy);
    const wait = await app.limits.charge([ofAddress("passkey", visit.ip, { tries: 60, seconds: 15 * 60 })]);
    if (wait !== null) {
      c.header("Retry-After", String(wait));
      return c.json({ error: `Too many tries. Please wait ${wait} seconds.` }, 429);
    }
    const answer = await askLibrary(app, c.req.raw, visit);
    if (!answer.ok) return c.json({ error: "The passkey was not accepted." }, answer.status === 403 ? 403 : 401);
    const body = await answer.json();
    for (const cookie of answer.headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    // The library knows the name that the site had when this process started.
    if (body.rp) body.rp.name = (await readSiteSettings(app.db)).site_name;
    if (kind === "options") return c.json(body);
    if (kind === "registration") {
      await recordAudit(app.db, { what: "passkey-added", actor_id: String(body.userId), origin: visit });
      return c.json({ passkey_id: body.id });
    }
    // The library's answer holds the session's token, which scripts have no business with.
    const headers = new Headers();
    await afterSignIn(app, c.req.raw, visit, headers, body.user, "passkey");
    for (const cookie of headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    return c.json({ ok: true });
  });

  endpoints.get("/discord", async (c) => {
    if (!app.discord) return c.json({ error: "There is nothing at this address." }, 404);
    const next = nextPage(c.req.query("next") ?? null);
    const { headers, response } = await app.auth.api.signInSocial({
      body: { provider: "discord", callbackURL: app.siteUrl + next, errorCallbackURL: `${app.siteUrl}/login/` },
      headers: libraryHeaders(c.req.raw, readVisit(c.env.incoming, trustProxy)),
      returnHeaders: true,
    });
    for (const cookie of headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    return c.redirect(String(response.url));
  });

  // The one address that signs somebody in by GET, as OAuth has it: the state in the cookie ties it to this browser.
  endpoints.get("/callback/discord", async (c) => {
    if (!app.discord) return c.json({ error: "There is nothing at this address." }, 404);
    const visit = readVisit(c.env.incoming, trustProxy);
    const answer = await askLibrary(app, c.req.raw, visit);
    for (const cookie of answer.headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    const to = answer.headers.get("Location");
    const marks = answer.headers
      .getSetCookie()
      .filter((line) => line.startsWith(cookieName(app.siteUrl, "second_step")));
    if (marks.length > 0) {
      await endSessionBefore(app, c.req.raw);
      return c.redirect(`/two-factor?next=${encodeURIComponent(nextPage(to?.slice(app.siteUrl.length) ?? null))}`);
    }
    if (answer.status < 300 || answer.status > 399 || !to) return c.redirect("/two-factor");
    const token = /spawnpoint_session=([^.;]+)/.exec(answer.headers.getSetCookie().join("\n"))?.[1];
    // Why not is told to nobody: it would show whether the address has an account.
    if (!token) return c.redirect("/login/?refused=discord");
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

async function askLibrary(app: AppParts, request: Request, visit: Visit): Promise<Response> {
  const url = new URL(request.url);
  const headers = libraryHeaders(request, visit);
  // The cross-site check has passed; what the library compares is our own address.
  headers.set("Origin", app.siteUrl);
  headers.set("Content-Type", "application/json");
  const body = request.method === "POST" ? cutName(await request.text()) : null;
  return app.auth.handler(
    new Request(app.siteUrl + url.pathname + url.search, { method: request.method, headers, body }),
  );
}

/** The same, with the name that somebody gives to a key cut to what a list can show. */
function cutName(body: string): string {
  try {
    const given = JSON.parse(body);
    if (typeof given?.name !== "string") return body;
    return JSON.stringify({ ...given, name: given.name.slice(0, MOST_NAME) });
  } catch {
    return body;
  }
}
