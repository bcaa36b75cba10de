// Defines the result of a form for its page: the same for every form, so that one notice and one set of fields show it.

/** The errors of fields, in the reader's language, by field name; the parts of a path are joined by dots. */
export type FieldErrors = Record<string, string>;

/** A field that differs between two people's versions. */
export type Difference = { label: string; theirs: string; yours: string };

/**
 * The status of a refused form. 400, 422: the values are wrong. 401, 403: the sender may not do it. 408, 413: it came too slowly,
 * or is too large. 409: it conflicts with the present state. 410: its subject is gone. 429: too often. 500: a fault of the site.
 * 503: not possible now.
 */
export type RefusalStatus = 400 | 401 | 403 | 408 | 409 | 410 | 413 | 422 | 429 | 500 | 503;

export type FormAnswer<Given = unknown, Done = unknown> = {
  /** Which of the page's forms it was: the value of its field `intent`, empty if it has none. */
  intent: string;
  status: 200 | RefusalStatus;
  /** The sent values, for the form to show again; no password, no code. */
  given: Given;
  /** The result; null: nothing was done, and one of the following gives the reason. */
  done: Done | null;
  /** In whole sentences. */
  problem: string | null;
  fieldErrors: FieldErrors;
  /** Another person has saved it meanwhile: the differences between their version and the sent one. */
  conflict: Difference[] | null;
  /** The revision of the edited record, for the next save. */
  revision: string | null;
};
