// Answers for whoever supervises this process: is it alive, is it ready.
import type { Database } from "#db/client.ts";
import { compareMigrations, listMigrations, type Migration, readAppliedMigrations } from "#db/migrations.ts";
import { type CollectorPulse, findCollectorPulse } from "#domain/site/collector-processes.ts";
import { tryWrite, type WriteTrouble } from "#domain/site/database-writes.ts";
import type { LiveHub } from "./live/hub.ts";

/** Where supervisors ask whether this process is alive. */
export const ALIVE = "/livez";
/** Where they ask whether it is ready. */
export const READY = "/readyz";

const DATABASE_LIMIT_MS = 2_000;
/** However often readiness is asked for, a write is tried no more often than this, */
const WRITE_KEPT_MS = 1_000;
/** and the tables are asked no more often than this: who takes this process out of a balancer waits no longer for it than for a look. */
const TABLES_KEPT_MS = 500;
/** A collector pulses every two seconds; this long without a pulse and nobody watches. */
const PULSE_LIMIT_MS = 30_000;

/** Each condition of readiness with whether it holds; the process is ready when all hold. */
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
  /** Why the database takes no writes; null: it does. */
  cannot_write: CannotWrite | null;
};

export type CannotWrite = WriteTrouble | "no_answer";

/** Whether the database takes writes: null when it does. Tried once a second at most, and given up after two seconds. */
export type WriteCheck = () => Promise<CannotWrite | null>;

/** Makes the check of one database; it never rejects. */
export function createWriteCheck(database: Pick<Database, "sql">): WriteCheck {
  return keptFor<CannotWrite | null>(WRITE_KEPT_MS, () => tryWrite(database), "no_answer");
}

/** Makes what asks everything that a visitor's request may need, within two seconds; the database only now and then. */
export function createReadinessCheck(
  database: Database,
  options: { hub: Pick<LiveHub, "connected">; canWrite: WriteCheck; stopping: () => boolean },
): () => Promise<Readiness> {
  const { hub, canWrite, stopping } = options;
  const askTables = keptFor<{ migrated: boolean; isWatched: boolean } | null>(
    TABLES_KEPT_MS,
    async () => {
      const migrated = await isMigrated(database);
      // Of tables that are not ours yet nothing is asked.
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
      // Asked last: the end may have begun while the database was asked.
      stopping: stopping(),
    };
    const { stopping: isStopping, ...needed } = checks;
    return { ready: Object.values(needed).every(Boolean) && !isStopping, checks, cannot_write };
  };
}

/** Makes what asks `work` and keeps its answer for `ms`; `otherwise` where it fails or takes more than two seconds. */
function keptFor<T>(ms: number, work: () => Promise<T>, otherwise: T): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  let underWay = false;
  return () => {
    // One that hangs is not asked again beside itself.
    if (last && (underWay || performance.now() - last.at < ms)) return last.answer;
    underWay = true;
    const asked = work().finally(() => {
      underWay = false;
    });
    last = { at: performance.now(), answer: within(DATABASE_LIMIT_MS, () => asked, otherwise) };
    return last.answer;
  };
}

/** By the database's clock alone: that of this machine may be wrong. */
function isAlive(pulse: CollectorPulse | null): boolean {
  return pulse?.last_tick_at != null && pulse.now.getTime() - pulse.last_tick_at.getTime() < PULSE_LIMIT_MS;
}

/** Read once: the files may already be those of the version that takes our place. */
let known: Migration[] | undefined;

/** Whether the tables are those of this version, or of a later one. */
async function isMigrated({ sql }: Database): Promise<boolean> {
  known ??= listMigrations();
  const level = compareMigrations(await readAppliedMigrations(sql), known);
  return level.kind !== "foreign" && level.steps === known.length;
}

/** What `work` gives, or `otherwise` where it fails or takes longer than `ms`. */
async function within<T>(ms: number, work: () => Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  return Promise.race([work().catch(() => otherwise), limit]).finally(() => clearTimeout(timer));
}
