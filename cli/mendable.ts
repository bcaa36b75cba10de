/** Errors whose message is one line for the operator. */
const NAMES = [
  "BackupFileError",
  "ConfigError",
  "EmbeddedPostgresError",
  "EndedError",
  "MigrationError",
  "StartError",
  "StorageError",
];

/** Returns whether an operator can fix it, so that its message is enough; others keep their stack for a report. */
export const isMendable = (error: unknown): error is Error => error instanceof Error && NAMES.includes(error.name);
