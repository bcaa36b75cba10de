// Configures the account library: its cookies, second factor and passkeys, and the endpoints that begin every session.
// Clients reach only what web/accounts/auth-endpoints.ts permits.
import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import { APIError, createAuthEndpoint, isAPIError } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Logger } from "pino";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { hashPassword, PASSWORD_MAX, PASSWORD_MIN, verifyPassword } from "#domain/sign-in/passwords.ts";
import { ABSOLUTE_END_S, FRESH_S } from "#domain/sign-in/sessions.ts";
import { authStore } from "./auth-store.ts";

/** Set only by the site, from the connection: the library reads the visitor's address from it. */
export const CLIENT_IP_HEADER = "x-spawnpoint-client-ip";

/** Makes a cookie name that the browser ties to this very host, if the site has HTTPS. */
export const cookieName = (siteUrl: string, name: string): string =>
  `${siteUrl.startsWith("https:") ? "__Host-" : ""}spawnpoint_${name}`;

export type Auth = ReturnType<typeof createAuth>;

const MOST_ADDRESSES = 16;

/**
 * Makes the library for each address of the site on first use: passkeys and returns from other services belong to the address
 * that the browser sees. Pass `at` only the site's own addresses.
 */
export function createAuths(parts: Parameters<typeof createAuth>[0]): { auth: Auth; at(origin: string): Auth } {
  const auth = createAuth(parts);
  const made = new Map<string, Auth>();
  return {
    auth,
    at(origin) {
      if (origin === parts.siteUrl) return auth;
      const found = made.get(origin) ?? createAuth({ ...parts, origin });
      made.delete(origin);
      made.set(origin, found);
      for (const oldest of made.keys()) {
        if (made.size <= MOST_ADDRESSES) break;
        made.delete(oldest);
      }
      return found;
    },
  };
}

/** Makes the library's instance; `secret` seals its cookies and the second factors. */
export function createAuth(parts: {
  db: Db;
  /** Its scheme decides the kind of cookies. */
  siteUrl: string;
  /** The address that the browser sees; absent: the site's. */
  origin?: string;
  secret: string;
  siteName: string;
  discord?: { clientId: string; clientSecret: string } | undefined;
  log: Logger;
}) {
  const { siteUrl, origin = siteUrl, secret, log } = parts;
  const secure = siteUrl.startsWith("https:");
  const cookie = (name: string) => ({ name: cookieName(siteUrl, name) });
  return betterAuth({
    appName: parts.siteName,
    baseURL: origin,
    basePath: "/api/auth",
    secret,
    trustedOrigins: [origin],
    database: authStore(parts.db),
    telemetry: { enabled: false },
    logger: { disabled: false, level: "error", log: libraryLog(log) },
    // Refusals are normal responses to visitors; the library would print each of them outside of the log.
    onAPIError: {
      onError: (error) => {
        if (!isAPIError(error)) log.error({ err: error }, "the account library failed");
        else if (error.statusCode >= 500 && error.body?.code !== NOT_VERIFIED)
          log.warn({ reason: error.message }, "the account library failed");
      },
    },
    // The site's own limits come before every action (web/request/rate-limits.ts).
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_MIN,
      // The library counts UTF-16 units, of which a character has two at most.
      maxPasswordLength: 2 * PASSWORD_MAX,
      password: { hash: hashPassword, verify: ({ password, hash }) => verifyPassword(password, hash) },
    },
    // The store handles the idle end of the row; this is the lifetime of the cookie.
    session: {
      expiresIn: ABSOLUTE_END_S,
      freshAge: FRESH_S,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    verification: { storeIdentifier: "hashed" },
    account: {
      encryptOAuthTokens: true,
      // Sealed in the browser that goes to the other site: a table could be flooded by requests for that.
      storeStateStrategy: "cookie",
      // An address confirmed at Discord once may have another owner now: only signed-in members link.
      accountLinking: { enabled: true, disableImplicitLinking: true, trustedProviders: [] },
    },
    socialProviders: parts.discord
      ? // Without an address confirmed at Discord, its owner is unproven.
        { discord: { ...parts.discord, requireEmailVerification: true } }
      : {},
    plugins: [
      sessionEndpoints(),
      secondFactor(),
      passkey({
        rpID: new URL(origin).hostname,
        rpName: parts.siteName,
        origin,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        authentication: {
          // With the device's fingerprint or PIN check, a passkey is two factors; without it, it is refused.
          afterVerification: async ({ verification }) => {
            if (!verification.authenticationInfo.userVerified) throw new APIError("UNAUTHORIZED");
          },
        },
      }),
    ],
    advanced: {
      database: { generateId: "uuid" },
      useSecureCookies: false,
      cookiePrefix: cookieName(siteUrl, "auth"),
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: "lax", path: "/" },
      cookies: { session_token: cookie("session"), two_factor: cookie("second_step") },
      ipAddress: { ipAddressHeaders: [CLIENT_IP_HEADER] },
      // Pages and actions check a request's origin before the library runs (web/request/cross-site.ts).
      disableOriginCheck: false,
    },
  });
}

/** The library's code for an invalid new passkey, which it treats as its own failure, with status 500. */
export const NOT_VERIFIED = "FAILED_TO_VERIFY_REGISTRATION";

/** How long the same message of the library is not repeated. */
const QUIET_MS = 60_000;

/**
 * Logs the library's own messages as one line: unverifiable data from visitors at debug level, anything else once a minute,
 * so that invalid requests can't fill the log.
 */
function libraryLog(log: Logger) {
  const said = new Map<string, number>();
  return (level: string, message: string, ...rest: unknown[]): void => {
    const errors = rest.filter((one) => one instanceof Error);
    const line = { reason: errors[0]?.message.slice(0, 200) };
    const now = performance.now();
    const repeated = now - (said.get(message) ?? Number.NEGATIVE_INFINITY) < QUIET_MS;
    if (level !== "error" || repeated || message.startsWith("Failed to verify")) {
      log.debug(line, `accounts: ${message}`);
      return;
    }
    if (said.size > 100) said.clear();
    said.set(message, now);
    log.warn(line, `accounts: ${message}`);
  };
}

/** Adds internal endpoints, out of reach of browsers: two begin sessions, and one finds the user of a second step. */
function sessionEndpoints() {
  return {
    id: "spawnpoint",
    endpoints: {
      /** Begins a session for a user who proved their identity without a password: by a mailed code or link. */
      signInProven: createAuthEndpoint(
        PROVEN,
        { method: "POST", body: z.object({ userId: z.string() }), metadata: { SERVER_ONLY: true } },
        async (ctx) => {
          const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId);
          if (!user) throw ctx.error("UNAUTHORIZED");
          const session = await ctx.context.internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          return ctx.json({ userId: user.id });
        },
      ),
      /** Does the same without the second step: for a user who has just completed it, or is signed in already. */
      renewSession: createAuthEndpoint(
        "/spawnpoint/renew-session",
        { method: "POST", body: z.object({ userId: z.string() }), metadata: { SERVER_ONLY: true } },
        async (ctx) => {
          const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId);
          if (!user) throw ctx.error("UNAUTHORIZED");
          const session = await ctx.context.internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          return ctx.json({ sessionId: session.id });
        },
      ),
      /** Finds the user who completed the first step of a sign-in, by its mark in a cookie; null: the mark is gone or invalid. */
      whoseSecondStep: createAuthEndpoint(
        "/spawnpoint/whose-second-step",
        { method: "POST", metadata: { SERVER_ONLY: true } },
        async (ctx) => {
          const { name } = ctx.context.createAuthCookie("two_factor");
          const mark = await ctx.getSignedCookie(name, ctx.context.secret);
          const found = mark ? await ctx.context.internalAdapter.findVerificationValue(mark) : null;
          return ctx.json({ userId: found?.value ?? null });
        },
      ),
    },
  };
}

const PROVEN = "/spawnpoint/sign-in-proven";
/** Every way to sign in that requires the second factor afterwards. A passkey is two factors by itself. */
const ASKS_SECOND_FACTOR = new Set(["/sign-in/email", PROVEN, "/callback/:id"]);

function secondFactor() {
  const plugin = twoFactor({
    allowPasswordless: true,
    twoFactorCookieMaxAge: 600,
    backupCodeOptions: {
      amount: 10,
      // The site makes them (web/accounts/second-factor.ts) and passes only hashes.
      storeBackupCodes: { encrypt: async (hashes) => hashes, decrypt: async (hashes) => hashes },
    },
  });
  for (const hook of plugin.hooks.after) hook.matcher = ({ path }) => ASKS_SECOND_FACTOR.has(path ?? "");
  return plugin;
}
