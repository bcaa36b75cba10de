// Answers for whoever supervises this process: is it alive, is it ready.
import type { Database } from "#db/client.ts";
import { compareMigrations, listMigrations, type Migration, readAppliedMigrations } from "#db/migrations.ts";
import { type CollectorPulse, findCollectorPulse } from "#domain/collector-processes.ts";
import type { LiveHub } from "./live-hub.ts";

const DATABASE_LIMIT_MS = 2_000;
/** A collector pulses every second; this long without a pulse and nobody watches. */
const PULSE_LIMIT_MS = 30_000;

/** Each condition of readiness with whether it holds; the process is ready when all hold. */
export type Readiness = {
  ready: boolean;
  checks: { database: boolean; migrations: boolean; live: boolean; collector: boolean; stopping: boolean };
};

/** Asks everything that a visitor's request may need, within two seconds. */
export async function checkReadiness(
  database: Database,
  hub: Pick<LiveHub, "connected">,
  stopping: boolean,
): Promise<Readiness> {
  const answer = await within(DATABASE_LIMIT_MS, async () => {
    const migrated = await isMigrated(database);
    // Of tables that are not ours yet nothing is asked.
    return { migrated, pulse: migrated ? await findCollectorPulse(database.db) : null };
  });
  const checks = {
    database: answer !== null,
    migrations: answer?.migrated ?? false,
    live: hub.connected(),
    collector: isAlive(answer?.pulse ?? null),
    stopping,
  };
  return { ready: checks.database && checks.migrations && checks.live && checks.collector && !stopping, checks };
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

async function within<T>(ms: number, work: () => Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([work().catch(() => null), limit]).finally(() => clearTimeout(timer));
}
