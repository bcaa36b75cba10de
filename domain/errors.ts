// The few ways in which something can go wrong that is not an expected outcome. The web process turns them into pages.

/** The thing is not there, or the person may not know that it is. */
export class NotFoundError extends Error {
  override name = "NotFoundError";
}

/** Too many tries; `retryAfterS` says when the next one counts. */
export class TooManyTriesError extends Error {
  override name = "TooManyTriesError";
  retryAfterS: number;

  constructor(retryAfterS: number) {
    super(`Too many tries. Please wait ${retryAfterS} seconds.`);
    this.retryAfterS = retryAfterS;
  }
}
