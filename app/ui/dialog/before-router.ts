// Handles "back" before the router: window listeners run in the order of registration, so this file is loaded before the router
// starts.

type Listener = (event: PopStateEvent) => void;

let first: Listener | null = null;

/** Sets the listener, replacing the former one; null: none. */
export function hearBackFirst(listener: Listener | null): void {
  first = listener;
}

// Missing on the server.
globalThis.addEventListener?.("popstate", (event) => first?.(event));
