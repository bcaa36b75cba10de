/** The whole demo site on a small file system of its own that somebody fills up. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { listLost, startAuditingClient } from "../auditing-client.ts";
import { patience, tell } from "../figure.ts";
import { makePlace, startRealSite } from "../real-site.ts";

/** Room for the database and some of its log. */
const SIZE = "260m";
const FULL_FOR_MS = 70_000;
const PAGES = ["/", "/games/minecraft", "/dashboard"];

/** Mounts it; null where that is not allowed. */
function mountSmall(): { folder: string; unmount(): void } | null {
  const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=0755`, "spawnpoint-fault", folder]);
  const unmount = () => {
    if (status === 0) spawnSync("umount", ["-l", folder]);
    rmdirSync(folder);
  };
  if (status === 0) return { folder, unmount };
  unmount();
  return null;
}

/** Writes zeros until there is no room, and says how many megabytes they were. */
function fill(file: string): number {
  const handle = openSync(file, "a");
  let written = 0;
  for (const size of [1 << 20, 1 << 12]) {
    try {
      for (;;) written += writeSync(handle, Buffer.alloc(size));
    } catch {
      // No room for a piece of this size.
    }
  }
  closeSync(handle);
  return written / (1 << 20);
}

test("disk full: pages go on, writes are refused, and it is live again when there is room", async (t) => {
  const disk = mountSmall();
  if (disk === null) return t.skip("no file system may be mounted here");
  const place = await makePlace(disk.folder);
  const site = startRealSite(place, { env: { TRUST_PROXY: "1" } });
  t.after(async () => {
    site.process.kill("SIGTERM");
    await site.ended;
    await place.remove();
    disk.unmount();
  });
  await site.untilReady(patience(60_000));
  for (const page of PAGES) await (await fetch(site.url + page)).arrayBuffer();
  const client = await startAuditingClient(site.url);
  const database = site.openDatabase();
  t.after(() => Promise.all([client.stop(), database.close()]));
  await pause(2_000);
  await database.sql`DELETE FROM rate_limits`;
  const filler = path.join(disk.folder, "filler");
  const filled = fill(filler);
  const before = client.acknowledged.size;
  const since = performance.now();
  let pages = 0;
  while (performance.now() - since < FULL_FOR_MS) {
    for (const page of PAGES) {
      const answer = await fetch(site.url + page, { signal: AbortSignal.timeout(patience(3_000)) });
      await answer.arrayBuffer();
      assert.equal(answer.status, 200, `${page}; it said ${site.output().slice(-3000)}`);
      pages += 1;
    }
    assert.equal(site.process.exitCode, null, site.output().slice(-3000));
    // What Postgres still writes into room that it has, it may; then there is none, for its write-ahead log neither, and it ends.
    await database.sql`SELECT pg_logical_emit_message(false, 'full', repeat('x', 4000000))`.catch(() => {});
    fill(filler);
    await database.sql`DELETE FROM rate_limits`.catch(() => {});
    await pause(200);
  }
  const refusals = client.refusals.length;
  rmSync(filler);
  const room = performance.now();
  const ready = async () => (await fetch(`${site.url}/readyz`).catch(() => null))?.status === 200;
  const written = client.acknowledged.size;
  while (!(await ready()) || client.acknowledged.size === written) {
    assert.ok(performance.now() - room < patience(20_000), `not live again; it said ${site.output().slice(-3000)}`);
    await database.sql`DELETE FROM rate_limits`.catch(() => {});
    await pause(50);
  }
  const backMs = Math.round(performance.now() - room);
  await client.stop();
  const lost = await listLost(database, client);
  assert.deepEqual(lost, []);
  assert.ok(refusals > 0, "nothing was refused: the disk was not full for it");
  tell(
    t,
    "disk full",
    `${Math.round(filled)} MB filled for ${FULL_FOR_MS / 1000} s: ${pages} pages, all 200; ${written - before} writes still found room, ${refusals} refused by 503; live again ${backMs} ms after there was room, none of ${client.acknowledged.size} acknowledged writes lost`,
  );
});
