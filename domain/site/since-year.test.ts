import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { readSiteSettings, rememberSinceYear } from "./settings.ts";

let testDb: TestDatabase;
before(async () => {
  testDb = await createTestDatabase();
});
after(() => testDb.drop());

const sinceYear = async () => (await readSiteSettings(testDb.db)).since_year;
const forget = () => testDb.sql`delete from site_settings`;
const year = new Date().getUTCFullYear();

test("a site begins in the year of its first start, and later starts leave that as it is", async () => {
  await rememberSinceYear(testDb.db, false);
  assert.equal(await sinceYear(), year);
  await testDb.sql`update site_settings set setting_value = '2019' where setting_key = 'since_year'`;
  await rememberSinceYear(testDb.db, false);
  assert.equal(await sinceYear(), 2019);
});

test("a site that is older than the setting begins with its first account", async () => {
  await forget();
  await testDb.sql`insert into users (name, email, created_at) values ('Ada', 'ada@example.org', '2021-06-01')`;
  await rememberSinceYear(testDb.db, false);
  assert.equal(await sinceYear(), 2021);
});

test("the demo begins in 2023", async () => {
  await forget();
  await rememberSinceYear(testDb.db, true);
  assert.equal(await sinceYear(), 2023);
});
