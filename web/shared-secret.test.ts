import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ConfigError } from "#config";
import { connectDatabase, type Database } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { nameWithCheck, refuseOtherSecret } from "./shared-secret.ts";

const ONE = "one secret of thirty-two letters";
const TWO = "two secrets are one too many here";

let database: TestDatabase;
const open: Database[] = [];

before(async () => {
  database = await createTestDatabase();
});
after(async () => {
  await Promise.all(open.map(({ close }) => close()));
  await database.drop();
});

function processWith(secret: string) {
  const pool = connectDatabase({ databaseUrl: database.url }, { max: 1, applicationName: nameWithCheck(secret) });
  open.push(pool);
  return pool;
}

test("a second secret is refused in words that hold neither; the same one, and a new one after all have gone, are not", async () => {
  const first = processWith(ONE);
  await refuseOtherSecret(first.sql, ONE);
  await refuseOtherSecret(processWith(ONE).sql, ONE);
  await assert.rejects(
    refuseOtherSecret(processWith(TWO).sql, TWO),
    (error) =>
      error instanceof ConfigError &&
      /^AUTH_SECRET must be the same on all machines/.test(error.message) &&
      !error.message.includes(ONE) &&
      !error.message.includes(TWO),
  );
  // Whoever was there first stays, even when somebody else is there by now.
  await refuseOtherSecret(first.sql, ONE);
  await Promise.all(open.splice(0).map(({ close }) => close()));
  // A connection's end is told to the list of connections a moment later.
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const [left] = await database.sql`
      SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'spawnpoint-web #%'`;
    if (left?.n === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await refuseOtherSecret(processWith(TWO).sql, TWO);
});
