// Stores the address of a viewed server for the offline page, once this browser has the service worker.
import { useEffect } from "react";

/** `address` is null if there is none to store. */
export function useSeenAddress(name: string, address: string | null): void {
  useEffect(() => {
    if (address === null || !("serviceWorker" in navigator)) return;
    const path = location.pathname;
    void navigator.serviceWorker.ready
      .then(() => import("./seen-addresses.ts"))
      .then(({ rememberAddress }) => rememberAddress({ name, address, path }))
      .catch(() => {});
  }, [name, address]);
}
