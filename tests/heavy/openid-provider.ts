/** An OpenID Connect provider on loopback: oidc-provider from npm. Every login is that of the person the test names. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the provider says of a person; a claim that is undefined is left out. */
export type Person = { sub: string; email?: string; email_verified?: boolean | string };

/** The parts of the library that this file uses; its types need forty more packages. */
type Interaction = { uid: string; prompt: { details: Record<string, unknown> }; params: { client_id: string } };
type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
type Provider = {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  Grant: new (of: { accountId: string; clientId: string }) => Grant;
};

const CLIENT = { id: "spawnpoint", secret: "a secret of this client" };

/** Starts it. `redirectUris`: where browsers return to, known once one of them comes. */
export async function startOpenIdProvider(redirectUris: () => string[]) {
  const { default: Library } = (await import("oidc-provider" as string)) as {
    default: new (issuer: string, configuration: object) => Provider;
  };
  const state = { person: { sub: "nobody" } as Person, away: false, requests: [] as string[] };
  let provider: Provider | null = null;
  const server = createServer(async (request, response) => {
    state.requests.push(`${request.method} ${request.url?.split("?", 1)[0]}`);
    if (state.away) return void request.socket.destroy();
    provider ??= makeProvider();
    if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
    await letIn(provider, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function makeProvider(): Provider {
    return new Library(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: redirectUris(),
          grant_types: ["authorization_code"],
          response_types: ["code"],
        },
      ],
      cookies: { keys: ["a key of this test"] },
      claims: { openid: ["sub"], email: ["email", "email_verified"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: Interaction) => `/interaction/${uid}` },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ ...state.person, sub: id }) }),
    });
  }

  /** Signs the person in and consents for them. */
  async function letIn(library: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await library.interactionDetails(request, response);
    const grant = new library.Grant({ accountId: state.person.sub, clientId: params.client_id });
    grant.addOIDCScope("openid email");
    await library.interactionFinished(request, response, {
      login: { accountId: state.person.sub },
      consent: { grantId: await grant.save() },
    });
  }

  return {
    issuer,
    state,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: "Harbour ID",
    },
    /** Goes through the provider's pages as this person; resolves to the address at the site to which they are sent back. */
    async goThrough(person: Person, from: string): Promise<string> {
      state.person = person;
      const cookies = new Map<string, string>();
      let at = from;
      for (let hops = 0; hops < 10 && at.startsWith(issuer); hops += 1) {
        const answer = await fetch(at, {
          redirect: "manual",
          headers: { Cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
        });
        for (const line of answer.headers.getSetCookie()) {
          const [pair = ""] = line.split(";", 1);
          cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
        }
        const location = answer.headers.get("location");
        if (location === null) throw new Error(`${answer.status} at ${at}: ${await answer.text()}`);
        at = new URL(location, at).href;
      }
      return at;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
