/** Counts the lines of the repository by folder and kind: `node scripts/count-lines.ts`. Files that are generated or locked count apart. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "..");
const KINDS = ["production", "tests", "styles", "texts", "generated"] as const;
type Kind = (typeof KINDS)[number];

/** What a file counts as; null: it isn't counted. */
function kindOf(file: string): Kind | null {
  if (/(?:^|\/)package-lock\.json$|^db\/migrations\/meta\/|^client\/src\/operations\.ts$/.test(file))
    return "generated";
  if (/\.css$/.test(file)) return "styles";
  if (/\.md$|^shared\/messages\//.test(file)) return "texts";
  if (!/\.(?:ts|tsx|mjs|js|sql|sh)$/.test(file)) return null;
  return /^tests\/|\.(?:test|spec)\.tsx?$/.test(file) ? "tests" : "production";
}

const lines = new Map<string, Record<Kind, number>>();
const none = () => Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
const all = none();
for (const file of execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n")) {
  const kind = kindOf(file);
  if (kind === null) continue;
  const folder = file.includes("/") ? `${file.split("/", 1)[0]}/` : "(root)";
  const row = lines.get(folder) ?? none();
  const count = readFileSync(path.join(ROOT, file), "utf8").split("\n").length - 1;
  row[kind] += count;
  all[kind] += count;
  lines.set(folder, row);
}
const write = (name: string, row: Record<Kind, number>) =>
  console.log(name.padEnd(12) + KINDS.map((kind) => String(row[kind]).padStart(12)).join(""));
console.log("".padEnd(12) + KINDS.map((kind) => kind.padStart(12)).join(""));
for (const [folder, row] of [...lines].sort(([, a], [, b]) => b.production - a.production)) write(folder, row);
write("all", all);
