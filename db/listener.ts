/** LISTEN on one connection for all channels; reconnects with backoff and reports it, since notifications were lost meanwhile. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { DatabaseUnavailableError } from "./database-away.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

type Subscription = {
  channel: string;
  onNotify(payload: string): void;
  onSubscribed(): void;
  /** Settles the call of `listen`. */
  first: PromiseWithResolvers<void>;
};

/**
 * Subscribes to a channel: `onNotify` with each payload, `onSubscribed` after each subscription, so after each reconnect too: read
 * again what was announced before. Resolves once subscribed, after any number of attempts; rejects when it is closed before.
 */
export type Listen = (
  channel: string,
  onNotify: (payload: string) => void,
  onSubscribed?: () => void,
) => Promise<{ unlisten(): Promise<void> }>;

export class Listener {
  readonly #config: pg.ClientConfig;
  readonly #subscriptions = new Set<Subscription>();
  readonly #ending = new AbortController();
  #running: Promise<void> | null = null;
  /** Set while connected. */
  #client: pg.Client | null = null;
  /** The last statement sent: a connection takes one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  readonly listen: Listen = async (channel, onNotify, onSubscribed = () => {}) => {
    if (this.#ending.signal.aborted) throw closed();
    const subscription = { channel, onNotify, onSubscribed, first: Promise.withResolvers<void>() };
    this.#subscriptions.add(subscription);
    if (this.#client) this.#subscribe(this.#client, [subscription]).catch(() => {});
    this.#running ??= this.#run();
    await subscription.first.promise;
    return {
      unlisten: async () => {
        this.#subscriptions.delete(subscription);
        const isShared = [...this.#subscriptions].some((other) => other.channel === channel);
        if (!isShared && this.#client)
          await this.#send(this.#client, [`UNLISTEN ${pg.escapeIdentifier(channel)}`]).catch(() => {});
      },
    };
  };

  async close(): Promise<void> {
    this.#ending.abort();
    for (const { first } of this.#subscriptions) first.reject(closed());
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const client = new pg.Client(this.#config);
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      client.on("error", () => end());
      client.on("end", () => end());
      client.on("notification", ({ channel, payload = "" }) => {
        for (const each of this.#subscriptions) if (each.channel === channel) each.onNotify(payload);
      });
      const stop = () => end();
      signal.addEventListener("abort", stop, { once: true });
      try {
        await Promise.race([client.connect(), over]);
        if (signal.aborted) break;
        this.#client = client;
        await Promise.race([this.#subscribe(client, [...this.#subscriptions]), over]);
        pauseMs = FIRST_PAUSE_MS;
        await over;
      } catch {
        // Retried below.
      } finally {
        signal.removeEventListener("abort", stop);
        this.#client = null;
        // Don't wait: a silent server never replies to the end.
        client.end().catch(() => {});
      }
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  #send(client: pg.Client, statements: string[]): Promise<unknown> {
    const sent = this.#last.then(() => client.query(statements.join("; ")));
    this.#last = sent.catch(() => {});
    return sent;
  }

  async #subscribe(client: pg.Client, subscriptions: Subscription[]): Promise<void> {
    const channels = new Set(subscriptions.map(({ channel }) => pg.escapeIdentifier(channel)));
    await this.#send(
      client,
      [...channels].map((channel) => `LISTEN ${channel}`),
    );
    for (const { onSubscribed, first } of subscriptions) {
      first.resolve();
      onSubscribed();
    }
  }
}

const closed = () => new DatabaseUnavailableError("CONNECTION_CLOSED", "the connection was closed");
