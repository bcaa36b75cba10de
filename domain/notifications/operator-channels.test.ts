/** The list of operators' channels: each row counts its own rules and deliveries. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createUser } from "../accounts/users.ts";
import { createChannel, listChannels } from "./operator-channels.ts";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database?.drop());

test("a channel that was never sent anything doesn't show what another one was sent", async () => {
  const { db, sql } = database;
  const { id } = await createUser(db, { email: "boss@example.org", passwordHash: null, locale: "en" });
  const actor = { user_id: id, origin: { ip: "", user_agent: "" } };
  for (const name of ["Busy", "Quiet"]) {
    const channel = {
      kind: "mail",
      name,
      settings: { to: `${name.toLowerCase()}@example.org` },
      locale: "en",
    } as const;
    const made = await createChannel(db, "secret", actor, channel, { allowCidrs: [], deniedPorts: [] });
    assert.ok(made.ok);
  }
  const [busy] = await sql<{ target_id: string }[]>`select target_id from notification_targets where name = 'Busy'`;
  const target = busy?.target_id ?? "";
  await sql`insert into notification_deliveries (channel, target_id, state, sent_at, next_attempt_at)
    values ('mail', ${target}, 'sent', '2026-11-01T12:00:00Z', null)`;
  await sql`insert into notification_rules (target_id, kinds) values (${target}, '{server_down}')`;
  assert.deepEqual(
    (await listChannels(db)).map(({ name, rules, last_sent_at }) => [name, rules, last_sent_at?.toISOString() ?? null]),
    [
      ["Busy", 1, "2026-11-01T12:00:00.000Z"],
      ["Quiet", 0, null],
    ],
  );
});
