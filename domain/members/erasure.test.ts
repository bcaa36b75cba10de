/** How an account ends: what is refused, what may be taken back, what is gone, and what is kept until when. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, mock, test } from "node:test";
import { createObjectStorage, type ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { goodPictures } from "#tests/helpers/picture-files.ts";
import { createUser, type User } from "../accounts/users.ts";
import { createContact } from "../inbox/contacts.ts";
import { queueMail } from "../mails.ts";
import { recordAudit } from "../site/audit.ts";
import { removeUser } from "./acts.ts";
import { saveAvatar } from "./avatars.ts";
import {
  deactivateAccount,
  eraseDueAccounts,
  hashAddress,
  keepAccount,
  listErasedAccounts,
  sweepErasedAccounts,
} from "./erasure.ts";
import { exportAccount } from "./export.ts";
import { updateRole } from "./roles.ts";

const SECRET = "a secret of thirty-two characters";
const origin = { ip: "203.0.113.7", user_agent: "test" };
let database: TestDatabase;
let dataDir: string;
let storage: ObjectStorage;
let token = "";

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "spawnpoint-erasure-"));
  storage = createObjectStorage({ dataDir });
});

after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const parts = () => ({ db: database.db, storage, secret: SECRET });
const fail = (error: StorageError) => assert.fail(error);
const due = (user: User) => database.sql`update users set erase_after = now() where user_id = ${user.id}`;
const exists = async (user: User) => (await database.sql`select 1 from users where user_id = ${user.id}`).length === 1;
const deactivate = (user: User) =>
  deactivateAccount(database.db, user.id, {
    graceDays: 14,
    link: (made) => {
      token = made;
      return `https://example.org/keep-account?token=${made}`;
    },
    origin,
  });

async function member(name: string): Promise<User> {
  const user = await createUser(database.db, {
    email: `${name}@example.org`,
    passwordHash: "hash",
    locale: "de",
    emailVerified: true,
  });
  await database.sql`insert into sessions (user_id, token_hash, expires_at) values (${user.id}, ${`token-${name}`}, now() + interval '1 day')`;
  await recordAudit(database.db, { what: "sign-in", actor_id: user.id, origin });
  return user;
}

test("the only admin cannot leave; of two who leave at the same moment one stays", async () => {
  const [one, two] = [await member("admin-one"), await member("admin-two")];
  await updateRole(database.db, one.id, "admin");
  assert.equal(await deactivate(one), null);
  await updateRole(database.db, two.id, "admin");
  const left = await Promise.all([deactivate(one), deactivate(two)]);
  assert.equal(left.filter((end) => end === null).length, 1);
});

test("from the wish on nobody is signed in, and the mail with its way back is queued", async () => {
  const user = await member("leaving");
  const end = await deactivate(user);
  assert.ok(end && Math.abs(end.getTime() - Date.now() - 14 * 86_400_000) < 60_000);
  assert.equal((await database.sql`select 1 from sessions where user_id = ${user.id}`).length, 0);
  const [mail] =
    await database.sql`select template, locale, payload as data from notification_deliveries where mail_to = ${user.email}`;
  assert.deepEqual([mail?.template, mail?.locale], ["account-deletion-started", "de"]);
  assert.match(String(mail?.data.link), /keep-account\?token=/);
  assert.equal(await deactivate(user), null);
  assert.equal(await eraseDueAccounts(parts(), fail), 0, "nothing is erased before its time");
});

test("the link keeps the account, once; after that it stays", async () => {
  const user = await member("staying");
  await deactivate(user);
  assert.equal(await keepAccount(database.db, "another", origin), null);
  assert.equal((await keepAccount(database.db, token, origin))?.id, user.id);
  assert.equal(await keepAccount(database.db, token, origin), null);
  const [row] = await database.sql`select deactivated_at, erase_after from users where user_id = ${user.id}`;
  assert.deepEqual({ ...row }, { deactivated_at: null, erase_after: null });
});

test("with an account whose address nobody confirmed goes nothing that was written from that address", async () => {
  const claimant = await member("claimed");
  await database.sql`update users set email_verified = false where user_id = ${claimant.id}`;
  const contact = { name: "Owner", email: "Claimed@example.org", message: "hello", request: null };
  await createContact(database.db, contact, { locale: "en", operatorEmail: "desk@example.org" });
  await deactivate(claimant);
  await due(claimant);
  assert.equal(await eraseDueAccounts(parts(), fail), 1);
  const left = await database.sql`
    select 'message' as what from contacts where email = 'Claimed@example.org'
    union all select reply_to from notification_deliveries where mail_to = 'desk@example.org' order by what`;
  assert.deepEqual(
    [...left].map(({ what }) => what),
    ["Claimed@example.org", "message"],
  );
  await database.sql`delete from contacts`;
  await database.sql`delete from notification_deliveries`;
  await database.sql`delete from erased_accounts`;
});

test("a due account is erased with all that the export holds; a keyed hash and dates stay for twelve months", async () => {
  const [user, other] = [await member("gone"), await member("other")];
  await saveAvatar(parts(), { user_id: user.id, origin: { ip: "", user_agent: "" } }, (await goodPictures()).png, fail);
  await database.sql`insert into contacts (name, email, message, locale) values ('Me', 'Gone@example.org', 'hello', 'en')`;
  await recordAudit(database.db, { what: "role-changed", actor_id: other.id, subject: { type: "user", id: user.id } });
  await deactivate(user);
  await due(user);
  assert.equal(await eraseDueAccounts(parts(), fail), 1);

  const held = await exportAccount(parts(), { user_id: user.id, email: user.email });
  const left = Object.entries(held.tables).filter(([, rows]) => rows.length > 0);
  assert.deepEqual(
    left.map(([table, rows]) => [table, rows.length, rows[0]?.template]),
    [
      ["erased_accounts", 1, undefined],
      ["notification_deliveries", 1, "account-deleted"],
    ],
  );
  assert.equal(held.avatar, null);
  assert.equal((await database.sql`select 1 from verifications where value like ${`%${user.id}%`}`).length, 0);
  assert.ok(
    (await database.sql`select 1 from audit_events where actor_id = ${other.id}`).length > 0,
    "others' rows stay",
  );
  assert.ok(await exists(other));

  const [kept, ...more] = await database.sql`select *, keep_until - erased_at as kept_for from erased_accounts`;
  assert.equal(more.length, 0);
  assert.equal(kept?.email_hash, hashAddress(SECRET, "Gone@Example.org"));
  assert.doesNotMatch(JSON.stringify(kept), /gone@/i);
  assert.notEqual(kept?.email_hash, hashAddress("another secret", user.email));
  const months = (new Date(kept?.keep_until).getTime() - Date.now()) / 86_400_000;
  assert.ok(months > 364 && months < 367);

  await sweepErasedAccounts(database.db);
  assert.equal((await database.sql`select 1 from erased_accounts`).length, 1);
  await database.sql`update erased_accounts set keep_until = now() - interval '1 second'`;
  await sweepErasedAccounts(database.db);
  assert.equal((await database.sql`select 1 from erased_accounts`).length, 0);
});

test("whoever comes back is known by what was kept, until its end, and takes it along", async () => {
  const user = await member("returning");
  await deactivate(user);
  await due(user);
  assert.equal(await eraseDueAccounts(parts(), fail), 1);
  const again = await member("Returning");
  assert.notEqual(again.id, user.id);
  const known = await listErasedAccounts(parts(), "Returning@example.org");
  assert.equal(known.length, 1);
  assert.equal(known[0]?.registered_at, user.createdAt.toISOString());
  assert.ok(known[0] && known[0].deactivated_at <= known[0].erased_at && known[0].erased_at < known[0].keep_until);
  assert.deepEqual(await listErasedAccounts(parts(), "other@example.org"), []);
  assert.deepEqual(await listErasedAccounts({ ...parts(), secret: "another secret" }, again.email), []);
  const held = await exportAccount(parts(), { user_id: again.id, email: again.email });
  assert.equal(held.tables.erased_accounts?.length, 1);
  assert.equal(held.tables.erased_accounts[0]?.email_hash, "(secret, not included)");

  await database.sql`update erased_accounts set keep_until = now() - interval '1 second'`;
  assert.deepEqual(await listErasedAccounts(parts(), again.email), [], "not a moment longer, swept or not");
  await sweepErasedAccounts(database.db);
});

test("mails with what somebody wrote go with the account; a mail to others only forgets whom to answer", async () => {
  const user = await member("writer");
  const contact = { name: "W", email: "Writer@Example.org", message: "Hello", request: null };
  await createContact(database.db, contact, { locale: "en", operatorEmail: "operator@example.org" });
  const answer = { answer: "Hello you", written_at: new Date().toISOString() };
  const queued = { locale: "en", template: "contact-answer", data: answer } as const;
  await queueMail(database.db, { ...queued, to: "Writer@Example.org", reply_to: "operator@example.org" });
  await queueMail(database.db, { ...queued, to: "player@example.org", reply_to: user.email });
  await deactivate(user);
  await due(user);
  assert.equal(await eraseDueAccounts(parts(), fail), 1);
  const left = await database.sql`select mail_to, reply_to, template from notification_deliveries
    where reply_to is not null or mail_to in ('operator@example.org', 'player@example.org') or lower(mail_to) = ${user.email}
    order by template`;
  assert.deepEqual(
    left.map((row) => ({ ...row })),
    [
      { mail_to: user.email, reply_to: null, template: "account-deleted" },
      { mail_to: "player@example.org", reply_to: null, template: "contact-answer" },
    ],
  );
});

test("several processes at once erase each account once", async () => {
  const users = await Promise.all(Array.from({ length: 8 }, (_, index) => member(`many-${index}`)));
  for (const user of users) {
    await deactivate(user);
    await due(user);
  }
  const erased = await Promise.all([1, 2, 3].map(() => eraseDueAccounts(parts(), fail)));
  assert.equal(
    erased.reduce((sum, count) => sum + count, 0),
    8,
  );
  assert.equal(
    (
      await database.sql`select 1 from notification_deliveries where template = 'account-deleted' and mail_to like 'many-%'`
    ).length,
    8,
  );
});

test("while the store is down the account waits, whole, and the log hears of it", async () => {
  const user = await member("waiting");
  await deactivate(user);
  await due(user);
  const s3 = {
    endpoint: "http://127.0.0.1:9",
    region: "x",
    accessKeyId: "x",
    secretAccessKey: "x",
    bucketPrefix: "x-",
  };
  const heard: StorageError[] = [];
  const down = { ...parts(), storage: createObjectStorage({ dataDir, s3 }) };
  assert.equal(await eraseDueAccounts(down, (error) => heard.push(error)), 0);
  assert.ok(heard[0] instanceof StorageError);
  assert.ok(await exists(user));
  assert.equal(await eraseDueAccounts(parts(), fail), 1);
});

test("a machine whose date is wrong writes when an account was closed by the database's clock", async () => {
  const [closed, removed] = [await member("clock-closed"), await member("clock-removed")];
  const admin = await member("clock-admin");
  mock.timers.enable({ apis: ["Date"], now: Date.now() + 100 * 86_400_000 });
  try {
    assert.ok(await deactivate(closed));
    const actor = { user_id: admin.id, origin };
    assert.deepEqual(await removeUser(database.db, actor, removed.id, removed.email), { ok: true });
  } finally {
    mock.timers.reset();
  }
  const rows = await database.sql<{ off: number; left: number }[]>`
    select extract(epoch from deactivated_at - now())::float8 as off, extract(epoch from erase_after - now())::float8 as left
    from users where user_id in (${closed.id}, ${removed.id}) order by erase_after`;
  assert.ok(
    rows.every(({ off }) => Math.abs(off) < 3_600),
    JSON.stringify(rows),
  );
  assert.ok((rows[0]?.left ?? 1) <= 0, "removed by an admin: due at once");
});
