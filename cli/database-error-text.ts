/** A database that is away, or refuses us, as a sentence and no stack. */
import type { Config } from "#config";

/** Null: it is something else, or the embedded Postgres, about which it speaks itself. Loads what it needs only then. */
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
