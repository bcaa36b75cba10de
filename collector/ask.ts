/** Polls one game server by its adapter: returns the answer, or why there is none. */
import type { GameAddressResolver } from "#outside/game-address.ts";
import type { Adapter, Question } from "#outside/game-query/adapter.ts";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { answerWithoutFigures, type QueryResult } from "#outside/game-query/answer.ts";
import { ADAPTER_FACTS, type AdapterSecrets, askedPort, type SealedSecrets } from "#shared/adapters.ts";
import type { Claimed } from "./claim.ts";
import type { Outcome } from "./judge.ts";
import type { Slots } from "./slots.ts";

/** External systems that a query needs; tests pass their own. */
export type Outside = {
  resolver: GameAddressResolver;
  query(adapter: Adapter, question: Question): Promise<QueryResult>;
  /** Decrypts a game server's secrets; null: the site's secret on this machine doesn't fit. */
  openSecrets?(sealed: SealedSecrets): Promise<AdapterSecrets | null>;
};

export const query: Outside["query"] = (adapter, question) => adapter.query(question);

/** Parts of a claim that a query needs. */
export type ToAsk = Pick<
  Claimed,
  | "adapter"
  | "options"
  | "secrets"
  | "host"
  | "gamePort"
  | "queryPort"
  | "intervalMs"
  | "claimedUntil"
  | "heartbeat"
  | "wantsDetails"
  | "wantsNames"
> & { state: Pick<Claimed["state"], "failuresInRow"> };

export type Asked = {
  outcome: Outcome;
  /** The polled address, or the unresolved name; null if nothing was sent over the network. */
  place: string | null;
  /** When the query itself began, on the monotonic clock: excludes waiting for an address slot. */
  began: number;
};

/** Shortest validity of a heartbeat, which else is three intervals: it is sent by another machine's timer. */
const SHORTEST_HEARTBEAT_MS = 15_000;
/** How long a new answer may be shared with another record of the same target. */
const SHARE_MS = 1_000;
/** Least remaining time of a claim to start a query: another collector may have it before the answer. */
const LEAST_CLAIM_MS = 2_500;

type Answered = { result: QueryResult; began: number } | null;

/** Creates the asker; it stores only which targets are being polled now. */
export function createAsker(outside: Outside, slots: Slots, databaseNow: () => number) {
  const shared = new Map<string, Promise<Answered>>();

  /** Lets records of one target (two names, one game server) that are due together share one query. */
  function share(key: string, intervalMs: number, ask: () => Promise<Answered>) {
    const running = shared.get(key);
    if (running) return running;
    const asking = ask();
    shared.set(key, asking);
    const forgetThis = () => shared.get(key) === asking && shared.delete(key);
    const forget = () => setTimeout(forgetThis, Math.min(SHARE_MS, intervalMs / 4)).unref();
    asking.then(forget, forget);
    return asking;
  }

  async function askOverNetwork(server: ToAsk, adapter: Adapter, host: string): Promise<Asked | null> {
    const resolvingBegan = performance.now();
    const failed = (failure: "dns" | "blocked" | "no_address" | "sealed"): Asked => ({
      outcome: { ok: false, latencyMs: null, failure },
      place: failure === "dns" ? `dns:${host}` : null,
      began: resolvingBegan,
    });
    const port = askedPort(server.adapter, server);
    const { needs } = ADAPTER_FACTS[server.adapter];
    if (port === null && needs.port) return failed("no_address");
    const target = await outside.resolver.resolve(
      port === null ? { host, port, service: adapter.service } : { host, port },
    );
    if (!target.ok) return failed(target.failure);

    const isKeyed = Object.keys(server.secrets).length > 0;
    const secrets = isKeyed ? await outside.openSecrets?.(server.secrets) : undefined;
    if (isKeyed && !secrets) return failed("sealed");

    const { address } = target;
    const place = { address, port: target.port };
    const wants = { wantsDetails: server.wantsDetails ?? false, wantsNames: server.wantsNames ?? false };
    const name = needs.name ? host : null;
    const gamePort = needs.gamePort ? { gamePort: server.gamePort } : {};
    const key = JSON.stringify([server.adapter, place, gamePort, name, server.options, secrets, wants]);
    const answered = await share(key, server.intervalMs, () =>
      slots.atAddress(address, host, server.state.failuresInRow > 0, async () => {
        if (databaseNow() > server.claimedUntil - LEAST_CLAIM_MS) return null;
        const began = performance.now();
        const question = {
          ...place,
          ...gamePort,
          host,
          options: server.options,
          ...(secrets && { secrets }),
          deadlineMs: adapter.deadlineMs,
          ...wants,
        };
        return { result: await outside.query(adapter, question), began };
      }),
    );
    if (!answered) return null;
    const { result, began } = answered;
    return { outcome: result, place: address, began };
  }

  function freshHeartbeat(server: ToAsk): NonNullable<Claimed["heartbeat"]> | null {
    if (server.heartbeat === null) return null;
    const age = Math.abs(databaseNow() - server.heartbeat.at);
    return age <= Math.max(3 * server.intervalMs, SHORTEST_HEARTBEAT_MS) ? server.heartbeat : null;
  }

  async function ask(server: ToAsk): Promise<Asked | null> {
    const heartbeat = freshHeartbeat(server);
    const adapter: Adapter | null = ADAPTERS[server.adapter];
    if (adapter === null) {
      const outcome: Outcome = heartbeat
        ? {
            ok: true,
            latencyMs: null,
            answer: withHeartbeat(answerWithoutFigures, heartbeat),
            answeredAt: heartbeat.at,
          }
        : { ok: false, latencyMs: null, failure: "silent" };
      return { outcome, place: null, began: performance.now() };
    }
    const asked = await askOverNetwork(server, adapter, server.host ?? "");
    if (!asked?.outcome.ok || heartbeat === null) return asked;
    return { ...asked, outcome: { ...asked.outcome, answer: withHeartbeat(asked.outcome.answer, heartbeat) } };
  }

  return {
    /**
     * Polls `server`, for which the caller holds a slot; doesn't reject for anything that a game server does.
     * Null if its claim expired while it waited for its address.
     */
    ask,
    /** Stops sharing pending answers, which can't be trusted. */
    forgetShared: () => shared.clear(),
  };
}

/** Adds the game machine's own report to what its protocol lacks. */
function withHeartbeat(
  answer: typeof answerWithoutFigures,
  heartbeat: NonNullable<Claimed["heartbeat"]>,
): typeof answerWithoutFigures {
  return {
    ...answer,
    players: answer.players ?? heartbeat.players,
    maxPlayers: answer.maxPlayers ?? heartbeat.max,
    version: answer.version ?? heartbeat.version,
  };
}
