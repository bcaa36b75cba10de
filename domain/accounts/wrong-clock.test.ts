/** What has an end is made and judged by one clock, the database's: this machine's own may be wrong. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { queueMail } from "../mails.ts";
import { banUser } from "../members/acts.ts";
import { createIpBlock, listIpBlocks } from "../site/ip-blocks.ts";
import { consumeSignInCode, createSignInCode } from "./codes.ts";
import { createInvitation, listInvitations } from "./invitations.ts";
import { consumeToken, createToken } from "./one-time-tokens.ts";
import { createUser } from "./users.ts";

const SECRET = "a secret of thirty-two characters";
const DAY_MS = 86_400_000;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

for (const [wrong, ms] of [
  ["two days slow", -2 * DAY_MS],
  ["two days fast", 2 * DAY_MS],
] as const) {
  test(`a machine whose clock is ${wrong}: codes, links, mails, invitations, blocks and bans are good for as long as ever`, async (t) => {
    const { db } = database;
    const given = { email: `${ms}@example.org`, passwordHash: null, locale: "en", emailVerified: true } as const;
    const { id: user } = await createUser(db, given);
    const { id: admin } = await createUser(db, { ...given, email: `admin${ms}@example.org` });
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + ms });

    const { ticket, code } = await createSignInCode(db, SECRET, { id: user, email: "one@example.org" });
    assert.equal((await consumeSignInCode(db, SECRET, ticket, code))?.user_id, user);
    const token = await createToken(db, "verify-email", { user_id: user }, 3600);
    assert.deepEqual(await consumeToken(db, "verify-email", token), { user_id: user });

    const actor = { user_id: admin, origin: { ip: "192.0.2.1", user_agent: "" } };
    await createInvitation(db, actor, { note: wrong, uses: 1, days: 1 });
    assert.ok((await listInvitations(db)).some(({ note }) => note === wrong));
    const network = `198.51.100.${ms > 0 ? 1 : 2}`;
    await createIpBlock(db, actor, { network, reason: "x", days: "1" });
    assert.ok((await listIpBlocks(db)).some((block) => block.network.startsWith(network)));
    await banUser(db, actor, user, { reason: "x", lasts: "1" });
    const mail = { template: "sign-in-code", data: { code, minutes: 10 }, useful_for_s: 600 } as const;
    await queueMail(db, { to: "one@example.org", locale: "en", ...mail });

    const [left] = await database.sql<{ ban: number; mail: number }[]>`
      SELECT extract(epoch FROM (SELECT banned_until FROM users WHERE user_id = ${user}) - now())::int AS ban,
        extract(epoch FROM (SELECT expires_at FROM notification_deliveries ORDER BY created_at DESC LIMIT 1) - now())::int AS mail`;
    assert.ok(left && left.ban > 86_000 && left.ban <= 86_400, `banned for ${left?.ban} s`);
    assert.ok(left.mail > 500 && left.mail <= 600, `of use for ${left.mail} s`);
  });
}
