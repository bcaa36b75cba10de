/** Sizes the embedded Postgres for the machine, which it shares with the site. */
import { usableMemory } from "#config";

const MB = 2 ** 20;

/**
 * Server settings for a machine with this much memory (bytes; by default what this process may use). Chosen at each start, so that
 * they fit a data folder that moved to another machine.
 */
export function tunePostgres(memory = usableMemory()): Record<string, string> {
  const share = (part: number, least: number, most: number) => {
    const megabytes = Math.round(memory / part / MB);
    return `${Math.max(least, Math.min(most, megabytes))}MB`;
  };
  return {
    // The site's data is small and read often: more would only take memory from the system's own cache.
    shared_buffers: share(16, 16, 256),
    effective_cache_size: share(2, 128, 65_536),
    // Per sort and connection.
    work_mem: share(1024, 4, 16),
    maintenance_work_mem: share(32, 32, 256),
    // How much write-ahead log a recovery may have to read: a few seconds' worth.
    max_wal_size: share(16, 96, 1024),
    // Enough for one of our commits; the default is 1/32 of shared_buffers, and all of it is used in turn.
    wal_buffers: share(512, 1, 4),
  };
}
