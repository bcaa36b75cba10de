// Answers for whoever supervises this process: is it alive, is it ready.
import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { findCollectorPulse } from "#domain/collector-processes.ts";
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
export async function checkReadiness(database: Database, hub: LiveHub, stopping: boolean): Promise<Readiness> {
  const answer = await within(DATABASE_LIMIT_MS, async () => {
    const [migrations, pulse] = await Promise.all([
      database.db.execute(sql`select to_regclass('public.gameserver_live_metrics') is not null as migrated`),
      findCollectorPulse(database.db),
    ]);
    return { migrated: migrations[0]?.migrated === true, pulse };
  });
  const checks = {
    database: answer !== null,
    migrations: answer?.migrated ?? false,
    live: hub.connected(),
    collector: Date.now() - (answer?.pulse.last_tick_at?.getTime() ?? 0) < PULSE_LIMIT_MS,
    stopping,
  };
  return { ready: checks.database && checks.migrations && checks.live && checks.collector && !stopping, checks };
}

async function within<T>(ms: number, work: () => Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([work().catch(() => null), limit]).finally(() => clearTimeout(timer));
}
