/** Loaded into a process that is measured from outside: SIGUSR2 has it throw away what nobody holds any more. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
process.on("SIGUSR2", () => {
  collect();
  collect();
});
