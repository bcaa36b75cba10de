// Leaves the address of a game server that somebody looks at with the worker, where this browser has one.
import { useEffect } from "react";

/** `address` is null where there is none to remember. What does it is loaded only by browsers that are told of something. */
export function useSeenAddress(name: string, address: string | null): void {
  useEffect(() => {
    if (address === null || !navigator.serviceWorker?.controller) return;
    const path = location.pathname;
    void import("./seen-addresses.ts")
      .then(({ rememberAddress }) => rememberAddress({ name, address, path }))
      .catch(() => {});
  }, [name, address]);
}
