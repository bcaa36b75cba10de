/**
 * `npm run release`: the built site with all that it needs to run, as a folder and as a tarball with its checksum, in `release/`.
 * While CHANGELOG.md has unreleased notes, and with `--preview`, it is a preview: the version is followed by the commit.
 * `--preview` packs changes that are not committed, too.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { OPERATOR_SETTINGS } from "#config";
import type { ReleaseFacts } from "../../cli/update/release-facts.ts";
import { SUPERVISION } from "../../cli/update/replace-processes.ts";
import installed from "../../package.json" with { type: "json" };
import { checkTablesSince, hasUnreleasedNotes, notesOf, readChangelog } from "./notes.ts";
import { type Sizes, stageRelease } from "./stage.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const OUT = path.join(ROOT, "release");
const MB = 1024 ** 2;
/** Parts that are told by their name; the others are told together. */
const TOLD_MB = 1;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { preview: { type: "boolean", default: false } } });
  const facts = readFacts(values.preview);
  const name = `spawnpoint-${facts.version}-${facts.machine}`;
  const folder = path.join(OUT, name);
  console.log(`Making ${name} …`);
  printSizes(stageRelease(folder, facts));
  const tarball = `${folder}.tar.gz`;
  await pack(folder, tarball, git(["log", "-1", "--format=%ct"]));
  const sum = await sha256(tarball);
  writeFileSync(`${tarball}.sha256`, `${sum}  ${name}.tar.gz\n`);
  writeFileSync(`${folder}.md`, `# Spawnpoint ${facts.version}\n\n${facts.notes}\n`);
  console.log(`\nrelease/${name}.tar.gz: ${inMb(statSync(tarball).size)} MB, SHA-256 ${sum}`);
}

/** @throws {Error} in words, for what keeps this from being a release */
function readFacts(dirty: boolean): ReleaseFacts {
  const changelog = readChangelog(readFileSync(path.join(ROOT, "CHANGELOG.md"), "utf8"));
  const commit = git(["rev-parse", "--short=12", "HEAD"]);
  const changed = git(["status", "--porcelain"]) !== "";
  if (changed && !dirty) {
    throw new Error(
      "There are changes that nobody has committed, and a release is made of a commit: commit them first.",
    );
  }
  const { version, tablesSince } = installed;
  checkTablesSince(changelog, version, tablesSince);
  const preview = dirty || hasUnreleasedNotes(changelog);
  if (!dirty && preview)
    console.log('CHANGELOG.md has notes under "Unreleased": this is a preview of the next version.');
  return {
    version: preview ? `${version}+${commit}` : version,
    commit: changed ? `${commit}+` : commit,
    machine: `${process.platform}-${process.arch}`,
    supervision: SUPERVISION,
    tables_since: tablesSince,
    settings: OPERATOR_SETTINGS.map(({ name, help }) => ({ name, help })),
    notes: preview ? (changelog[0]?.text ?? "") : notesOf(changelog, version).text,
  };
}

function git(args: string[]): string {
  const run = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr || run.error?.message}`);
  return run.stdout.trim();
}

/**
 * Everything in one order, root's, of the second of its commit: two tarballs of one commit are alike byte by byte where the
 * build was. GNU tar writes it.
 */
async function pack(folder: string, tarball: string, seconds: string): Promise<void> {
  const order = [
    "--sort=name",
    `--mtime=@${seconds}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u+rwX,go+rX,go-w",
  ];
  const tar = spawn("tar", ["--create", "--format=gnu", ...order, "-C", path.dirname(folder), path.basename(folder)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(tar, "close");
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(tarball));
  const [code] = await ended;
  if (code !== 0) throw new Error("tar could not write the release; it takes GNU tar.");
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function printSizes(sizes: Sizes): void {
  const large = sizes.filter(({ bytes }) => bytes >= TOLD_MB * MB);
  const small = sizes.filter(({ bytes }) => bytes < TOLD_MB * MB);
  const line = (name: string, bytes: number) => console.log(`${inMb(bytes).padStart(8)} MB  ${name}`);
  for (const { name, bytes } of large) line(name, bytes);
  line(`${small.length} smaller packages`, sum(small));
  line("all of it, unpacked", sum(sizes));
}

const sum = (sizes: Sizes) => sizes.reduce((total, { bytes }) => total + bytes, 0);
const inMb = (bytes: number) => (bytes / MB).toFixed(1);

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
