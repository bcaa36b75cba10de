// Whether the database takes writes, tried for real: one that only answers questions looks well until somebody sends a form.
import type { Database } from "#db/client.ts";

/** `standby`: a replica that follows another. `read_only`: set so. `disk_full`: no room where it keeps its files. */
export type WriteTrouble = "standby" | "read_only" | "disk_full";

/**
 * Tries it, in a few milliseconds and without leaving anything behind. Two things are needed, for neither shows the other: a
 * lock on a row of ours, which marks the row, goes through the write-ahead log and waits for the disk, fails where writes
 * are refused; a sort that is too large for its memory fails where the disk has no room, which small writes would not notice
 * for a while, because Postgres makes its log's files ahead.
 * @returns null when it does. Rejects when Postgres does not answer.
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
      // Skipped where another process tries just now: that one says it, too.
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
