/** What the embedded Postgres says when it cannot be had on this machine. */

/** The message is one line for the operator. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
  /** The files of the database are damaged: another start will not help, a backup will. */
  readonly damaged: boolean;
  constructor(message: string, { damaged = false }: { damaged?: boolean } = {}) {
    super(message);
    this.damaged = damaged;
  }
}

/** What keeps a Postgres from starting on good files; all of it can be mended without a backup. */
const NOT_THE_FILES =
  /no space left|permission denied|operation not permitted|too many open files|cannot allocate|lock file|shared memory|semaphore|could not (?:create|bind|listen)|incompatible|not compatible|read-only file system|wrong ownership|invalid permissions|parameter|configuration/i;

/** Texts with which Postgres ends over its own files. */
const THE_FILES =
  /^PANIC:|could not (?:open|read|locate|find|stat|access|seek)|invalid (?:data|page|checkpoint|primary|record|magic)|checksum|corrupt|not a valid data directory|bogus data|unexpected (?:pageaddr|data)|missing/i;

/** Whether this last text of a Postgres speaks of damaged files. */
export const speaksOfDamage = (text: string): boolean => !NOT_THE_FILES.test(text) && THE_FILES.test(text);
