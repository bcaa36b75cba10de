/** Frees memory after the start: an idle process would keep it for days, without a collection. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Not while the first visitors arrive. */
const AFTER_MS = 15_000;

/** Collects the start's garbage once (some 50 ms of this process's time), some time after the start. */
export function tidyAfterStart(afterMs = AFTER_MS): void {
  setTimeout(() => {
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
  }, afterMs).unref();
}
