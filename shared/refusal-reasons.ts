// Lists why a request is refused in place of its page: the server's reasons, which the browser has texts for.

/** The status of each reason. */
export const REFUSAL_STATUS = {
  not_allowed: 403,
  cross_site: 403,
  elsewhere: 421,
  blocked: 403,
  nothing: 404,
  unreadable: 400,
  method: 405,
  slow: 408,
  too_large: 413,
  too_often: 429,
  failed: 500,
  busy: 503,
  database: 503,
  unavailable: 503,
} as const;

export type RefusalReason = keyof typeof REFUSAL_STATUS;
