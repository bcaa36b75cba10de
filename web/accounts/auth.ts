// The account library, set up our way: its cookies, its second factor and passkeys, and the one door through which every
// session begins. Nothing of it is reachable from outside but what web/accounts/auth-endpoints.ts lets through.
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

/** Set by us alone, from the connection: the library reads the visitor's address from it. */
export const CLIENT_IP_HEADER = "x-spawnpoint-client-ip";

/** A name that the browser ties to this very host, where the site has HTTPS. */
export const cookieName = (siteUrl: string, name: string): string =>
  `${siteUrl.startsWith("https:") ? "__Host-" : ""}spawnpoint_${name}`;

export type Auth = ReturnType<typeof createAuth>;

const MOST_ADDRESSES = 16;

/**
 * The library for each address of the site, made when it is first asked for: passkeys and the way back from another service
 * belong to the address that the browser sees. `at` is given addresses of our own alone.
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
  /** Says by its scheme what cookies are like. */
  siteUrl: string;
  /** The address that the browser sees; absent: that of the site. */
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
    // What it refuses is the visitor's matter and answered as such; the library would print each of it past our log.
    onAPIError: {
      onError: (error) => {
        if (!isAPIError(error)) log.error({ err: error }, "the account library failed");
        else if (error.statusCode >= 500 && error.body?.code !== NOT_VERIFIED)
          log.warn({ reason: error.message }, "the account library failed");
      },
    },
    // Our own limits stand before every action (web/request/rate-limits.ts).
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
    // The row's idle end is the store's matter; this is how long the cookie lives.
    session: {
      expiresIn: ABSOLUTE_END_S,
      freshAge: FRESH_S,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    verification: { storeIdentifier: "hashed" },
    account: {
      encryptOAuthTokens: true,
      // Sealed in the browser that goes to the other site: in a table, everybody could fill it by asking to be sent there.
      storeStateStrategy: "cookie",
      // That an address was confirmed at Discord once does not say whose mailbox it is now: only whoever is signed in links.
      accountLinking: { enabled: true, disableImplicitLinking: true, trustedProviders: [] },
    },
    socialProviders: parts.discord
      ? // Whoever has not confirmed the address at Discord has shown nothing of whose it is.
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
          // With the finger or the PIN that the device asks for, a passkey is two factors; without, it is none of ours.
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
      // Pages and actions check where a request comes from before the library is asked (web/request/cross-site.ts).
      disableOriginCheck: false,
    },
  });
}

/** The library's word for a new passkey that is none; it takes that for a fault of its own, with status 500. */
export const NOT_VERIFIED = "FAILED_TO_VERIFY_REGISTRATION";

/** How long the same word of the library is not repeated. */
const QUIET_MS = 60_000;

/**
 * What the library says of its own accord, as one line: what a visitor sent that could not be verified for those who look
 * closely, anything else once a minute. So nobody fills the log by sending nonsense.
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

/** Endpoints of ours, which no browser reaches: two begin sessions, and one says who is about to have one. */
function sessionEndpoints() {
  return {
    id: "spawnpoint",
    endpoints: {
      /** Begins a session for somebody whose right to one was shown by other means than a password: a mailed code or link. */
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
      /** The same without the second step: for somebody who has just taken it, or who is signed in already. */
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
      /** Who has taken the first step of a sign-in, by its mark in a cookie; nobody: the mark is gone or none of ours. */
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
/** Every way to sign in after which the second factor is asked for. A passkey is two factors by itself. */
const ASKS_SECOND_FACTOR = new Set(["/sign-in/email", PROVEN, "/callback/:id"]);

function secondFactor() {
  const plugin = twoFactor({
    allowPasswordless: true,
    twoFactorCookieMaxAge: 600,
    backupCodeOptions: {
      amount: 10,
      // They are made by us (web/accounts/second-factor.ts) and come here as hashes only.
      storeBackupCodes: { encrypt: async (hashes) => hashes, decrypt: async (hashes) => hashes },
    },
  });
  for (const hook of plugin.hooks.after) hook.matcher = ({ path }) => ASKS_SECOND_FACTOR.has(path ?? "");
  return plugin;
}
