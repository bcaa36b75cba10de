// /worker.js: the service worker as it is sent, or the one that takes it away again where web push is turned off.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Lets go of everything that the other one has kept, and of itself; the browser's subscription goes with it. */
const LAST_WORKER = `addEventListener("install", () => skipWaiting());
addEventListener("activate", (e) => e.waitUntil(caches.delete("spawnpoint-offline").then(() => registration.unregister())));
`;

/**
 * The worker's text. Another one takes its place in browsers as soon as a byte of it differs: after a release, and when the pages
 * that it keeps say something else.
 * @param pages what it keeps, as it is now; null: web push is off
 */
export function workerText(pages: readonly string[] | null): string {
  if (pages === null) return LAST_WORKER;
  source ??= readFileSync(path.join(import.meta.dirname, "worker.js"), "utf8").replace(/^ *\/\/.*\n|^\s+/gm, "");
  const release = createHash("sha256").update(pages.join("\n")).digest("base64url").slice(0, 12);
  return `${source}// ${release}\n`;
}

let source: string | undefined;
