// Logs people in at another site (OAuth 2 and OpenID Connect, with PKCE, state and nonce): sends their browser there, and reads who
// came back.
import {
  type AuthorizationCodeGrantChecks,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { z } from "zod";
import { readWithin } from "./read-within.ts";

export type ProviderId = "discord" | "oidc";

/** What ties a browser's return to its leaving; the browser stores it meanwhile. */
export type LoginChecks = { state: string; verifier: string; nonce: string };

/** Who someone is at the other site. `email`: null unless they confirmed it there; in lower case. */
export type Identity = { account_id: string; email: string | null };

export type IdentityProvider = {
  id: ProviderId;
  /** As people call it. */
  name: string;
  /** Whether it leads on to other sites, which no policy of the page with the form can name. */
  leadsOn: boolean;
  /** Makes the address to which a browser is sent. `consent`: the other site asks whether to go on. */
  begin(back: URL, checks: LoginChecks, consent: boolean): Promise<URL>;
  /** Reads who came back. `url`: the address with which the browser came. @throws if the checks or the other site refuse it */
  finish(url: URL, checks: LoginChecks): Promise<Identity>;
};

/** Makes the checks of one login. */
export const createLoginChecks = (): LoginChecks => ({
  state: randomState(),
  verifier: randomPKCECodeVerifier(),
  nonce: randomNonce(),
});

const LIMIT_S = 10;
const MOST_BYTES = 256 * 1024;

/** Requests without following redirects, and reads no more than a login's few kilobytes. */
const limitedFetch: CustomFetch = async (url, { body, headers, method, signal }) => {
  const response = await fetch(url, {
    body: body as BodyInit | null,
    headers,
    method,
    redirect: "manual",
    signal: signal ?? null,
  });
  const { status, statusText } = response;
  const bytes = await readWithin(response, MOST_BYTES);
  const hasBody = ![101, 204, 205, 304].includes(status);
  return new Response(hasBody ? Uint8Array.from(bytes) : null, { status, statusText, headers: response.headers });
};

function limit(configuration: Configuration): Configuration {
  configuration[customFetch] = limitedFetch;
  configuration.timeout = LIMIT_S;
  return configuration;
}

const DISCORD_USER = new URL("https://discord.com/api/users/@me");
const discordUser = z.object({
  id: z.string().regex(/^\d{1,30}$/),
  email: z.string().max(254).nullish(),
  verified: z.boolean().nullish(),
});

/** Makes the provider for Discord's accounts (https://docs.discord.com/developers/topics/oauth2). */
export function createDiscordProvider({
  clientId,
  clientSecret,
}: {
  clientId: string;
  clientSecret: string;
}): IdentityProvider {
  const server = {
    issuer: "https://discord.com",
    authorization_endpoint: "https://discord.com/api/oauth2/authorize",
    token_endpoint: "https://discord.com/api/oauth2/token",
  };
  const configuration = limit(new Configuration(server, clientId, clientSecret));
  return {
    id: "discord",
    name: "Discord",
    leadsOn: false,
    begin: (back, checks, consent) =>
      authorizationUrl(configuration, back, checks, {
        scope: "identify email",
        prompt: consent ? "consent" : "none",
      }),
    async finish(url, checks) {
      const tokens = await exchange(configuration, url, checks);
      const response = await fetchProtectedResource(configuration, tokens.access_token, DISCORD_USER, "GET");
      const { id, email, verified } = discordUser.parse(await response.json());
      return { account_id: id, email: email && verified ? email.toLowerCase() : null };
    },
  };
}

async function authorizationUrl(
  configuration: Configuration,
  back: URL,
  { state, verifier }: LoginChecks,
  more: Record<string, string>,
): Promise<URL> {
  return buildAuthorizationUrl(configuration, {
    redirect_uri: back.href,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more,
  });
}

const exchange = (
  configuration: Configuration,
  url: URL,
  { state, verifier }: LoginChecks,
  more: AuthorizationCodeGrantChecks = {},
) => authorizationCodeGrant(configuration, url, { expectedState: state, pkceCodeVerifier: verifier, ...more });

/** Some providers write the word in place of the value. */
const emailClaims = z.object({
  email: z.string().max(254).nullish(),
  email_verified: z.union([z.boolean(), z.enum(["true", "false"])]).nullish(),
});
const LONGEST_SUBJECT = 255;

/**
 * Makes the provider for the accounts of any OpenID Connect provider. Its discovery document is read at the first login, and its
 * addresses are trusted: the operator chose it. They need https, except on loopback.
 */
export function createOidcProvider({
  issuer,
  clientId,
  clientSecret,
  name,
}: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
}): IdentityProvider {
  /** How providers want to see the secret (OpenID Connect Discovery 1.0, 3); the header unless they don't list it. */
  const authenticate: ClientAuth = (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    const way = methods.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost;
    way(clientSecret)(server, ...request);
  };
  const at = new URL(issuer);
  let found: Promise<Configuration> | null = null;
  function discover(): Promise<Configuration> {
    found ??= discovery(at, clientId, clientSecret, authenticate, {
      [customFetch]: limitedFetch,
      timeout: LIMIT_S,
      execute: [enableNonRepudiationChecks, ...(at.protocol === "http:" ? [allowInsecureRequests] : [])],
    }).catch((error: unknown) => {
      found = null;
      throw error;
    });
    return found;
  }

  return {
    id: "oidc",
    name,
    leadsOn: true,
    async begin(back, checks, consent) {
      return authorizationUrl(await discover(), back, checks, {
        scope: "openid email",
        nonce: checks.nonce,
        ...(consent && { prompt: "consent" }),
      });
    },
    async finish(url, checks) {
      const configuration = await discover();
      const tokens = await exchange(configuration, url, checks, { expectedNonce: checks.nonce });
      const claims = tokens.claims();
      if (!claims || claims.sub === "" || claims.sub.length > LONGEST_SUBJECT)
        throw new Error("the ID token has no subject");
      const inToken = emailClaims.parse(claims);
      const asksMore = inToken.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
      const { email, email_verified } = asksMore
        ? emailClaims.parse(await fetchUserInfo(configuration, tokens.access_token, claims.sub))
        : inToken;
      const verified = email_verified === true || email_verified === "true";
      // A subject is unique at its issuer alone, and the operator may choose another.
      return { account_id: `${claims.iss} ${claims.sub}`, email: email && verified ? email.toLowerCase() : null };
    },
  };
}
