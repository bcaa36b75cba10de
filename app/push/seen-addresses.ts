// Stores the last server addresses that this browser was shown, for the offline page of the service worker.
import { OFFLINE_CACHE, SEEN_PATH, type SeenAddress } from "#shared/push.ts";

const MOST = 12;

/** Stores an address as the newest. Does nothing in browsers without storage (private windows, full disks). */
export async function rememberAddress(seen: SeenAddress): Promise<void> {
  try {
    const cache = await caches.open(OFFLINE_CACHE);
    const before = (await (await cache.match(SEEN_PATH))?.json()) as SeenAddress[] | undefined;
    const others = (before ?? []).filter(({ path }) => path !== seen.path);
    await cache.put(SEEN_PATH, new Response(JSON.stringify([seen, ...others].slice(0, MOST))));
  } catch {
    // The page itself doesn't need it.
  }
}
