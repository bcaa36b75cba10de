// Registers the service worker in every browser that runs our script, for the page that it shows while the site can't be reached.
import { useEffect } from "react";
import { WORKER_PATH } from "#shared/push.ts";

/** Waits until the page has loaded, so that nothing on it comes later. Browsers without a worker, or a place for it, do without. */
export function useOfflinePage(): void {
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return;
    const register = () => void navigator.serviceWorker.register(WORKER_PATH).catch(() => {});
    if (document.readyState === "complete") register();
    else addEventListener("load", register, { once: true });
    return () => removeEventListener("load", register);
  }, []);
}
