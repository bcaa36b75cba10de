// Who hears "back" before the router does: listeners of the window are called in the order in which they were added, so this file is
// loaded before the router begins.

type Listener = (event: PopStateEvent) => void;

let first: Listener | null = null;

/** From now on this one hears it, in place of any before; null: nobody does. */
export function hearBackFirst(listener: Listener | null): void {
  first = listener;
}

// None on the server.
globalThis.addEventListener?.("popstate", (event) => first?.(event));
