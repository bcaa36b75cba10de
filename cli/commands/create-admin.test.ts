/** The operator's command beside a running site whose socket lies elsewhere; tests/site/first-admin.test.ts has what it makes. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import { runProgram } from "#tests/helpers/programs/run-program.ts";
import { prepareDatabase } from "./migrate.ts";

let place: string;
/** Longer than a socket's path may be (108 bytes): Postgres listens in the temporary folder then. */
let dataDir: string;
let postgres: EmbeddedPostgres;

before(async () => {
  place = await mkdtemp(path.join(tmpdir(), "create-admin-"));
  dataDir = path.join(place, "x".repeat(100));
  postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: "silent" }) });
  await prepareDatabase(postgres.url, { kind: "real", dataDir });
});

after(async () => {
  await postgres.stop();
  const socketFolder = new URL(postgres.url).searchParams.get("host");
  if (socketFolder?.startsWith(tmpdir())) await rm(socketFolder, { recursive: true, force: true });
  await rm(place, { recursive: true, force: true });
});

const run = (folder: string) =>
  runProgram(
    ["cli/spawnpoint.ts", "create-admin", "boss@example.org"],
    { DATA_DIR: folder, DATABASE_URL: "" },
    { show: false },
  );

test("it finds the database of a data folder whose path is too long for a socket, and names the folder that has none", async () => {
  const names = await readdir(path.join(dataDir, "postgres"));
  assert.ok(!names.some((name) => name.startsWith(".s.PGSQL")), "the socket lies elsewhere");
  const found = await run(dataDir);
  assert.equal(found.code, 0, found.output);
  assert.match(found.output, /reset-password\?token=/);
  const none = await run(place);
  assert.equal(none.code, 1);
  assert.ok(none.output.includes(`No running database was found in ${place}`), none.output);
});
