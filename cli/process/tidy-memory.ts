/** Gives back what starting took: a process that has little to do would keep it for days, because nothing makes it look. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Not in the moments in which the first visitors come. */
const AFTER_MS = 15_000;

/** Collects the garbage of the start once (some 50 ms of this process's time), when the start is a while ago. */
export function tidyAfterStart(afterMs = AFTER_MS): void {
  setTimeout(() => {
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
  }, afterMs).unref();
}
