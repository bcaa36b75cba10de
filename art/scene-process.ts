/** A process of its own for one drawing: told a plan, it answers with the files, and ends. */
import { setPriority } from "node:os";
import sharp from "sharp";
import type { ScenePlan } from "./named-scene.ts";
import { makeSceneFiles } from "./scene-files.ts";

/** Behind whatever answers people. */
const PRIORITY = 10;

setPriority(PRIORITY);
// One thread for each file, so that the encoders write the same bytes on every machine.
sharp.concurrency(1);
sharp.cache(false);
process.once("message", async (plan: ScenePlan) => {
  const made = await makeSceneFiles(plan);
  process.send?.(made, () => process.disconnect?.());
});
