/** Updates a checkout before anything runs: packages, Node 26, the built site. Plain JavaScript for Node 20. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { explainBuild, explainInstall, explainNode, PrepareError } from "./prepare-trouble.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Written among the sources by the build itself. */
const MADE_BY_BUILD = path.join("app", "paraglide");
/** The message compiler rewrites it unchanged: compare its content, not its time. */
const REWRITTEN_BY_BUILD = "project.inlang/settings.json";
const BUILT_FROM = [
  "app",
  "client/src",
  "content",
  REWRITTEN_BY_BUILD,
  "public",
  "shared",
  "web",
  "package-lock.json",
  ...rootScripts(),
];
const STAMP = path.join(ROOT, "build", "made-from.txt");

export { PrepareError };

/** An unpacked release is built and has its packages; nothing is installed or rebuilt. */
export const isRelease = existsSync(path.join(ROOT, "release.json"));

export const NODE = path.join(ROOT, "node_modules", "node", "bin", "node");

/** Installs a package folder if a package of its lockfile is missing or has another version. */
export function installIfNeeded(folder = ROOT) {
  if (isInstalled(folder)) return;
  console.log(`Installing packages in ${folder} (once; a minute or two) …`);
  const args = ["--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const run = npm(folder, ["ci", ...args]);
  if (run.status !== 0) refuse("The packages could not be installed", run, explainInstall(run, folder));
}

/**
 * Checks that the packaged Node runs; reports the first reason if not.
 * @param node the program; tests pass another
 */
export function checkNode(node = NODE) {
  const run = existsSync(node) ? spawnSync(node, ["--version"], { encoding: "utf8" }) : null;
  if (run?.status === 0 && Number.parseInt(run.stdout.slice(1), 10) >= 26) return;
  throw new PrepareError(explainNode(run, node));
}

/** Builds the site if any source file is newer than the build, deleted, or new. */
export function buildIfNeeded() {
  const sources = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return;
  console.log("Building the site …");
  const build = spawnSync(NODE, [path.join(ROOT, "node_modules/@react-router/dev/bin.cjs"), "build"], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production" },
    encoding: "utf8",
  });
  if (build.status !== 0) refuse("The site could not be built", build, explainBuild(build, ROOT));
  writeFileSync(STAMP, sources);
}

/** Aborts the preparation: with the known reason, or with the program's whole output. */
function refuse(what, run, known) {
  if (known !== null) throw new PrepareError(known);
  process.stderr.write(`${run.stdout ?? ""}${run.stderr ?? ""}${run.error?.message ?? ""}\n`);
  throw new PrepareError(`${what}; the reason is above.`);
}

function isInstalled(folder) {
  const wanted = readLock(path.join(folder, "package-lock.json"));
  const present = readLock(path.join(folder, "node_modules", ".package-lock.json"));
  if (wanted === null) return true;
  if (present === null) return false;
  return Object.entries(wanted).every(([where, entry]) => {
    if (where === "" || entry.link) return true;
    const found = present[where];
    // A package for another platform is rightly missing.
    if (found === undefined) return entry.optional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? null;
  } catch {
    return null;
  }
}

function npm(folder, args) {
  const script = process.env.npm_execpath;
  const viaNode = script?.endsWith(".js");
  return spawnSync(viaNode ? process.execPath : "npm", viaNode ? [script, ...args] : args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: !viaNode && process.platform === "win32",
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** The build's settings and their imports are beside package.json. */
function rootScripts() {
  return readdirSync(ROOT).filter((name) => name.endsWith(".ts"));
}

/** Hashes paths, sizes and modification times of all sources: cheaper than reading them. */
function fingerprint() {
  const hash = createHash("sha256");
  const visit = (relative) => {
    if (relative === MADE_BY_BUILD) return;
    const file = path.join(ROOT, relative);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isDirectory()) {
      for (const name of readdirSync(file).sort()) visit(path.join(relative, name));
    } else if (relative === REWRITTEN_BY_BUILD) {
      hash.update(readFileSync(file));
    } else if (!/\.test\.tsx?$/.test(relative)) {
      hash.update(`${relative} ${found.size} ${found.mtimeMs}\n`);
    }
  };
  for (const relative of BUILT_FROM) visit(relative);
  return hash.digest("hex");
}
