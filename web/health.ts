// Checks for supervisors whether this process is alive and ready.
import type { Database } from "#db/client.ts";
import { compareMigrations, listMigrations, type Migration, readAppliedMigrations } from "#db/migrations.ts";
import { type CollectorPulse, findCollectorPulse } from "#domain/site/collector-processes.ts";
import { tryWrite, type WriteTrouble } from "#domain/site/database-writes.ts";
import type { LiveHub } from "./live/hub.ts";

/** The liveness address for supervisors. */
export const ALIVE = "/livez";
/** The readiness address. */
export const READY = "/readyz";

const DATABASE_LIMIT_MS = 2_000;
/** The minimum interval between test writes, however often readiness is checked. */
const WRITE_KEPT_MS = 1_000;
/** The minimum interval between queries of the tables, no longer than a balancer's between its checks. */
const TABLES_KEPT_MS = 500;
/** A collector pulses every two seconds; without a pulse for this long it counts as gone. */
const PULSE_LIMIT_MS = 30_000;

/** Each condition of readiness; the process is ready when all hold. */
export type Readiness = {
  ready: boolean;
  checks: {
    database: boolean;
    writes: boolean;
    migrations: boolean;
    live: boolean;
    collector: boolean;
    stopping: boolean;
  };
  /** Why the database rejects writes; null: it accepts them. */
  cannot_write: CannotWrite | null;
};

export type CannotWrite = WriteTrouble | "no_answer";

/** Checks whether the database accepts writes; null if it does. Tries once a second at most, and gives up after two seconds. */
export type WriteCheck = () => Promise<CannotWrite | null>;

/** Makes the write check of one database; it never rejects. */
export function createWriteCheck(database: Pick<Database, "sql">): WriteCheck {
  return keptFor<CannotWrite | null>(WRITE_KEPT_MS, () => tryWrite(database), "no_answer");
}

/** Makes the readiness check, which covers all that a visitor's request may need, within two seconds; caches the database part. */
export function createReadinessCheck(
  database: Database,
  options: { hub: Pick<LiveHub, "connected">; canWrite: WriteCheck; stopping: () => boolean },
): () => Promise<Readiness> {
  const { hub, canWrite, stopping } = options;
  const askTables = keptFor<{ migrated: boolean; isWatched: boolean } | null>(
    TABLES_KEPT_MS,
    async () => {
      const migrated = await isMigrated(database);
      // Tables of an unmigrated database are not queried.
      return { migrated, isWatched: migrated && isAlive(await findCollectorPulse(database.db)) };
    },
    null,
  );
  return async () => {
    const [answer, cannot_write] = await Promise.all([askTables(), canWrite()]);
    const checks = {
      database: answer !== null,
      writes: cannot_write === null,
      migrations: answer?.migrated ?? false,
      live: hub.connected(),
      collector: answer?.isWatched ?? false,
      // Read last: stopping may have begun during the queries.
      stopping: stopping(),
    };
    const { stopping: isStopping, ...needed } = checks;
    return { ready: Object.values(needed).every(Boolean) && !isStopping, checks, cannot_write };
  };
}

/** Makes a function that runs `work` and caches its result for `ms`; `otherwise` if it fails or takes more than two seconds. */
function keptFor<T>(ms: number, work: () => Promise<T>, otherwise: T): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  let underWay = false;
  return () => {
    // A hanging run is not started a second time in parallel.
    if (last && (underWay || performance.now() - last.at < ms)) return last.answer;
    underWay = true;
    const asked = work().finally(() => {
      underWay = false;
    });
    last = { at: performance.now(), answer: within(DATABASE_LIMIT_MS, () => asked, otherwise) };
    return last.answer;
  };
}

/** By the database's clock alone: this machine's may be wrong. */
function isAlive(pulse: CollectorPulse | null): boolean {
  return pulse?.last_tick_at != null && pulse.now.getTime() - pulse.last_tick_at.getTime() < PULSE_LIMIT_MS;
}

/** Read once: the files may later be those of the version that replaces this one. */
let known: Migration[] | undefined;

/** Checks whether the tables are those of this version, or of a later one. */
async function isMigrated({ sql }: Database): Promise<boolean> {
  known ??= listMigrations();
  const level = compareMigrations(await readAppliedMigrations(sql), known);
  return level.kind !== "foreign" && level.steps === known.length;
}

/** Resolves to the result of `work`, or to `otherwise` if it fails or takes longer than `ms`. */
async function within<T>(ms: number, work: () => Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  return Promise.race([work().catch(() => otherwise), limit]).finally(() => clearTimeout(timer));
}
