/** Lays a release out as a folder: the built site, the rooms of the server as they stand, and the packages that they need. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { RELEASE_FILE, type ReleaseFacts } from "../../cli/update/release-facts.ts";
import { isReadAtRunTime, listProductionPackages } from "./packages.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** What of the checkout runs, or is read by whoever runs it. `app/` is in the build; what makes, tests and measures stays at home. */
const ROOMS = [
  ...["cli", "collector", "config", "content", "db", "demo", "domain", "jobs", "outside", "shared", "web"],
  ...["deploy", "docs", "CHANGELOG.md", "LICENSE", "README.md", "Dockerfile", ".dockerignore", "compose.yaml"],
];
/** Tests, what cuts by hand, and the pictures of the documents. */
const AT_HOME = [/\.test\.ts$/, /\/make\.ts$/, /^docs\/pictures\//, /^deploy\/check-/];

/** Whether a file of the checkout, by its path from the root, is part of a release. */
export const isReleased = (file: string): boolean =>
  ROOMS.some((room) => file === room || file.startsWith(`${room}/`)) && !AT_HOME.some((pattern) => pattern.test(file));

/** Bytes of a release by what they are for, in the order of their size. */
export type Sizes = { name: string; bytes: number }[];

/**
 * Makes `folder`, which is emptied first, a release of this checkout, which is installed and built.
 * @returns how large each part of it is
 */
export function stageRelease(folder: string, facts: ReleaseFacts): Sizes {
  rmSync(folder, { recursive: true, force: true });
  const sizes = new Map<string, number>();
  const put = (file: string, part: string, to = file) => {
    const bytes = copy(path.join(ROOT, file), path.join(folder, to));
    sizes.set(part, (sizes.get(part) ?? 0) + bytes);
  };
  for (const file of trackedFiles().filter(isReleased)) put(file, "the site");
  put("cli/spawnpoint.sh", "the site", "spawnpoint");
  for (const file of filesIn("build")) if (file !== "build/made-from.txt") put(file, "the site");
  for (const place of listProductionPackages(ROOT)) {
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    for (const file of filesIn(place)) if (isReadAtRunTime(file)) put(file, name);
  }
  chmodSync(path.join(folder, "spawnpoint"), 0o755);
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(packageOf(facts.version), null, 2)}\n`);
  writeFileSync(path.join(folder, RELEASE_FILE), `${JSON.stringify(facts, null, 2)}\n`);
  const saved = strip(path.join(folder, "node_modules/node/bin/node"));
  sizes.set("node", (sizes.get("node") ?? 0) - saved);
  return [...sizes].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}

/** What Node reads of it, and who looks into it: the kind of its files, its imports, what it stands on. */
function packageOf(version: string): object {
  const { scripts, devDependencies, allowScripts, ...rest } = JSON.parse(
    readFileSync(path.join(ROOT, "package.json"), "utf8"),
  );
  const { start, spawnpoint } = scripts;
  return { ...rest, version, scripts: { start, spawnpoint } };
}

function trackedFiles(): string[] {
  const listed = spawnSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (listed.status !== 0) throw new Error("A release is made of what git keeps, and this folder is no checkout.");
  return listed.stdout.split("\0").filter((file) => file && existsSync(path.join(ROOT, file)));
}

/** Files and links below a folder of the checkout; packages inside of packages are listed by themselves. */
function filesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (!entry.isDirectory()) return [file];
    return entry.name === "node_modules" ? [] : filesIn(file);
  });
}

function copy(from: string, to: string): number {
  mkdirSync(path.dirname(to), { recursive: true });
  const found = lstatSync(from);
  if (found.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to);
    return 0;
  }
  copyFileSync(from, to);
  chmodSync(to, found.mode & 0o111 ? 0o755 : 0o644);
  return found.size;
}

/** Takes the names of its functions out of a program, a fifth of Node, where binutils are there; gives what that saved. */
function strip(program: string): number {
  const before = lstatSync(program).size;
  const run = spawnSync("strip", [program], { encoding: "utf8" });
  if (run.status !== 0) console.log("Node keeps its symbols (33 MB): `strip` of the package binutils is not here.");
  return before - lstatSync(program).size;
}
