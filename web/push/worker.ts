// Makes the service worker /worker.js.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Added if web push is turned off: removes the browser's subscription. */
const WITHOUT_PUSH = `on("activate", async () => (await registration.pushManager?.getSubscription())?.unsubscribe());
`;

/**
 * Makes the worker's text. Browsers replace their worker when a byte of it differs: after a release, and when the pages that it
 * caches change.
 * @param pages the current pages that it caches
 * @param hasPush whether web push is turned on
 */
export function workerText(pages: readonly string[], hasPush: boolean): string {
  source ??= readFileSync(path.join(import.meta.dirname, "worker.js"), "utf8").replace(/^ *\/\/.*\n|^\s+/gm, "");
  const release = createHash("sha256").update(pages.join("\n")).digest("base64url").slice(0, 12);
  return `${source}${hasPush ? "" : WITHOUT_PUSH}// ${release}\n`;
}

let source: string | undefined;
