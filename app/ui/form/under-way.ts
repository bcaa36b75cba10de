// Tracks unanswered forms, and the link chosen meanwhile: it waits, because leaving would abort the request with an unknown
// outcome.
import type { Blocker } from "react-router";

type Held = Extract<Blocker, { state: "blocked" }>;

/** Requests with their forms. */
const underWay = new Map<Request, HTMLFormElement>();
let held: Held | null = null;
let lastWasDone = true;

/** Returns whether a form is under way; `form`: whether this one is. */
export const isUnderWay = (form?: HTMLFormElement): boolean =>
  form ? [...underWay.values()].includes(form) : underWay.size > 0;

export function begin(request: Request, form: HTMLFormElement): void {
  underWay.set(request, form);
}

/**
 * Ends a request, answered or not. Follows the waiting link if the form is done, else drops it: then the form says why.
 * @returns whether a link is followed now
 */
export function end(request: Request, done: boolean): boolean {
  if (!underWay.delete(request)) return false;
  lastWasDone = done;
  const link = held;
  if (link === null || underWay.size > 0) return false;
  held = null;
  return release(link, done);
}

/** Makes a link wait; the returned function stops that. */
export function hold(link: Held): () => void {
  if (underWay.size === 0) release(link, lastWasDone);
  else held = link;
  return () => {
    if (held === link) held = null;
  };
}

/** Follows the waiting link, whatever happens to the form. */
export function leaveNow(link: Held): void {
  underWay.clear();
  release(link, true);
}

function release(link: Held, follow: boolean): boolean {
  if (!follow) {
    link.reset();
    return false;
  }
  try {
    link.proceed();
    return true;
  } catch {
    // The router dropped it, as after each reload of the page's data.
    return false;
  }
}
