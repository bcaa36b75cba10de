/** N3: what it takes on a disk: a checkout with its packages and its build, and a release without what builds, checks and tests. */
import { spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { stageRelease } from "../scripts/release/stage.ts";
import type { Row } from "./instruments/row.ts";

const ROOT = path.join(import.meta.dirname, "..");
const MB = 1024 ** 2;

export async function measure(): Promise<Row[]> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-bench-"));
  try {
    const kept = spawnSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
      .stdout.split("\0")
      .filter(Boolean);
    const seen = new Set<number>();
    const checkout = ["node_modules", "build", ...kept].reduce(
      (sum, name) => sum + bytesOf(path.join(ROOT, name), seen),
      0,
    );
    const folder = path.join(scratch, "release");
    const sizes = stageRelease(folder, {
      version: "0",
      commit: "",
      machine: "",
      supervision: 0,
      tables_since: "0",
      settings: [],
      notes: "",
    });
    const release = bytesOf(folder, new Set());
    const largest = sizes.slice(0, 5).map(({ name, bytes }) => `${name} ${(bytes / MB).toFixed(0)}`);
    return [
      row("installed checkout with its build, on disk", checkout, 550, 400),
      row(`release, unpacked, on disk (${largest.join(", ")})`, release, 350, 250),
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function row(what: string, bytes: number, floor: number, goal: number): Row {
  const value = bytes / MB;
  return { claim: "N3", what, ours: `${value.toFixed(0)} MB`, value, unit: " MB", floor, goal, better: "less" };
}

/** Whole blocks, as `du` counts; a file with several names once. What is only kept to start faster is no part of it. */
function bytesOf(file: string, seen: Set<number>): number {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || seen.has(found.ino)) return 0;
  if (found.nlink > 1) seen.add(found.ino);
  const below = found.isDirectory() ? readdirSync(file).filter((name) => name !== ".cache") : [];
  return found.blocks * 512 + below.reduce((sum, name) => sum + bytesOf(path.join(file, name), seen), 0);
}
