/** Error when the embedded Postgres can't run on this machine. */

/** The message is one line for the operator. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
  /** The database files are damaged: restarting won't help, a backup will. */
  readonly damaged: boolean;
  constructor(message: string, { damaged = false }: { damaged?: boolean } = {}) {
    super(message);
    this.damaged = damaged;
  }
}

/** Errors that stop Postgres from starting on good files; all can be fixed without a backup. */
const NOT_THE_FILES =
  /no space left|permission denied|operation not permitted|too many open files|cannot allocate|lock file|shared memory|semaphore|could not (?:create|bind|listen)|incompatible|not compatible|read-only file system|wrong ownership|invalid permissions|parameter|configuration/i;

/** Errors with which Postgres ends over its own files. */
const THE_FILES =
  /^PANIC:|could not (?:open|read|locate|find|stat|access|seek)|invalid (?:data|page|checkpoint|primary|record|magic)|checksum|corrupt|not a valid data directory|bogus data|unexpected (?:pageaddr|data)|missing/i;

/** True if Postgres' last text reports damaged files. */
export const speaksOfDamage = (text: string): boolean => !NOT_THE_FILES.test(text) && THE_FILES.test(text);
