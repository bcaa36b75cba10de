// Two people editing one thing: a save carries the revision that its form was made from, and an older one changes nothing.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The moment of the last change as text, to the microsecond: what a form carries. */
export const revisionOf = (updatedAt: SQLWrapper): SQL<string> =>
  sql<string>`(extract(epoch from ${updatedAt}) * 1000000)::bigint::text`;

/** For `updated_at` in a save: later than any revision that was read before, even within one transaction. */
export const newRevision = sql`clock_timestamp()`;

/** What became of a save. `theirs`: how the thing stands now, in the shape of the form. */
export type Saved<Form> =
  | { ok: true; revision: string }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "conflict"; revision: string; theirs: Form };

/** Whether an error of the database says that a unique column has this value already (Postgres: 23505). */
export const isTaken = (error: unknown): boolean => codeOf(error) === "23505";

/** Whether it says that what a row points at is not there (23503). */
export const isDangling = (error: unknown): boolean => codeOf(error) === "23503";

function codeOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}
