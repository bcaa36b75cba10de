// /worker.js: the service worker as it is sent.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Added where web push is turned off: gives up the browser's subscription. */
const WITHOUT_PUSH = `on("activate", async () => (await registration.pushManager?.getSubscription())?.unsubscribe());
`;

/**
 * The worker's text. Another one takes its place in browsers as soon as a byte of it differs: after a release, and when the pages
 * that it keeps say something else.
 * @param pages what it keeps, as it is now
 * @param hasPush whether web push is turned on
 */
export function workerText(pages: readonly string[], hasPush: boolean): string {
  source ??= readFileSync(path.join(import.meta.dirname, "worker.js"), "utf8").replace(/^ *\/\/.*\n|^\s+/gm, "");
  const release = createHash("sha256").update(pages.join("\n")).digest("base64url").slice(0, 12);
  return `${source}${hasPush ? "" : WITHOUT_PUSH}// ${release}\n`;
}

let source: string | undefined;
