/** Describes an unavailable or refusing database in a sentence, without a stack. */
import type { Config } from "#config";

/** Null: another error, or the embedded Postgres, which reports itself. Loads its modules on demand. */
export async function findDatabaseErrorText(
  error: unknown,
  { databaseUrl }: Pick<Config, "databaseUrl">,
): Promise<string | null> {
  if (!databaseUrl) return null;
  const [{ findDatabaseTrouble }, { hostOfDatabase }] = await Promise.all([
    import("#db/database-trouble.ts"),
    import("#db/database-address.ts"),
  ]);
  const trouble = findDatabaseTrouble(error, databaseUrl);
  if (trouble === null) return null;
  return trouble.passes
    ? `The database at ${hostOfDatabase(databaseUrl)} cannot be used: ${trouble.text}.`
    : trouble.text;
}
