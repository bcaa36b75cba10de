/** Browsers whose push service never takes anything: removed after three days, unless the site itself can't send. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import type { ClaimedDelivery, Outcome } from "./channel.ts";
import { recordOutcome } from "./outcomes.ts";
import { registerTarget, type Target } from "./targets.ts";

const SECRET = "a secret of thirty-two characters";
const FAILED: Outcome = { sent: false, next: "again", reason: "dns" };
let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});
after(() => database?.drop());
beforeEach(async () => {
  await database.sql`delete from notification_targets`;
});

async function subscribe(name: string): Promise<Target> {
  const endpoint = `https://${name}.push.apple.com/x`;
  const address = { endpoint, p256dh: "", auth: "" };
  const made = await registerTarget(database.db, SECRET, { kind: "push", identity: endpoint, address, locale: "en" });
  assert.ok(made.ok);
  return made.target;
}

/** Makes a delivery that is this many days old and due now. */
async function tryNow(target: Target, daysAgo: number, outcome: Outcome): Promise<void> {
  const [row] = await database.sql<{ delivery_id: string }[]>`
    insert into notification_deliveries (target_id, channel, state, attempts, created_at)
    values (${target.target_id}, 'push', 'sending', 1, now() - make_interval(days => ${daysAgo})) returning delivery_id`;
  const delivery: Partial<ClaimedDelivery> = {
    delivery_id: row?.delivery_id ?? "",
    attempts: 1,
    target,
    channel: "push",
  };
  await recordOutcome(database.db, delivery as ClaimedDelivery, "people", outcome);
}

const failsSince = (target: Target, days: number) => database.sql`
  update notification_targets set failing_since = now() - make_interval(days => ${days}) where target_id = ${target.target_id}`;
const isThere = async (target: Target) =>
  (await database.sql`select from notification_targets where target_id = ${target.target_id}`).length === 1;

test("a browser that has taken nothing on three days is removed; one that failed once long ago isn't", async () => {
  const [dead, rare, fine] = await Promise.all(["dead", "rare", "fine"].map(subscribe));
  assert.ok(dead && rare && fine);
  await tryNow(dead, 3, FAILED);
  await tryNow(rare, 3, FAILED);
  for (const one of [dead, rare]) await failsSince(one, 4);
  await tryNow(fine, 0, { sent: true });
  await tryNow(dead, 2, FAILED);
  assert.ok(await isThere(dead), "two days");
  await tryNow(dead, 0, FAILED);
  await tryNow(rare, 0, FAILED);
  assert.equal(await isThere(dead), false);
  assert.ok(await isThere(rare));
});

test("while nothing at all arrives, every browser stays", async () => {
  const [one, other] = await Promise.all(["one", "other"].map(subscribe));
  assert.ok(one && other);
  for (const each of [one, other]) {
    await tryNow(each, 3, FAILED);
    await failsSince(each, 4);
    await tryNow(each, 2, FAILED);
    await tryNow(each, 0, FAILED);
    assert.ok(await isThere(each));
  }
  await tryNow(other, 0, { sent: true });
  await tryNow(one, 0, FAILED);
  assert.equal(await isThere(one), false, "others are reached again");
});
