// Registers the service worker in every browser with script, for its offline page.
import { useEffect } from "react";
import { WORKER_PATH } from "#shared/push.ts";

/** Waits until the page has loaded, so that it delays nothing. Skips browsers without workers or storage. */
export function useOfflinePage(): void {
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return;
    const register = () => void navigator.serviceWorker.register(WORKER_PATH).catch(() => {});
    if (document.readyState === "complete") register();
    else addEventListener("load", register, { once: true });
    return () => removeEventListener("load", register);
  }, []);
}
