// Checks with a real write whether the database accepts writes: a read-only one seems healthy until a user sends a form.
import type { Database } from "#db/client.ts";

/** `standby`: a replica of another. `read_only`: configured so. `disk_full`: no room for its files. */
export type WriteTrouble = "standby" | "read_only" | "disk_full";

/**
 * Tries writes in a few milliseconds and leaves nothing behind. Needs two checks. A row lock marks the row, goes through the
 * write-ahead log and waits for the disk; it fails where writes are refused. A sort too large for its memory fails where the disk
 * is full, which small writes wouldn't notice for a while, because Postgres creates its log files ahead.
 * @returns null when writes work. Rejects when Postgres doesn't reply.
 */
export async function tryWrite({ sql }: Pick<Database, "sql">): Promise<WriteTrouble | null> {
  try {
    return await sql.begin(async (tx) => {
      const [state] = await tx<{ standby: boolean; read_only: boolean }[]>`
        select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only,
          set_config('work_mem', '64kB', true)`;
      if (state?.standby) return "standby";
      if (state?.read_only) return "read_only";
      await tx`select count(*) from (select md5(n::text) from generate_series(1, 4000) n order by 1 offset 0) sorted`;
      // Skipped while another process checks: that one reports it, too.
      await tx`select 1 from drizzle.__drizzle_migrations order by id desc limit 1 for key share skip locked`;
      return null;
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "53100") return "disk_full";
    if (code === "25006") return "read_only";
    throw error;
  }
}
