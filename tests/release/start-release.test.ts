/** A release as an operator uses it: its tarball unpacked elsewhere, started on a fresh data folder, asked, and stopped. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { listProcessesOf, makePlace, startRealSite } from "../faults/real-site.ts";

const MADE = path.join(import.meta.dirname, "../../release");

/** The tarball that was made last. */
function findTarball(): string {
  const made = readdirSync(MADE).filter((name) => name.endsWith(".tar.gz"));
  const [newest] = made.sort((a, b) => statSync(path.join(MADE, b)).mtimeMs - statSync(path.join(MADE, a)).mtimeMs);
  assert.ok(newest, "no release was made: `npm run release`");
  return newest;
}

test("the tarball of a release starts a site that answers, and that leaves no process when it stops", async (t) => {
  const tarball = findTarball();
  const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-release-"));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync("tar", ["-xzf", path.join(MADE, tarball), "-C", folder]);
  const place = await makePlace();
  t.after(() => place.remove());
  const program = path.join(folder, tarball.replace(/\.tar\.gz$/, ""), "spawnpoint");
  const site = startRealSite(place, { command: [program, "start"] });
  t.after(() => site.process.kill("SIGKILL"));
  await site.untilReady(300_000);
  assert.equal((await fetch(`${site.url}/livez`)).status, 200);
  const home = await fetch(site.url);
  assert.equal(home.status, 200);
  assert.match(await home.text(), /<\/html>\s*$/);
  site.process.kill("SIGTERM");
  assert.deepEqual(await site.ended, { code: 0, signal: null }, site.output());
  assert.deepEqual(await listProcessesOf(place.dataDir), []);
});
