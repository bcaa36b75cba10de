/** The connection pool: each statement or transaction takes one; a failed connection is destroyed and replaced. */
import pg from "pg";
import { DatabaseUnavailableError } from "./database-away.ts";
import { SignOfLife } from "./sign-of-life.ts";

/** Runs one statement. Rejects with Postgres' `pg.DatabaseError`, or with a {@link DatabaseUnavailableError}. */
export type Run = (statement: pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;

/** Wraps `run` for one transaction: refuses a statement after its COMMIT or ROLLBACK, which would run outside of it. */
export function ofTransaction(run: Run): Run {
  let isOver = false;
  return (statement, values) => {
    const ends = /^(?:commit|rollback)$/i.test(statement.text);
    if (isOver && !ends) return Promise.reject(new Error(`the transaction is over: ${statement.text}`));
    isOver ||= ends;
    return run(statement, values);
  };
}

/** After a connection failed to open, others fail with its error for this long, in ms, to avoid a storm of attempts. */
const RETRY_AFTER_MS = 100;

/** A checked-out connection. Runs its statements one after the other; refuses each once the connection is lost. */
export class Connection {
  readonly client: pg.PoolClient;
  readonly #life: SignOfLife;
  readonly #released: () => void;
  #lost: Error | null = null;
  #isReleased = false;
  #last: Promise<unknown> = Promise.resolve();
  #failed: unknown;

  constructor(client: pg.PoolClient, life: SignOfLife, released: () => void) {
    this.client = client;
    this.#life = life;
    this.#released = released;
    client.on("error", this.#onError);
    client.on("end", this.#onEnd);
  }

  readonly query: Run = (statement, values) => {
    const result = this.#last.then(() => this.#send(statement, values));
    this.#last = result.catch(() => {});
    return result;
  };

  /** Waits for `work` on this connection (a COPY) as `query` does for a statement. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lost) throw this.#lost;
    try {
      return await this.#life.during(work);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) this.#lost ??= error;
      throw this.#lost ?? error;
    }
  }

  /** Returns it to the pool; destroys it if it is lost. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.client.off("error", this.#onError);
    this.client.off("end", this.#onEnd);
    this.client.release(this.#lost ?? undefined);
    this.#released();
  }

  /** Destroys it, even during a statement. */
  cut(): void {
    this.#lost ??= closed();
    this.release();
  }

  readonly #onError = (error: Error) => {
    this.#lost ??= toUnavailable(error);
  };
  readonly #onEnd = () => {
    this.#lost ??= new DatabaseUnavailableError("CONNECTION_LOST", "the connection to Postgres was lost");
  };

  async #send(statement: pg.QueryConfig, values: unknown[] | undefined): Promise<pg.QueryResult> {
    const result = await this.during(() => this.client.query(statement, values)).catch((error: unknown) => {
      this.#failed = error;
      throw error;
    });
    // Postgres replies to COMMIT with ROLLBACK if a statement of the transaction failed and the failure was ignored.
    if (result.command === "ROLLBACK" && /^commit\b/i.test(statement.text)) {
      throw new Error("nothing of the transaction was kept: one of its statements failed", { cause: this.#failed });
    }
    return result;
  }
}

export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #life: SignOfLife;
  readonly #checkedOut = new Set<Connection>();
  #closing: Promise<void> | null = null;
  #failure: { error: Error; until: number } | null = null;

  /** @param silenceMs how long Postgres may be silent before statements are aborted */
  constructor(config: pg.PoolConfig, silenceMs: number) {
    this.#pool = new pg.Pool(config);
    this.#life = new SignOfLife(config, silenceMs);
    // A lost connection fails the statements that use it; without these listeners it would end the process.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** Checks a connection out: return it with `release`. @throws {DatabaseUnavailableError | pg.DatabaseError} */
  async connect(): Promise<Connection> {
    if (this.#failure && performance.now() < this.#failure.until) throw this.#failure.error;
    let connecting: Promise<pg.PoolClient> | undefined;
    try {
      const client = await this.#life.during(() => {
        connecting = this.#pool.connect();
        return connecting;
      });
      this.#failure = null;
      const connection = new Connection(client, this.#life, () => this.#checkedOut.delete(connection));
      this.#checkedOut.add(connection);
      return connection;
    } catch (error) {
      // Abandoned before it opened: return it once it opens.
      connecting?.then((late) => late.release()).catch(() => {});
      const failure = toUnavailable(error);
      if (this.#pool.totalCount === 0) this.#failure = { error: failure, until: performance.now() + RETRY_AFTER_MS };
      throw failure;
    }
  }

  /** Runs one statement on any connection. */
  readonly query: Run = async (statement, values) => {
    const connection = await this.connect();
    try {
      return await connection.query(statement, values);
    } finally {
      connection.release();
    }
  };

  /** Accepts nothing new, waits for checked-out connections for at most `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    const ended = this.#pool.end();
    const timer = setTimeout(() => {
      for (const connection of this.#checkedOut) connection.cut();
    }, graceMs);
    await ended;
    clearTimeout(timer);
    this.#life.stop(closed());
  }
}

const closed = () => new DatabaseUnavailableError("CONNECTION_CLOSED", "the connection was closed");

/** Errors of Postgres and of the network stay unchanged; the driver's own connection errors have no code. */
export function toUnavailable(error: unknown): Error {
  if (error instanceof pg.DatabaseError || error instanceof DatabaseUnavailableError) return error;
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error;
  return new DatabaseUnavailableError("CONNECTION_LOST", "the connection to Postgres was lost", { cause: error });
}
