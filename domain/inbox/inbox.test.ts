/** The inbox counts days by the database's clock: that of this machine may be wrong. */
import assert from "node:assert/strict";
import { after, afterEach, before, mock, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createUser } from "../accounts/users.ts";
import { createContact } from "./contacts.ts";
import { answerContact, archiveContact, extendRequest, findContact, listContacts, markRead } from "./inbox.ts";

const DAY_MS = 86_400_000;
let database: TestDatabase;
let actor: { user_id: string; origin: { ip: string; user_agent: string } };
before(async () => {
  database = await createTestDatabase();
  const { id } = await createUser(database.db, { email: "boss@example.org", passwordHash: null, locale: "en" });
  actor = { user_id: id, origin: { ip: "", user_agent: "" } };
});
afterEach(() => mock.timers.reset());
after(() => database?.drop());

/** A request of Virginia, five days before its first 45 days end. */
async function makeRequest(): Promise<number> {
  const request = { kind: "access" as const, region: "virginia" as const };
  const contact = { name: "Ada", email: "ada@example.org", message: "My data, please.", request };
  await createContact(database.db, contact, { locale: "en", operatorEmail: "" });
  const [row] = await database.sql<{ contact_id: number }[]>`
    update contacts set created_at = now() - interval '40 days'
    where contact_id = (select max(contact_id) from contacts) returning contact_id`;
  return row?.contact_id ?? 0;
}
const setOwnClock = (days: number) => mock.timers.enable({ apis: ["Date"], now: Date.now() + days * DAY_MS });
const listed = async (id: number) => {
  const query = { q: "", sort: "created_at", descending: true, page: 1 } as const;
  return (await listContacts(database.db, query, "privacy")).rows.find((row) => row.contact_id === id)?.request?.left;
};

for (const days of [-100, 100]) {
  test(`a machine whose date is ${days} days off shows and changes a privacy request as any other does`, async () => {
    const id = await makeRequest();
    setOwnClock(days);
    assert.equal((await findContact(database.db, id))?.request?.left, 5);
    assert.equal(await listed(id), 5);
    assert.deepEqual(await extendRequest(database.db, actor, id, "There is much of it."), { ok: true });
    assert.equal(await listed(id), 50);
    assert.deepEqual(await markRead(database.db, actor, id), { ok: true });
    const given = { answer: "Here it is.", seen: 0, replyTo: "" };
    assert.deepEqual(await answerContact(database.db, actor, id, given), { ok: true });
    assert.deepEqual(await archiveContact(database.db, actor, id, true), { ok: true });
    const [row] = await database.sql<{ off: number }[]>`
      select max(abs(extract(epoch from now() - at)))::float8 as off from contacts,
        unnest(array[read_at, answered_at, extended_at, archived_at, (answers->0->>'at')::timestamptz]) as at
      where contact_id = ${id}`;
    assert.ok((row?.off ?? 1e9) < DAY_MS / 1_000, `written ${row?.off} s off`);
  });
}
