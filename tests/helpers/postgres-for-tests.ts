/** A program: one throw-away Postgres with a migrated template, for as long as whoever started it lives. */
import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { connectDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";

/** A folder in memory, where Linux has one. */
const MEMORY = "/dev/shm";
/** Some dozen databases of 11 MB each at a time, and the log of what was written, are a good gigabyte. */
const ROOM_IN_MEMORY = 4 * 1024 ** 3;

/**
 * In memory a database is copied for half the processor time, and for a seventh while the disk is busy. A container has 64 MB
 * there, and a small machine none to spare: they use the disk.
 */
async function chooseFolder(): Promise<string> {
  try {
    await access(MEMORY, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    return Math.min(bavail * bsize, os.freemem()) >= ROOM_IN_MEMORY ? MEMORY : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}

const log = { debug() {}, info() {}, warn: () => {} };
const dataDir = await mkdtemp(path.join(await chooseFolder(), "spawnpoint-test-"));
// What is thrown away anyway need not survive a power cut.
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" };
const postgres = await startEmbeddedPostgres({ dataDir, log, settings });

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await postgres.stop(true);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
}
process.on("SIGTERM", end);
process.on("SIGINT", () => {});
process.stdin.on("end", end).on("error", end).resume();

const admin = connectDatabase({ databaseUrl: postgres.url }, { max: 1 });
await admin.sql`CREATE DATABASE migrated`;
await admin.close();
const template = new URL(postgres.url);
template.pathname = "/migrated";
await migrateDatabase(template.href);
console.log(postgres.url);
