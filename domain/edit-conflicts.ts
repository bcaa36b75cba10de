// Detects two people editing one thing: a save carries the revision of its form; an outdated one changes nothing.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The time of the last change as text, in microseconds; sent with the form. */
export const revisionOf = (updatedAt: SQLWrapper): SQL<string> =>
  sql<string>`(extract(epoch from ${updatedAt}) * 1000000)::bigint::text`;

/** For `updated_at` in a save: later than any revision read before, even within one transaction. */
export const newRevision = sql`clock_timestamp()`;

/** Result of a save. `theirs`: the current values, in the shape of the form. */
export type Saved<Form> =
  | { ok: true; revision: string }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "conflict"; revision: string; theirs: Form };

/** True for the database error that a unique value is taken (Postgres: 23505). */
export const isTaken = (error: unknown): boolean => codeOf(error) === "23505";

/** True for the error that a referenced row is missing (23503). */
export const isDangling = (error: unknown): boolean => codeOf(error) === "23503";

function codeOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}
