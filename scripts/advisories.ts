/** Finds installed packages that a known advisory is about: `node scripts/advisories.ts [FILE.json …]`, which exits with 1 for any. */
import { readFileSync } from "node:fs";
import path from "node:path";

/** What is read of an advisory in the form of OSV (https://ossf.github.io/osv-schema/). */
export type Advisory = {
  id: string;
  summary?: string;
  withdrawn?: string;
  affected: {
    package: { ecosystem: string; name: string };
    ranges?: { type: string; events: { introduced?: string; fixed?: string; last_affected?: string }[] }[];
    versions?: string[];
  }[];
};
type Lock = { packages: Record<string, { name?: string; version?: string; link?: boolean }> };

const ROOT = path.join(import.meta.dirname, "..");
/** The folders with a lock file of their own. */
export const LOCKED = [".", "scripts/tools", "tests/heavy", "bench/lighthouse"];
const KNOWN = path.join(import.meta.dirname, "advisories.json");

/** Every package of a lock file with the version that is installed; one may be there in several. */
export const listInstalled = ({ packages }: Lock): { name: string; version: string }[] =>
  Object.entries(packages).flatMap(
    ([place, { name = place.slice(place.lastIndexOf("node_modules/") + 13), version }]) =>
      place === "" || version === undefined ? [] : [{ name, version }],
  );

/** Compares two versions by the rules of semver.org: below zero when the first is lower. */
export function compareVersions(one: string, other: string): number {
  const parse = (version: string) => {
    const [numbers = "", ...pre] = version.replace(/^v|\+.*$/g, "").split("-");
    return { numbers: numbers.split(".").map(Number), pre: pre.join("-").split(".").filter(Boolean) };
  };
  const [a, b] = [parse(one), parse(other)];
  for (let n = 0; n < 3; n += 1)
    if ((a.numbers[n] ?? 0) !== (b.numbers[n] ?? 0)) return (a.numbers[n] ?? 0) - (b.numbers[n] ?? 0);
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let n = 0; n < Math.max(a.pre.length, b.pre.length); n += 1) {
    const [left, right] = [a.pre[n], b.pre[n]];
    if (left === right) continue;
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const numeric = [left, right].map((part) => /^\d+$/.test(part));
    if (numeric[0] && numeric[1]) return Number(left) - Number(right);
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}

/** Whether an advisory is about this version of a package of npm: in its list of versions, or within one of its ranges. */
export function isAffected({ affected, withdrawn }: Advisory, name: string, version: string): boolean {
  if (withdrawn !== undefined) return false;
  const isIn = ({ type, events }: NonNullable<Advisory["affected"][number]["ranges"]>[number]): boolean => {
    if (type !== "SEMVER" && type !== "ECOSYSTEM") return false;
    const isFrom = (start?: string) => start !== undefined && (start === "0" || compareVersions(version, start) >= 0);
    const starts = events.filter(({ introduced }) => isFrom(introduced)).map(({ introduced = "0" }) => introduced);
    const start = starts.toSorted(compareVersions).at(-1);
    if (start === undefined) return false;
    // The range that began last before this version is over where an end of it is not above this version.
    return !events.some(
      ({ fixed, last_affected }) =>
        (fixed !== undefined && compareVersions(fixed, start) > 0 && compareVersions(version, fixed) >= 0) ||
        (last_affected !== undefined &&
          compareVersions(last_affected, start) >= 0 &&
          compareVersions(version, last_affected) > 0),
    );
  };
  return affected
    .filter((one) => one.package.ecosystem === "npm" && one.package.name === name)
    .some(({ ranges = [], versions = [] }) => versions.includes(version) || ranges.some(isIn));
}

/** One line for each installed package that one of the advisories is about. */
export const findAffected = (lock: Lock, advisories: readonly Advisory[]): string[] =>
  listInstalled(lock).flatMap(({ name, version }) =>
    advisories
      .filter((advisory) => isAffected(advisory, name, version))
      .map(({ id, summary = "" }) => `${name} ${version}: ${id} ${summary}`.trim()),
  );

/** The advisories of a file: one, or a list of them. */
export const readAdvisories = (file: string = KNOWN): Advisory[] => [JSON.parse(readFileSync(file, "utf8"))].flat();

/** The lock file of a folder of this repository. */
export const readLock = (folder: string): Lock =>
  JSON.parse(readFileSync(path.join(ROOT, folder, "package-lock.json"), "utf8"));

if (import.meta.main) {
  const advisories = [KNOWN, ...process.argv.slice(2)].flatMap(readAdvisories);
  const found = LOCKED.flatMap((folder) =>
    findAffected(readLock(folder), advisories).map((line) => `${folder}: ${line}`),
  );
  for (const line of found) console.error(line);
  console.log(`${advisories.length} advisories, ${found.length} of them about what is installed`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
