// A client of one Spawnpoint site, for browsers, Node 20 and newer, and Deno. It has no dependencies.
import { type Auth, createAuth } from "./auth.ts";
import { createFunctions, type Functions } from "./functions.ts";
import { createLive, type Live } from "./live.ts";
import { bindOperations, type Operations } from "./operations.ts";
import type { Fetch } from "./request.ts";
import { defaultStorage, type SessionStorage } from "./session.ts";
import { createStorage, type Storage } from "./storage.ts";
import { createCall } from "./typed-call.ts";

export type ClientOptions = {
  /** In place of the one that there is everywhere. */
  fetch?: Fetch;
  /** Where the session is kept: a browser's IndexedDB, otherwise the program's memory. */
  storage?: SessionStorage;
  /** An admin's key (`spk_…`), for programs that run without a member. It takes the place of a session. */
  key?: string;
  /** Renew the session before it ends; true unless said otherwise. */
  autoRefreshToken?: boolean;
  /** What the member's list of sessions calls this program. */
  program?: string;
};

/** A client: what the site can do, by what it is about. */
export type Client = Operations & {
  auth: Auth;
  functions: Functions;
  storage: Storage;
  live: Live;
};

/** Makes a client of the site at this address, such as https://play.example. @throws {TypeError} when it is no address */
export function createClient(siteUrl: string | URL, options: ClientOptions = {}): Client {
  const site = new URL(siteUrl).origin;
  const api = `${site}/api/v1`;
  // Called through the global each time, so that whoever wraps it later is asked too.
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const call = createCall(api, fetch);
  const auth = createAuth({
    siteUrl: site,
    storage: options.storage ?? defaultStorage(),
    call,
    autoRefresh: options.key === undefined && options.autoRefreshToken !== false,
    program: options.program ?? "API",
  });
  const token = async () => options.key ?? (await auth.token());
  const { token: _, ...shownAuth } = auth;
  return {
    auth: shownAuth,
    functions: createFunctions(api, { fetch, token }),
    storage: createStorage(site, { call, token }),
    live: createLive(api, { fetch, token }),
    ...bindOperations(call, token),
  };
}

export type { AuthEvent } from "#shared/auth-event.ts";
export type { ConnectionState } from "#shared/connection-state.ts";
export type { Auth, AuthAnswer } from "./auth.ts";
export * from "./errors.ts";
export type { Functions, InvokeAnswer, InvokeOptions } from "./functions.ts";
export type { Live, LiveListener } from "./live.ts";
export type * from "./operations.ts";
export type { Session, SessionStorage } from "./session.ts";
export type { Bucket, ListOptions, Storage } from "./storage.ts";
export type { Answer, ListAnswer } from "./typed-call.ts";
