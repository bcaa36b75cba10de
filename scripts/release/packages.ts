/** The packages that a built site needs to run, found by the lock file, and what of them nobody reads at run time. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

type Entry = {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/**
 * Where each package lies that `dependencies` lead to, with "node_modules" first. What tools bring (`devDependencies`) stays
 * out, and so does an optional package for another kind of machine, which is not installed.
 * @throws {Error} when one is missing that is not optional
 */
export function listProductionPackages(root: string): string[] {
  const lock: Record<string, Entry> = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")).packages;
  const found = new Set<string>();
  const follow = (at: string) => {
    const { dependencies, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta } = lock[at] ?? {};
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])) {
      const place = placeOf(lock, at, name);
      if (place === null || !existsSync(path.join(root, place))) {
        if (name in optionalDependencies) continue;
        throw new Error(`${name}, which ${at || "the site"} needs, is not installed: run \`npm ci\``);
      }
      if (found.has(place)) continue;
      found.add(place);
      follow(place);
    }
  };
  follow("");
  return [...found].sort();
}

/** Where Node finds a package that the one at `from` asks for: beside it, or further up. */
function placeOf(lock: Record<string, Entry>, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules") - 1))) {
    const place = path.posix.join(folder, "node_modules", name);
    if (lock[place]) return place;
    if (folder === "") return null;
  }
}

/**
 * Types, maps to sources that are not there, words for people, what is linked into other programs, and React for measuring. (That
 * with its warnings stays: Node learns from it what React exports.)
 */
const NEVER_READ = [
  /\.d\.[cm]?ts$/,
  /\.map$/,
  /\.(?:md|markdown)$/i,
  /\.a$/,
  /\.flow$/,
  /\.tsbuildinfo$/,
  /^node_modules\/react(?:-dom)?\/cjs\/.*\.profiling\.js$/,
  /\/(?:pkgconfig|pgxs)\//,
];
/** What the law wants to travel along, whatever it is called. */
const LEGAL = /(?:^|\/)(?:licen[cs]e|copying|notice)[^/]*$/i;

/** Whether a file of a package, by its path from the root, has to be there for the site to run. */
export const isReadAtRunTime = (file: string): boolean =>
  LEGAL.test(file) || !NEVER_READ.some((pattern) => pattern.test(file));
