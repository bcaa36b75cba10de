// The last addresses of game servers that this browser was shown, kept for the page that the worker shows while the site cannot be
// reached.
import { OFFLINE_CACHE, SEEN_PATH, type SeenAddress } from "#shared/push.ts";

const MOST = 12;

/** Remembers one as the newest. Browsers that keep nothing (private windows, full disks) are left alone. */
export async function rememberAddress(seen: SeenAddress): Promise<void> {
  try {
    const cache = await caches.open(OFFLINE_CACHE);
    const before = (await (await cache.match(SEEN_PATH))?.json()) as SeenAddress[] | undefined;
    const others = (before ?? []).filter(({ path }) => path !== seen.path);
    await cache.put(SEEN_PATH, new Response(JSON.stringify([seen, ...others].slice(0, MOST))));
  } catch {
    // The page itself needs none of it.
  }
}
