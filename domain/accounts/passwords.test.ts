import assert from "node:assert/strict";
import { test } from "node:test";
import { hashPassword, verifyPassword } from "./passwords.ts";

test("what is no hash of ours fits no password", async () => {
  const hash = await hashPassword("a lamp in the harbour");
  for (const bad of [
    "",
    "plain",
    hash.replace("argon2id", "argon2i"),
    hash.slice(0, -1),
    `${hash}x`,
    hash.replace("m=", "m=-"),
  ]) {
    assert.equal(await verifyPassword("a lamp in the harbour", bad), false, bad);
  }
  assert.equal(await verifyPassword("A lamp in the harbour", hash), false);
  assert.equal(await verifyPassword("", hash), false);
});

test("argon2id with 19 MiB and 2 passes, salted, in PHC form; the same from every keyboard", async () => {
  const [one, two] = await Promise.all([hashPassword("Zürich am Meer"), hashPassword("Zürich am Meer")]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword("Zu\u0308rich am Meer", one), true);
});

test("it verifies what other programs wrote", async () => {
  // From the reference implementation: echo -n "password" | argon2 somesalt -id -t 2 -m 16 -p 1 -l 24 -e
  const foreign = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  assert.equal(await verifyPassword("password", foreign), true);
});

test("a storm of sign-ins waits in line and does not hold the event loop up", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await Promise.all(Array.from({ length: 40 }, () => hashPassword("a lamp in the harbour")));
  clearInterval(timer);
  assert.ok(process.memoryUsage().rss < 400 * 1024 * 1024);
  assert.ok(turns > 80, `the event loop turned ${turns} times meanwhile`);
});
