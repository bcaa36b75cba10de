import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsNeeded, webPoolSize } from "../connection-budget.ts";
import { tunePostgres } from "./tuning.ts";

const GB = 2 ** 30;
const megabytes = (setting: string | undefined) => Number(/^(\d+)MB$/.exec(setting ?? "")?.[1]);

test("Postgres takes its share of a small and of a large machine, within bounds", () => {
  assert.equal(tunePostgres(GB / 8).shared_buffers, "16MB");
  assert.equal(tunePostgres(GB).shared_buffers, "64MB");
  assert.equal(tunePostgres(4 * GB).shared_buffers, "256MB");
  assert.equal(tunePostgres(512 * GB).shared_buffers, "256MB");
  for (const memory of [GB / 8, GB, 4 * GB, 64 * GB, 512 * GB]) {
    const { work_mem, shared_buffers, maintenance_work_mem } = tunePostgres(memory);
    // All connections of a machine with one web process, sorting at once.
    const most = megabytes(shared_buffers) + 16 * megabytes(work_mem) + megabytes(maintenance_work_mem);
    assert.ok(most < (memory / 2 ** 20) * 1.1, `${most} MB of ${memory / GB} GB`);
  }
});

test("the pools of all web processes fit in what Postgres allows", () => {
  assert.equal(webPoolSize(1), 10);
  assert.equal(connectionsNeeded(1), 62);
  for (let workers = 1; workers <= 64; workers += 1) {
    assert.ok(webPoolSize(workers) >= 4);
    assert.ok(connectionsNeeded(workers) >= workers * (webPoolSize(workers) + 6) + 4 + 20, `${workers} workers`);
  }
});
