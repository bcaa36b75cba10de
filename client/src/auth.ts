// Signing in and staying so. The access token is renewed in time, by one tab for all, and every change is told as an event.
import { AUTH_CHANNEL, type AuthEvent } from "#shared/auth-event.ts";
import {
  ApiError,
  AuthError,
  AuthInvalidCredentialsError,
  AuthInvalidTokenError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthSessionOrUserMissingError,
  AuthWeakPasswordError,
} from "./errors.ts";
import type { User } from "./operations.ts";
import { createSessionPlace, createTurns, type Session, type SessionStorage } from "./session.ts";
import type { Call } from "./typed-call.ts";

export type AuthAnswer<T> = { data: T; error: null } | { data: T | { [Key in keyof T]: null }; error: AuthError };

type Credentials = { email: string; password: string };
type SignedIn = { user: User; session: Session };

/** Signing in and staying so. Nothing is thrown: `error` says what went wrong. */
export type Auth = {
  /** Signs in. Where a second factor is on, the error's code is `second_factor_required`: call again with `code`. */
  signInWithPassword(given: Credentials & { code?: string; recovery_code?: string }): Promise<AuthAnswer<SignedIn>>;
  /** Asks for an account, where registration is open: a mail with a link follows, and nobody is signed in before. */
  signUp(given: Credentials & { invitation?: string; locale?: "en" | "de" }): Promise<{ error: AuthError | null }>;
  /** Ends the session, here and on the site. It ends here also where the site cannot be asked. */
  signOut(): Promise<{ error: AuthError | null }>;
  /** The session that is kept here, with a token that is good; the site is asked only where it has to be renewed. */
  getSession(): Promise<AuthAnswer<{ session: Session | null }>>;
  /** Who is signed in, as the site says. */
  getUser(): Promise<AuthAnswer<{ user: User }>>;
  /** Changes the name or the language of one's own profile. */
  updateUser(change: Partial<Pick<User, "user_nick_name" | "locale">>): Promise<AuthAnswer<{ user: User }>>;
  /** Renews the session now. */
  refreshSession(): Promise<AuthAnswer<SignedIn>>;
  /** Goes on with the tokens of a session that was begun elsewhere. */
  setSession(given: { access_token: string; refresh_token: string }): Promise<AuthAnswer<SignedIn>>;
  /** Tells of every change, in this tab and in others; first, once, of what there is (`INITIAL_SESSION`). */
  onAuthStateChange(listener: (event: AuthEvent, session: Session | null) => void): {
    data: { subscription: { unsubscribe(): void } };
  };
  startAutoRefresh(): void;
  stopAutoRefresh(): void;
};

/** How often it is looked whether the access token ends soon. */
const TICK_MS = 30_000;
/** So many ticks before its end, or fewer, it is renewed. */
const TICKS_LEFT = 3;
/** A token that ends within this counts as ended. */
const MARGIN_S = 10;
/** After the first, second … failure: so long times its number. */
const RETRY_MS = 200;
const RETRYABLE = new Set([0, 502, 503, 504]);

const nowS = () => Date.now() / 1000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes it. `siteUrl` names the place of the session, so that two sites never share one. */
export function createAuth(parts: {
  siteUrl: string;
  storage: SessionStorage;
  call: Call;
  autoRefresh: boolean;
  program: string;
}): Auth & { token(): Promise<string | null> } {
  const { call } = parts;
  const name = `spawnpoint-session ${parts.siteUrl}`;
  const place = createSessionPlace(parts.storage, name);
  const inTurn = createTurns(name);
  const listeners = new Set<(event: AuthEvent, session: Session | null) => void>();
  const isBrowser = typeof window !== "undefined";
  const tabs = isBrowser && "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
  let timer: ReturnType<typeof setInterval> | undefined;

  function emit(event: AuthEvent, session: Session | null, fromHere = true) {
    if (fromHere) tabs?.postMessage({ event });
    for (const listener of [...listeners]) {
      // A listener that throws keeps no other from hearing.
      try {
        listener(event, session);
      } catch (error) {
        console.error(error);
      }
    }
  }
  // A link to set a new password was opened in a page of the site.
  const pages = tabs && location.origin === parts.siteUrl ? new BroadcastChannel(AUTH_CHANNEL) : null;
  pages?.addEventListener("message", async ({ data }) => {
    if (data.event === "PASSWORD_RECOVERY") emit(data.event, await place.read(), false);
  });
  tabs?.addEventListener("message", async ({ data }) => emit(data.event, await place.read(), false));

  async function keep(given: Omit<Session, "expires_at">): Promise<Session> {
    const session = { ...given, expires_at: Math.floor(nowS()) + given.expires_in };
    await place.write(session);
    return session;
  }

  /** Renews the session unless another tab has done so meanwhile; null: there is none any more. @throws {AuthError} */
  const renew = (before: Session): Promise<Session | null> =>
    inTurn(async () => {
      const found = await place.read();
      if (!found || found.refresh_token !== before.refresh_token) return found;
      const until = Date.now() + TICK_MS;
      for (let attempt = 1; ; attempt += 1) {
        const { data, error } = await call<Omit<Session, "expires_at">>("post", "/session/refresh", {
          body: { refresh_token: found.refresh_token },
        });
        if (!error) {
          const session = await keep(data);
          emit("TOKEN_REFRESHED", session);
          return session;
        }
        const wait = RETRY_MS * attempt;
        if (!RETRYABLE.has(error.status) || Date.now() + wait >= until) {
          if (error.status === 401) {
            await place.write(null);
            emit("SIGNED_OUT", null);
          }
          throw asAuthError(error);
        }
        await pause(wait);
      }
    });

  /** The session with a token that is still good, renewed where it is not; null: nobody is signed in. @throws {AuthError} */
  async function current(): Promise<Session | null> {
    const session = await place.read();
    return session && session.expires_at - MARGIN_S <= nowS() ? renew(session) : session;
  }

  async function tick() {
    const session = await place.read();
    if (!session) return;
    const ticksLeft = Math.floor(((session.expires_at - nowS()) * 1000) / TICK_MS);
    // What fails is tried again at the next tick; whoever needs the token before is told.
    if (ticksLeft <= TICKS_LEFT) await renew(session).catch(() => {});
  }

  function startAutoRefresh() {
    clearInterval(timer);
    timer = setInterval(tick, TICK_MS);
    // A program may end although it is signed in.
    if (typeof timer === "object") (timer as { unref?: () => void }).unref?.();
    void tick();
  }
  if (parts.autoRefresh) startAutoRefresh();

  const NOBODY = { user: null, session: null };

  return {
    async signInWithPassword(given) {
      if (!hasCredentials(given)) return { data: NOBODY, error: new AuthInvalidCredentialsError() };
      const { data, error } = await call<Omit<Session, "expires_at">>("post", "/session", {
        body: { ...given, program: parts.program },
      });
      if (error) return { data: NOBODY, error: asAuthError(error) };
      const session = await inTurn(() => keep(data));
      if (given.code || given.recovery_code) emit("MFA_CHALLENGE_VERIFIED", session);
      emit("SIGNED_IN", session);
      return { data: { user: session.user, session }, error: null };
    },

    async signUp(given) {
      if (!hasCredentials(given)) return { error: new AuthInvalidCredentialsError() };
      const { error } = await call("post", "/account", { body: given });
      return { error: error && asAuthError(error) };
    },

    async signOut() {
      const session = await current().catch(() => place.read());
      if (!session) return { error: new AuthSessionMissingError() };
      const { error } = await call("delete", "/session", { token: session.access_token });
      await inTurn(() => place.write(null));
      emit("SIGNED_OUT", null);
      // A session that the site has ended already is what was wanted.
      return { error: error && error.status !== 401 ? asAuthError(error) : null };
    },

    async getSession() {
      try {
        return { data: { session: await current() }, error: null };
      } catch (error) {
        return { data: { session: null }, error: asAuthError(error) };
      }
    },

    async getUser() {
      try {
        const session = await current();
        if (!session) throw new AuthSessionMissingError();
        const { data, error } = await call<{ user: User }>("get", "/session", { token: session.access_token });
        if (error) throw error;
        return { data: { user: data.user }, error: null };
      } catch (error) {
        return { data: { user: null }, error: asAuthError(error) };
      }
    },

    async updateUser(change) {
      try {
        const session = await current();
        if (!session) throw new AuthSessionMissingError();
        const { data, error } = await call<User>("put", "/profile", { token: session.access_token, body: change });
        if (error) throw error;
        await inTurn(async () => {
          const found = await place.read();
          if (found) await place.write({ ...found, user: data });
          emit("USER_UPDATED", found && { ...found, user: data });
        });
        return { data: { user: data }, error: null };
      } catch (error) {
        return { data: { user: null }, error: asAuthError(error) };
      }
    },

    async refreshSession() {
      try {
        const before = await place.read();
        const session = before && (await renew(before));
        if (!session) throw new AuthSessionMissingError();
        return { data: { user: session.user, session }, error: null };
      } catch (error) {
        return { data: NOBODY, error: asAuthError(error) };
      }
    },

    async setSession(given) {
      try {
        if (!given.access_token || !given.refresh_token) throw new AuthSessionOrUserMissingError();
        if (!/^spa_[\w-]{43}$/.test(given.access_token)) throw new AuthInvalidTokenError();
        const { data, error } = await call<{ user: User; expires_in: number }>("get", "/session", {
          token: given.access_token,
        });
        if (error) throw error;
        const session = await inTurn(() => keep({ ...given, ...data, token_type: "bearer" }));
        emit("SIGNED_IN", session);
        return { data: { user: session.user, session }, error: null };
      } catch (error) {
        return { data: NOBODY, error: asAuthError(error) };
      }
    },

    onAuthStateChange(listener) {
      listeners.add(listener);
      void place.read().then((session) => {
        if (listeners.has(listener)) listener("INITIAL_SESSION", session);
      });
      return { data: { subscription: { unsubscribe: () => void listeners.delete(listener) } } };
    },

    startAutoRefresh,
    stopAutoRefresh() {
      clearInterval(timer);
    },

    /** The token that calls carry; null: none. A session that cannot be renewed just now is tried as it is. */
    token: async (): Promise<string | null> =>
      ((await current().catch(() => place.read())) as Session | null)?.access_token ?? null,
  };
}

/** Programs without types may leave anything out. */
const hasCredentials = (given: Partial<Credentials> | undefined): boolean => Boolean(given?.email && given.password);

function asAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  if (!(error instanceof ApiError)) return new AuthError(String(error), { status: 0 }, error);
  const { message, status, code, errors, context } = error;
  if (RETRYABLE.has(status)) return new AuthRetryableFetchError(message, status, context);
  const weak = errors.filter(({ field }) => field === "password");
  if (status === 422 && weak.length > 0) return new AuthWeakPasswordError(message, { status, errors: weak }, context);
  return new AuthError(message, { status, code, errors }, context);
}
