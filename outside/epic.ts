/**
 * Epic Games' service for servers of its platform, asked in the name of the operator: which sessions it knows at an address. It
 * is asked once a second at most, it is left alone where it says so or fails, and nothing of it is ever blamed on a game server.
 */
import type { Config } from "#config";
import { EPIC_GAMES, type EpicGame } from "#shared/adapters.ts";
import { isRecord, parseShallowJson } from "./game-query/shallow-json.ts";
import { readWithin } from "./read-within.ts";
import { readRetryAfter } from "./retry-after.ts";

/** What Epic knows an operator by, as a setting says it: `clientId:clientSecret:deploymentId`. */
export type EpicAccess = Partial<Record<EpicGame, string>>;

export type Epic = {
  /** The games that are set up. */
  games: readonly EpicGame[];
  /**
   * The sessions of `game` at a literal address, checked by nobody yet; null: Epic cannot tell now. Never rejects, and is done
   * within `deadlineMs`.
   */
  listSessions(game: EpicGame, address: string, deadlineMs: number): Promise<readonly unknown[] | null>;
};

const ORIGIN = "https://api.epicgames.dev";
const GAP_MS = 1_000;
const LIMIT_MS = 5_000;
const MOST_BYTES = 1_048_576;
const DEEPEST_JSON = 8;
/** So long an answer serves all that ask about the same address: many servers of one machine cost one question. */
const FRESH_MS = 10_000;
const MOST_WAITING = 200;
/** After a failure it is left alone, ever longer; as long as it says itself, where it does. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const LONGEST_RETRY_AFTER_S = 3_600;
/** A token is renewed before its end; without a word about that it is held for so long. */
const RENEW_EARLY_S = 60;
const TOKEN_S = 600;
/** Nothing at so many addresses that had something: rather its list that is empty than all of them at once, for a while. */
const SUSPICIOUS_ADDRESSES = 3;
const SUSPICIOUS_MS = 600_000;
const REMEMBERED_MS = 3_600_000;

/** Some games show their list to a client as such; others to a device alone, for which Epic makes a nameless account. */
const WAYS: Record<EpicGame, { folder: string; byDevice: boolean }> = {
  ark_survival_ascended: { folder: "/wildcard", byDevice: false },
  squad: { folder: "", byDevice: true },
};

type Waiter = { game: EpicGame; address: string; done: (sessions: readonly unknown[] | null) => void };
type Known = { at: number; sessions: readonly unknown[]; filledAt: number };

/** Epic has refused, failed, or said nothing that can be read; `retryAfterS`: when it wants to be asked again. */
class EpicFailure extends Error {
  readonly status: number | null;
  readonly retryAfterS: number | null;
  constructor(status: number | null, retryAfterS: number | null = null) {
    super("Epic cannot tell");
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}

/** Makes the one that asks; undefined where nothing is set up. `origin`: a pretend service of tests, on this machine alone. */
export function createEpic(
  access: EpicAccess,
  { origin = ORIGIN, gapMs = GAP_MS }: { origin?: string; gapMs?: number } = {},
): Epic | undefined {
  if (origin !== ORIGIN && new URL(origin).hostname !== "127.0.0.1") throw new RangeError("Epic is at one place alone");
  const games = EPIC_GAMES.filter((game) => access[game] !== undefined);
  if (games.length === 0) return undefined;

  const tokens = new Map<EpicGame, { token: string; until: number }>();
  const known = new Map<string, Known>();
  const waiting: Waiter[] = [];
  let running = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  /** One request at a time, one a second at most. */
  async function request(
    path: string,
    authorization: string,
    type: string,
    body: string,
  ): Promise<Record<string, unknown>> {
    const wait = askedAt + gapMs - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait).unref());
    askedAt = performance.now();
    const response = await fetch(origin + path, {
      method: "POST",
      headers: {
        Authorization: authorization,
        "Content-Type": type,
        Accept: "application/json",
        "Accept-Encoding": "identity",
        "User-Agent": "Spawnpoint",
      },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const said = await readWithin(response, MOST_BYTES);
    if (response.status !== 200)
      throw new EpicFailure(
        response.status,
        readRetryAfter(response.headers.get("retry-after"), LONGEST_RETRY_AFTER_S),
      );
    const json = parseShallowJson(said.toString(), DEEPEST_JSON);
    if (!isRecord(json)) throw new EpicFailure(null);
    return json;
  }

  async function tokenFor(game: EpicGame): Promise<string> {
    const held = tokens.get(game);
    if (held && performance.now() < held.until) return held.token;
    const { client, deployment } = partsOf(access[game] ?? "");
    const basic = `Basic ${Buffer.from(client).toString("base64")}`;
    const ask = async (path: string, form: Record<string, string>) => {
      const said = await request(
        path,
        basic,
        "application/x-www-form-urlencoded",
        new URLSearchParams(form).toString(),
      );
      if (typeof said.access_token !== "string" || !/^[!-~]{1,8192}$/.test(said.access_token))
        throw new EpicFailure(null);
      return { token: said.access_token, forS: typeof said.expires_in === "number" ? said.expires_in : TOKEN_S };
    };
    const device = WAYS[game].byDevice ? await ask("/auth/v1/accounts/deviceid", { deviceModel: "PC" }) : null;
    const { token, forS } = await ask("/auth/v1/oauth/token", {
      ...(device
        ? {
            grant_type: "external_auth",
            external_auth_type: "deviceid_access_token",
            external_auth_token: device.token,
            // It wants one and looks at nothing of it.
            nonce: crypto.randomUUID(),
            display_name: "Spawnpoint",
          }
        : { grant_type: "client_credentials" }),
      deployment_id: deployment,
    });
    tokens.set(game, { token, until: performance.now() + Math.max(0, forS - RENEW_EARLY_S) * 1_000 });
    return token;
  }

  async function ask(game: EpicGame, address: string): Promise<readonly unknown[]> {
    const { deployment } = partsOf(access[game] ?? "");
    const path = `${WAYS[game].folder}/matchmaking/v1/${deployment}/filter`;
    const criteria = JSON.stringify({ criteria: [{ key: "attributes.ADDRESS_s", op: "EQUAL", value: address }] });
    for (let again = false; ; again = true) {
      try {
        const said = await request(path, `Bearer ${await tokenFor(game)}`, "application/json", criteria);
        if (!Array.isArray(said.sessions)) throw new EpicFailure(null);
        return said.sessions;
      } catch (error) {
        // A token may be taken back before its end.
        if (again || !(error instanceof EpicFailure && error.status === 401) || !tokens.delete(game)) throw error;
      }
    }
  }

  /** Whether it is rather Epic's list that is empty than the game servers gone. */
  function seemsEmptied(game: EpicGame, now: number): boolean {
    const filled = [...known].filter(
      ([key, { filledAt }]) => key.startsWith(`${game} `) && now - filledAt < SUSPICIOUS_MS,
    );
    return filled.length >= SUSPICIOUS_ADDRESSES && filled.every(([, { sessions }]) => sessions.length === 0);
  }

  function keep(game: EpicGame, address: string, sessions: readonly unknown[]): readonly unknown[] | null {
    const now = performance.now();
    for (const [key, { at }] of known) if (now - at > REMEMBERED_MS) known.delete(key);
    const key = `${game} ${address}`;
    const filledAt = sessions.length > 0 ? now : (known.get(key)?.filledAt ?? Number.NEGATIVE_INFINITY);
    known.set(key, { at: now, sessions, filledAt });
    return sessions.length === 0 && seemsEmptied(game, now) ? null : sessions;
  }

  function answer(game: EpicGame, address: string, sessions: readonly unknown[] | null): void {
    for (const one of waiting.filter((other) => other.game === game && other.address === address)) one.done(sessions);
  }

  /** Whose answer is the oldest comes first, so that nobody is forgotten where there are more than there is time for. */
  function next(): Waiter | undefined {
    const age = ({ game, address }: Waiter) => known.get(`${game} ${address}`)?.at ?? Number.NEGATIVE_INFINITY;
    return waiting.toSorted((a, b) => (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0))[0];
  }

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (let one = next(); one; one = next()) {
      const { game, address } = one;
      if (performance.now() < pausedUntil) {
        answer(game, address, null);
        continue;
      }
      try {
        const sessions = await ask(game, address);
        failures = 0;
        answer(game, address, keep(game, address, sessions));
      } catch (error) {
        const told = error instanceof EpicFailure ? error.retryAfterS : null;
        const own = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
        failures += 1;
        pausedUntil = performance.now() + (told === null ? own : told * 1_000);
        answer(game, address, null);
      }
    }
    running = false;
  }

  return {
    games,
    listSessions(game, address, deadlineMs) {
      if (access[game] === undefined || waiting.length >= MOST_WAITING) return Promise.resolve(null);
      const now = performance.now();
      const last = known.get(`${game} ${address}`);
      if (last && now - last.at < FRESH_MS && last.sessions.length > 0) return Promise.resolve(last.sessions);
      return new Promise((resolve) => {
        const done: Waiter["done"] = (sessions) => {
          clearTimeout(timer);
          waiting.splice(waiting.indexOf(waiter), 1);
          resolve(sessions);
        };
        const waiter = { game, address, done };
        const timer = setTimeout(() => done(null), deadlineMs);
        waiting.push(waiter);
        void run();
      });
    },
  };
}

/** What the settings of the games say. */
export const epicAccessOf = (config: Pick<Config, "epicArkSurvivalAscended" | "epicSquad">): EpicAccess => ({
  ...(config.epicArkSurvivalAscended && { ark_survival_ascended: config.epicArkSurvivalAscended }),
  ...(config.epicSquad && { squad: config.epicSquad }),
});

/** The setting's parts, as its check has left them; `client` is id and secret as they are shown. */
function partsOf(access: string): { client: string; deployment: string } {
  const [id = "", secret = "", deployment = ""] = access.split(":");
  return { client: `${id}:${secret}`, deployment };
}
