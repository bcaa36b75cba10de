/** The image, as far as it can be known without an engine: what it starts is in the release that it is made of. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { isReleased } from "../scripts/release/stage.ts";

const ROOT = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const image = read("Dockerfile").replaceAll(/\\\n\s*/g, "");

test("it runs as a user without rights, and what it starts is in it", () => {
  assert.match(image, /^USER (?!root)\w+$/m);
  assert.equal(/ DATA_DIR=(\S+)/.exec(image)?.[1], /^VOLUME (\S+)$/m.exec(image)?.[1]);
  const paths = [...image.matchAll(/"\/srv\/spawnpoint\/([^"]+)"/g)].map(([, file = ""]) => file);
  assert.deepEqual(paths, ["node_modules/node/bin/node", "node_modules/node/bin/node", "cli/spawnpoint.ts"]);
  for (const file of paths) assert.ok(existsSync(path.join(ROOT, file)), file);
  const leftOut = read(".dockerignore").split("\n");
  for (const folder of paths.map((file) => file.slice(0, file.indexOf("/")))) assert.ok(!leftOut.includes(folder));
});

test("it is made of a release alone, which brings it along with what compose needs", () => {
  assert.match(image, /^COPY release\.json \.\/$/m);
  assert.ok(!existsSync(path.join(ROOT, "release.json")), "a checkout has none");
  for (const file of ["Dockerfile", ".dockerignore", "compose.yaml"]) assert.ok(isReleased(file), file);
});
