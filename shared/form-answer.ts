// What a form's page is told of what became of it: the same for every form, so that one notice and one set of fields show it.

/** What is wrong with fields, in the reader's words, by their names; the parts of a path are joined by dots. */
export type FieldErrors = Record<string, string>;

/** A field in which two people's versions of a thing differ. */
export type Difference = { label: string; theirs: string; yours: string };

/**
 * The status of a refused form. 400, 422: what was sent is wrong. 401, 403: the sender may not do it. 408, 413: it came too slowly,
 * or is too large. 409: it conflicts with the present state. 410: what it is about is gone. 429: too often. 500: a fault of the
 * site. 503: not possible now.
 */
export type RefusalStatus = 400 | 401 | 403 | 408 | 409 | 410 | 413 | 422 | 429 | 500 | 503;

export type FormAnswer<Given = unknown, Done = unknown> = {
  /** Which of the page's forms it was: what its field `intent` says, empty where it has none. */
  intent: string;
  status: 200 | RefusalStatus;
  /** What was sent, for the form to show again; no password, no code. */
  given: Given;
  /** What came of it; null: nothing was done, and one of the following says why. */
  done: Done | null;
  /** In whole sentences. */
  problem: string | null;
  fieldErrors: FieldErrors;
  /** Somebody else has saved it meanwhile: where their version differs from what was sent. */
  conflict: Difference[] | null;
  /** Of what is being edited: the revision that the next save names. */
  revision: string | null;
};
