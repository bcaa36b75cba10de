// Writes the map of addresses for visitors beside the whole one, in the browser build.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { mapForVisitors, visitorsMap } from "./app/visitors-map.ts";

/** `dir`: where the scripts are, as `build/client/assets`. */
export async function writeVisitorsMap(dir: string): Promise<void> {
  const whole = (await readdir(dir)).filter((file) => /^manifest-\w+\.js$/.test(file));
  for (const file of whole) {
    const script = await readFile(path.join(dir, file), "utf8");
    await writeFile(path.join(dir, visitorsMap(`/${file}`).slice(1)), mapForVisitors(script));
  }
}
