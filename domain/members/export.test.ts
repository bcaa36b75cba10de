/** The export holds everything that the schema ties to a person, and a new table cannot be forgotten. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { getTableColumns } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import { createObjectStorage, type ObjectStorage } from "#outside/object-storage.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { goodPictures } from "#tests/helpers/picture-files.ts";
import { createUser } from "../accounts/users.ts";
import { createContact } from "../inbox/contacts.ts";
import { queueMail } from "../mails.ts";
import { follow } from "../notifications/follows.ts";
import { registerTarget } from "../notifications/targets.ts";
import { recordAudit } from "../site/audit.ts";
import { saveAvatar } from "./avatars.ts";
import { EXCUSED, exportAccount, listTables, ownerColumns, PERSONAL_COLUMNS, SECRET_COLUMNS } from "./export.ts";

let database: TestDatabase;
let dataDir: string;
let storage: ObjectStorage;

const parts = () => ({ db: database.db, storage, secret: "a secret of thirty-two characters" });

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "spawnpoint-export-"));
  storage = createObjectStorage({ dataDir });
});

after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** What a column is called that could hold something of a person. */
const OF_A_PERSON =
  /(?:^|_)(?:user_id|actor|member|owner|author|email|mail|ip|user_agent|nick_name|address|hash)(?:_|$)/;
/** Columns of that sound which are about game servers and the like. */
const NOT_OF_A_PERSON = new Set(["gameserver.heartbeat_token_hash", "discord_cards.content_hash"]);

test("every table that holds something of people is exported, or excused with a reason", () => {
  const names = listTables().map((table) => getTableConfig(table).name);
  assert.ok(names.length > 15);
  for (const table of listTables()) {
    const { name } = getTableConfig(table);
    if (ownerColumns(table).length > 0 || EXCUSED[name]) continue;
    for (const column of Object.values(getTableColumns(table))) {
      assert.ok(
        !OF_A_PERSON.test(column.name) || NOT_OF_A_PERSON.has(`${name}.${column.name}`),
        `${name}.${column.name} sounds like a person's. Reference users, or declare it in domain/members/export.ts.`,
      );
    }
  }
});

test("what is declared exists", () => {
  const columns = new Set(
    listTables().flatMap((table) =>
      Object.values(getTableColumns(table)).map((column) => `${getTableConfig(table).name}.${column.name}`),
    ),
  );
  for (const name of [...Object.keys(PERSONAL_COLUMNS), ...SECRET_COLUMNS]) assert.ok(columns.has(name), name);
  for (const name of Object.keys(EXCUSED)) {
    assert.ok(
      [...columns].some((column) => column.startsWith(`${name}.`)),
      name,
    );
  }
});

test("every column that sounds like a secret is left out", () => {
  for (const table of listTables()) {
    const { name } = getTableConfig(table);
    if (ownerColumns(table).length === 0 || EXCUSED[name]) continue;
    for (const column of Object.values(getTableColumns(table))) {
      if (/password|secret|token(?!_expires)|recovery|_hash$/.test(column.name) && column.name !== "sender_hash") {
        assert.ok(SECRET_COLUMNS.has(`${name}.${column.name}`) || /expires_at$/.test(column.name), column.name);
      }
    }
  }
});

test("what others did to a member is told, but not who they are nor where they sit", async () => {
  const [ann, boss] = await Promise.all(
    ["ann@example.org", "boss@example.org"].map((email) =>
      createUser(database.db, { email, passwordHash: null, locale: "en" }),
    ),
  );
  assert.ok(ann && boss);
  const subject = { type: "user", id: ann.id };
  const act = (actor_id: string | null, where: string) =>
    recordAudit(database.db, {
      what: "sign-in-failed",
      actor_id,
      subject,
      origin: { ip: `ip of ${where}`, user_agent: `browser of ${where}` },
      details: { of: where },
    });
  await act(boss.id, "the boss");
  await act(ann.id, "ann");
  await act(null, "nobody");

  const held = await exportAccount(parts(), { user_id: ann.id, email: ann.email });
  const told = (held.tables.audit_events ?? []).map(({ actor_id, ip, user_agent, subject_id, details }) => [
    (details as { of: string }).of,
    [actor_id, ip, user_agent, subject_id],
  ]);
  const left = "(somebody else's, not included)";
  assert.deepEqual(Object.fromEntries(told), {
    "the boss": [left, left, left, ann.id],
    ann: [ann.id, "ip of ann", "browser of ann", ann.id],
    nobody: [null, "ip of nobody", "browser of nobody", ann.id],
  });
});

test("it holds the mails that a member's message made, without the addresses of those they went to", async () => {
  const writer = await createUser(database.db, {
    email: "writer@example.org",
    passwordHash: null,
    locale: "en",
    emailVerified: true,
  });
  const contact = { name: "W", email: "Writer@Example.org", message: "Hello", request: null };
  await createContact(database.db, contact, { locale: "en", operatorEmail: "operator@example.org" });
  await database.sql`update notification_deliveries set last_error = '550 <operator@example.org> is full' where mail_to = 'operator@example.org'`;
  await queueMail(database.db, {
    to: "writer@example.org",
    reply_to: "operator@example.org",
    locale: "en",
    template: "contact-answer",
    data: { answer: "Hello you", written_at: new Date().toISOString() },
  });
  const held = await exportAccount(parts(), { user_id: writer.id, email: writer.email });
  const told = held.tables.notification_deliveries?.map(({ template, mail_to, reply_to, last_error }) => [
    template,
    mail_to,
    reply_to,
    last_error,
  ]);
  const left = "(somebody else's, not included)";
  assert.deepEqual(told?.sort(), [
    ["contact-answer", "writer@example.org", left, null],
    ["contact-message", left, "Writer@Example.org", left],
  ]);
  assert.doesNotMatch(JSON.stringify(held), /operator@/);
});

test("what was written from an address is not in the export of an account that has not confirmed it", async () => {
  const email = "claimed@example.org";
  const contact = { name: "Owner", email, message: "a word of the owner", request: null };
  await createContact(database.db, contact, { locale: "en", operatorEmail: "desk@example.org" });
  const claimant = await createUser(database.db, { email, passwordHash: null, locale: "en" });
  const held = await exportAccount(parts(), { user_id: claimant.id, email });
  assert.doesNotMatch(JSON.stringify(held), /a word of the owner|contact-message/);
});

test("it holds what a member follows and was told, without the keys of their devices", async () => {
  const make = async (name: string) => {
    const email = `${name}@example.org`;
    const user = await createUser(database.db, { email, passwordHash: null, locale: "en", emailVerified: true });
    const endpoint = `https://push.example/${name}`;
    const given = {
      kind: "push",
      identity: endpoint,
      address: { endpoint },
      locale: "en",
      last4: name.slice(-4),
    } as const;
    const registered = await registerTarget(database.db, parts().secret, {
      ...given,
      user_id: user.id,
      from: { client: "192.0.2.9", network: "192.0.2.9" },
    });
    assert.ok(registered.ok);
    assert.ok((await follow(database.db, registered.target.target_id, { kind: "news" })).ok);
    await database.sql`insert into notification_deliveries (target_id, channel, payload, state)
      values (${registered.target.target_id}, 'push', ${JSON.stringify({ of: name })}::jsonb, 'sent')`;
    return user;
  };
  const [mine] = [await make("follower"), await make("stranger")];
  const held = await exportAccount(parts(), { user_id: mine.id, email: mine.email });
  const counts = ["notification_targets", "follows", "notification_deliveries"].map(
    (name) => held.tables[name]?.length,
  );
  assert.deepEqual(counts, [1, 1, 1]);
  assert.equal(held.tables.notification_targets?.[0]?.last4, "ower");
  assert.doesNotMatch(JSON.stringify(held), /push\.example|stranger|192\.0/);
  await database.sql`delete from users where user_id = ${mine.id}`;
  const left = await database.sql`select (select count(*)::int from follows) as follows,
    (select count(*)::int from notification_targets) as targets,
    (select count(*)::int from notification_deliveries where channel = 'push') as deliveries`;
  assert.deepEqual({ ...left[0] }, { follows: 1, targets: 1, deliveries: 1 }, "the other's stay");
});

test("it holds the own rows, no secret, and nothing of others", async () => {
  const make = async (email: string) => {
    const user = await createUser(database.db, {
      email,
      passwordHash: `hash-of-${email}`,
      locale: "en",
      emailVerified: true,
    });
    await database.sql`insert into sessions (user_id, token_hash, expires_at, ip) values (${user.id}, ${`token-of-${email}`}, now() + interval '1 day', ${`ip-of-${email}`})`;
    await database.sql`insert into two_factors (user_id, secret, recovery_codes) values (${user.id}, ${`totp-of-${email}`}, ${`codes-of-${email}`})`;
    await database.sql`insert into contacts (name, email, message, locale) values ('Me', ${email.toUpperCase()}, ${`message-of-${email}`}, 'en')`;
    await recordAudit(database.db, { what: "sign-in", actor_id: user.id, details: { of: email } });
    await recordAudit(database.db, {
      what: "sign-in-failed",
      actor_id: null,
      subject: { type: "user", id: user.id },
      details: { on: email },
    });
    await queueMail(database.db, {
      to: email,
      locale: "en",
      template: "sign-in-code",
      data: { code: `code-of-${email}`, minutes: 10 },
    });
    return user;
  };
  const ada = await make("ada@example.org");
  const eve = await make("eve@example.org");
  await saveAvatar(
    parts(),
    { user_id: ada.id, origin: { ip: "", user_agent: "" } },
    (await goodPictures()).png,
    (error) => assert.fail(error),
  );

  const held = await exportAccount(parts(), { user_id: ada.id, email: ada.email });
  const text = JSON.stringify(held);
  assert.doesNotMatch(text, /eve@example\.org/i);
  assert.doesNotMatch(text, new RegExp(eve.id));
  assert.doesNotMatch(text, /hash-of-|token-of-|totp-of-|codes-of-|code-of-/);
  for (const [table, count] of Object.entries({
    users: 1,
    profiles: 1,
    roles: 1,
    accounts: 1,
    sessions: 1,
    two_factors: 1,
    contacts: 1,
    notification_deliveries: 1,
    audit_events: 3,
    passkeys: 0,
  })) {
    assert.equal(held.tables[table]?.length, count, table);
  }
  assert.equal(held.tables.accounts?.[0]?.password_hash, "(secret, not included)");
  assert.equal(held.tables.sessions?.[0]?.ip, "ip-of-ada@example.org");
  assert.equal(Buffer.from(held.avatar?.base64 ?? "", "base64").toString("latin1", 8, 12), "WEBP");
  assert.deepEqual(held.not_included, EXCUSED);
});
