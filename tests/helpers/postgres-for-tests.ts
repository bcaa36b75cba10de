/** A program: one throw-away Postgres with a migrated template, for as long as whoever started it lives. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { connectDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";

const log = { debug() {}, info() {}, warn: () => {} };
const dataDir = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-test-"));
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
