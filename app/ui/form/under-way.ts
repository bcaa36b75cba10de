// Forms that were sent and are not answered yet, and the link that somebody chose meanwhile: it waits, because leaving would
// end the request, and nobody would know whether it was saved.
import type { Blocker } from "react-router";

type Held = Extract<Blocker, { state: "blocked" }>;

/** Each with its form. */
const underWay = new Map<Request, HTMLFormElement>();
let held: Held | null = null;
let lastWasDone = true;

/** Whether a form is under way; `form`: whether this one is. */
export const isUnderWay = (form?: HTMLFormElement): boolean =>
  form ? [...underWay.values()].includes(form) : underWay.size > 0;

export function begin(request: Request, form: HTMLFormElement): void {
  underWay.set(request, form);
}

/**
 * It is answered, or given up. The link that waited is followed where the form is done, and dropped where it is not: then the
 * form says why.
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

/** A link waits from now on; the function that this returns says that it does no more. */
export function hold(link: Held): () => void {
  if (underWay.size === 0) release(link, lastWasDone);
  else held = link;
  return () => {
    if (held === link) held = null;
  };
}

/** Follows the link that waits, whatever becomes of the form. */
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
    // The router has dropped it, as it does whenever it has read the page anew.
    return false;
  }
}
