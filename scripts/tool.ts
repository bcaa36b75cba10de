/** `node cli/launch.mjs tool NAME …`: runs a tool that only developers need. They lie in `tools/`, installed when the first is used. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { installIfNeeded } from "../cli/prepare.mjs";

const FOLDER = path.join(import.meta.dirname, "tools");
const TOOLS: Record<string, string> = {
  biome: "@biomejs/biome/bin/biome",
  "drizzle-kit": "drizzle-kit/bin.cjs",
  knip: "knip/bin/knip.js",
};

const [name = "", ...args] = process.argv.slice(2);
const program = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
if (program === undefined) {
  console.error(`There is no tool "${name}": ${Object.keys(TOOLS).join(", ")}.`);
  process.exit(2);
}
installIfNeeded(FOLDER);
const run = spawnSync(process.execPath, [path.join(FOLDER, "node_modules", program), ...args], { stdio: "inherit" });
process.exit(run.status ?? 1);
