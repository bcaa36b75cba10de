/** The image, as far as it can be known without an engine: what it starts is there, and finds in it all that it imports. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const dockerfile = read("Dockerfile").replaceAll(/\\\n\s*/g, "");
/** The stage that is kept. */
const image = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
/** Programs that are started by their path, and that no import leads to. */
const STARTED = ["cli/spawnpoint.ts", "outside/gamedig-child.ts"];

test("it runs as a user without rights, and what it starts is in it", () => {
  assert.match(image, /^USER (?!root)\w+$/m);
  assert.equal(/ DATA_DIR=(\S+)/.exec(image)?.[1], /^VOLUME (\S+)$/m.exec(image)?.[1]);
  const paths = [...image.matchAll(/"\/srv\/spawnpoint\/([^"]+)"/g)].map(([, file = ""]) => file);
  assert.deepEqual(paths, ["node_modules/node/bin/node", "node_modules/node/bin/node", "cli/spawnpoint.ts"]);
  for (const file of paths) assert.ok(existsSync(path.join(ROOT, file)), file);
});

test("the program imports no package that `npm prune` takes away, and no file that stays out of the image", () => {
  const { dependencies, imports }: { [key in "dependencies" | "imports"]: Record<string, string> } = JSON.parse(
    read("package.json"),
  );
  const leftOut = read(".dockerignore")
    .split("\n")
    .filter((line) => /^\w/.test(line));
  const reached = new Set(STARTED);
  const missing: string[] = [];
  for (const file of reached) {
    if (leftOut.some((name) => file === name || file.startsWith(`${name}/`)) || file.endsWith(".test.ts"))
      missing.push(file);
    if (!file.endsWith(".ts")) continue;
    const code = read(file);
    const late = [...code.matchAll(/\bimport\("([#.][^"]+)"\)/g)];
    const atOnce = [...code.matchAll(/^(?:import|export)\s+(?!type\s)(?:[\w*{][^;"=]*?\sfrom\s+)?"([^"]+)"/gm)];
    for (const [, from = ""] of [...atOnce, ...late]) {
      if (from.startsWith("#")) reached.add(path.normalize(imports[from] ?? from.slice(1)));
      else if (from.startsWith(".")) reached.add(path.join(path.dirname(file), from));
      else if (!isBuiltin(from)) {
        const name = from
          .split("/")
          .slice(0, from.startsWith("@") ? 2 : 1)
          .join("/");
        if (!dependencies[name]) missing.push(`${file}: ${from}`);
      }
    }
  }
  assert.ok(reached.size > 200, `${reached.size} files were read`);
  assert.deepEqual(missing, []);
});
