/** The audit log: no formula leaves in a file, no row is changed, and what is searched is found. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createUser } from "../accounts/users.ts";
import { readListQuery } from "../paging.ts";
import { recordAudit } from "./audit.ts";
import { auditCsv, csvLine, listAuditEvents, readAuditFilter } from "./audit-log.ts";

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const list = (address: string) => {
  const url = new URL(address, "http://site");
  return listAuditEvents(database.db, readListQuery(url, ["happened_at"], "-happened_at"), readAuditFilter(url));
};

test("a cell that a spreadsheet would run is made text, and quotes do not end a cell", () => {
  for (const formula of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"]) {
    assert.equal(csvLine([formula]), `"'${formula}"\r\n`);
  }
  assert.equal(csvLine(['a"b,c\nd', "plain"]), '"a""b,c\nd","plain"\r\n');
});

test("rows can be neither changed nor taken away", async () => {
  await recordAudit(database.db, { what: "settings-changed", actor_id: null });
  for (const statement of ["update audit_events set ip = 'x'", "delete from audit_events", "truncate audit_events"]) {
    await assert.rejects(database.sql.unsafe(statement), /append-only/, statement);
  }
});

test("the log is narrowed by kind and person, searched by anything, and exported the same", async () => {
  const user = await createUser(database.db, { email: "ada@example.org", passwordHash: null, locale: "en" });
  const origin = { ip: "203.0.113.77", user_agent: '=cmd|"/C calc"!A0' };
  await recordAudit(database.db, {
    what: "role-changed",
    actor_id: user.id,
    subject: { type: "user", id: user.id },
    origin,
    details: { before: { role: "user" }, after: { role: "admin" } },
  });
  for (let n = 0; n < 60; n += 1) await recordAudit(database.db, { what: "sign-in", actor_id: user.id, origin });
  assert.equal((await list("/?what=role-changed")).total, 1);
  assert.equal((await list("/?what=nonsense")).total, 62, "an unknown kind narrows nothing");
  assert.equal((await list("/?who=ADA@ex")).total, 61);
  assert.equal((await list("/?who=nobody")).total, 0);
  assert.equal((await list("/?q=203.0.113")).total, 61);
  assert.equal((await list("/?q=%25")).total, 0, "% means itself");
  assert.equal((await list('/?q="admin"')).rows[0]?.subject?.name?.startsWith("Player-"), true);
  const second = await list("/?page=2");
  assert.deepEqual([second.rows.length, second.from], [12, 51]);
  let csv = "";
  for await (const part of auditCsv(database.db, "203.0.113", readAuditFilter(new URL("http://site/?what=sign-in"))))
    csv += part;
  assert.equal(csv.split("\r\n").length, 1 + 60 + 1);
  assert.ok(csv.includes(`"'=cmd|""/C calc""!A0"`));
  assert.doesNotMatch(csv, /role-changed/);
});

test("who acted is found among few and among very many people who are called alike", async () => {
  await database.sql.unsafe(`
    insert into users (email) select 'crowd' || n || '@example.org' from generate_series(1, 1100) n;
    insert into profiles (user_id, user_nick_name) select user_id, split_part(email, '@', 1) from users where email like 'crowd%';
    insert into audit_events (actor_id, what) select user_id, 'sign-out' from users
      where email in ('crowd7@example.org', 'crowd77@example.org', 'crowd1050@example.org')`);
  const actors = async (address: string) =>
    (await list(address)).rows.map(({ actor }) => actor?.email?.replace("@example.org", "")).sort();
  assert.deepEqual(await actors("/?who=Crowd"), ["crowd1050", "crowd7", "crowd77"]);
  assert.deepEqual(await actors("/?who=crowd7"), ["crowd7", "crowd77"]);
  assert.deepEqual(await actors("/?q=crowd&what=sign-out"), ["crowd1050", "crowd7", "crowd77"]);
  assert.deepEqual(await actors("/?q=Crowd1050"), ["crowd1050"]);
  assert.equal((await list("/?who=crowd&what=role-changed")).total, 0);
});
