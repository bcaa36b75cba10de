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

/** Whether an operator can mend it, so that its message is all that is said; anything else keeps its stack for the report. */
export const isMendable = (error: unknown): error is Error => error instanceof Error && NAMES.includes(error.name);
