/** Aborts statements when Postgres falls silent: checks for a sign of life over a connection of its own. */
import pg from "pg";
import { DatabaseUnavailableError } from "./database-away.ts";

/** How often waiting statements are checked, in ms. */
const LOOK_MS = 250;
/** The most that one interval between checks counts: a stall of this process is no silence of Postgres. */
const LOOK_COUNTS_MS = 2 * LOOK_MS;
/** The extra connection closes after this time without a slow statement, in ms. */
const IDLE_MS = 20_000;

/**
 * While statements wait, sends `SELECT 1` beside them. Without a reply for `limitMs` rejects every waiting statement, and new ones
 * at once until Postgres replies again. A slow statement of a responding Postgres may continue.
 */
export class SignOfLife {
  readonly #limitMs: number;
  readonly #probe: pg.Pool;
  readonly #waiting = new Set<(error: Error) => void>();
  #timer: NodeJS.Timeout | null = null;
  #asking = false;
  #silent = false;
  #lookedAt = 0;
  /** How long statements have waited since the last reply, in ms; null while none waits. */
  #unansweredMs: number | null = null;

  constructor(config: pg.PoolConfig, limitMs: number) {
    this.#limitMs = limitMs;
    this.#probe = new pg.Pool({ ...config, max: 1, idleTimeoutMillis: IDLE_MS, query_timeout: limitMs });
    this.#probe.on("error", () => {});
    this.#probe.on("connect", (client) => client.on("error", () => {}));
  }

  /** Settles as `work` does, or rejects with a {@link DatabaseUnavailableError} when Postgres falls silent meanwhile. */
  during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#silent) return Promise.reject(silence());
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      this.#watch();
      Promise.try(work)
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }

  /** Rejects all waiting statements with `reason`. */
  stop(reason: Error): void {
    clearInterval(this.#timer ?? undefined);
    this.#rejectAll(reason);
    // Don't wait: a silent server never replies to the end.
    this.#probe.end().catch(() => {});
  }

  #watch(): void {
    if (this.#timer !== null) return;
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  #look(): void {
    const sinceLook = Math.min(performance.now() - this.#lookedAt, LOOK_COUNTS_MS);
    this.#lookedAt = performance.now();
    if (this.#waiting.size === 0 && !this.#silent) {
      this.#unansweredMs = null;
      clearInterval(this.#timer ?? undefined);
      this.#timer = null;
      return;
    }
    this.#unansweredMs = this.#unansweredMs === null ? 0 : this.#unansweredMs + sinceLook;
    if (!this.#asking) this.#ask();
    if (this.#unansweredMs < this.#limitMs) return;
    this.#silent = true;
    this.#rejectAll(silence());
  }

  #rejectAll(reason: Error): void {
    for (const reject of this.#waiting) reject(reason);
    this.#waiting.clear();
  }

  #ask(): void {
    this.#asking = true;
    this.#probe
      .query("SELECT 1")
      // A refusal by Postgres (no connection is free) is a sign of life too.
      .catch((error: unknown) => error instanceof pg.DatabaseError || Promise.reject(error))
      .then(() => {
        this.#unansweredMs = null;
        this.#silent = false;
      })
      .catch(() => {})
      .finally(() => {
        this.#asking = false;
      });
  }
}

const silence = () => new DatabaseUnavailableError("CONNECTION_SILENT", "Postgres does not answer");
