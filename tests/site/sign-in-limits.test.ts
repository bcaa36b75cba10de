/** Guessing ends, in words and with a time to wait; and no stranger's guesses keep a member out. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";

let site: AccountSite;

before(async () => {
  site = await startAccountSite();
});

after(() => site.stop());

/** So many guesses at once, for each waits its time. Resolves to the statuses. */
/** Ten at a time: whoever waits for a place longer than ten seconds is refused by it, and not by the limit that is tried. */
async function guesses(count: number, guess: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) {
    const from = statuses.length;
    const some = Array.from({ length: Math.min(10, count - from) }, async (_, n) => (await guess(from + n)).status);
    statuses.push(...(await Promise.all(some)));
  }
  return statuses;
}

const all = (count: number, status: number) => Array<number>(count).fill(status);

test("an account is guessed at ten times, from however many addresses; then 429, Retry-After, and a sentence", async () => {
  await site.member("target@example.org");
  const home = site.browser();
  assert.equal((await site.signIn(home, "target@example.org")).status, 302);
  await home.post("/logout", {});

  const tries = await guesses(10, (n) => site.signIn(site.browser(), "Target@example.org", `guess number ${n}`));
  assert.deepEqual(tries, all(10, 401));
  const refused = await site.signIn(site.browser(), "target@example.org", PASSWORD);
  assert.equal(refused.status, 429);
  const wait = Number(refused.headers.get("retry-after"));
  assert.ok(wait > 800 && wait <= 900, `Retry-After ${wait}`);
  assert.match(refused.text, /Login failed\. Too many tries\. Please wait 15 minutes/);

  // The device that signed in before has a budget of its own, and from any other one there is the mailbox.
  assert.equal((await site.signIn(home, "target@example.org")).status, 302);
  const at = site.browser();
  await at.post("/sign-in-code", { email: "target@example.org" });
  const code = String((await site.newestMail("target@example.org")).data.code);
  assert.equal((await at.post("/sign-in-code", { email: "target@example.org", code })).status, 302);
});

test("a known device is no way around the limit: its own budget ends as well, and it is worth nothing for other accounts", async () => {
  await site.member("own@example.org");
  await site.member("others@example.org");
  const home = site.browser();
  await site.signIn(home, "own@example.org");
  await home.post("/logout", {});
  await guesses(10, () => site.signIn(home, "own@example.org", "wrong lamp here"));
  assert.equal((await site.signIn(home, "own@example.org")).status, 429);

  await guesses(10, () => site.signIn(site.browser(), "others@example.org", "wrong lamp here"));
  assert.equal((await site.signIn(home, "others@example.org")).status, 429);
  const forged = site.browser();
  forged.cookies.set("spawnpoint_device", `${"a".repeat(22)}.${"b".repeat(22)}`);
  assert.equal((await site.signIn(forged, "others@example.org")).status, 429);
});

test("an unknown address is limited like a known one", async () => {
  await guesses(10, () => site.signIn(site.browser(), "ghost@example.org", "wrong lamp here"));
  const refused = await site.signIn(site.browser(), "ghost@example.org");
  assert.equal(refused.status, 429);
});

test("one address cannot try accounts by the dozen", async () => {
  await site.sql`truncate rate_limits`;
  const at = () => site.browser("192.0.2.44");
  const tries = await guesses(60, (n) => site.signIn(at(), `dozens-${n}@example.org`, "x"));
  assert.deepEqual(tries, all(60, 401));
  assert.equal((await site.signIn(at(), "dozens-last@example.org", "x")).status, 429);
  const kept = await site.sql`select limit_key from rate_limits`;
  assert.ok(
    kept.every(({ limit_key }) => !/@|192\.0/.test(limit_key)),
    "nobody is named by a key",
  );
});

/** As if all that somebody has tried twice had been tried so many times: what each accepted try does is tried above. */
const asIfTried = (times: number) => site.sql`update rate_limits set points = ${times} where points = 2 returning 1`;

test("an IPv6 network of 64 bits is one address; one that a proxy adds counts, one that the visitor adds does not", async () => {
  for (const [name, ip, other] of [
    ["v6", (n: number) => `2001:db8:1:2:${n.toString(16)}::${n}`, "2001:db8:1:3::1"],
    ["forwarded", (n: number) => `10.9.${n}.1, 192.0.2.77`, "10.9.1.1, 192.0.2.78"],
  ] as const) {
    await site.sql`truncate rate_limits`;
    const guess = (n: number) => site.signIn(site.browser(ip(n)), `${name}-${n}@example.org`, "x");
    assert.deepEqual(await guesses(2, guess), all(2, 401));
    assert.ok((await asIfTried(59)).length > 0, `${name}: one address was counted twice`);
    assert.equal((await guess(2)).status, 401);
    assert.equal((await guess(99)).status, 429, name);
    assert.equal((await site.signIn(site.browser(other), "neighbour@example.org", "x")).status, 401, name);
    const kept = await site.sql`select limit_key from rate_limits`;
    assert.ok(
      kept.every(({ limit_key }) => !/2001:|192\.0/.test(limit_key)),
      "nobody is named by a key",
    );
  }
});

test("sign-up, reset and codes are limited too", async () => {
  await site.sql`truncate rate_limits`;
  for (const [path, fields, tries] of [
    ["/login/", { intent: "register", password: "a harbour without lamps" }, 5],
    ["/forgot-password", {}, 5],
    ["/sign-in-code", {}, 10],
  ] as const) {
    const stranger = site.browser();
    const answers = await Promise.all(
      Array.from({ length: tries + 1 }, () => stranger.post(path, { ...fields, email: "flooded@example.org" })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status !== 200),
      [429],
      path,
    );
    assert.ok(Number(answers.find(({ status }) => status === 429)?.headers.get("retry-after")) > 0);
    const owner = await site.browser().post(path, { ...fields, email: "flooded@example.org" });
    assert.equal(owner.status, 200, `${path}: what one address spent is not the mailbox's`);
  }
});

test("a stranger cannot lock a member out of a new device: not by guesses, not by codes, not by resets", async () => {
  await site.sql`truncate rate_limits`;
  await site.member("besieged@example.org");
  const stranger = "192.0.2.13";
  await guesses(10, () => site.signIn(site.browser(stranger), "besieged@example.org", "wrong lamp here"));
  for (const [path, tries] of [
    ["/sign-in-code", 12],
    ["/forgot-password", 7],
  ] as const)
    await guesses(tries, () => site.browser(stranger).post(path, { email: "besieged@example.org" }));

  const at = site.browser();
  assert.equal((await at.post("/forgot-password", { email: "besieged@example.org" })).status, 200);
  assert.equal((await at.post("/sign-in-code", { email: "besieged@example.org" })).status, 200);
  const code = String((await site.newestMail("besieged@example.org")).data.code);
  assert.equal((await at.post("/sign-in-code", { email: "besieged@example.org", code })).status, 302);
});

test("a mailbox gets a hundred codes an hour at most, from however many addresses", async () => {
  await site.sql`truncate rate_limits`;
  await site.member("bombed@example.org");
  const asked = await guesses(110, (n) =>
    site.browser(`203.0.113.${n % 11}`).post("/sign-in-code", { email: "bombed@example.org" }),
  );
  assert.equal(asked.filter((status) => status === 429).length, 10);
  const [{ mails } = { mails: 0 }] = await site.sql<{ mails: number }[]>`
    select count(*)::int as mails from mail_copies where mail_to = 'bombed@example.org'`;
  assert.equal(mails, 100);
});

test("whom a limit has stopped costs nobody else a try, however long they go on", async () => {
  await site.sql`truncate rate_limits`;
  const flood = site.browser("192.0.2.99");
  const asked = await Promise.all(
    Array.from({ length: 310 }, (_, n) => flood.post("/forgot-password", { email: `flood-${n}@example.org` })),
  );
  assert.equal(asked.filter(({ status }) => status === 200).length, 20);
  assert.equal(asked.filter(({ status }) => status === 429).length, 290);
  // On a busy machine some are refused by the limit of requests at a time, which is over in seconds.
  const wait = Math.max(...asked.map(({ headers }) => Number(headers.get("retry-after"))));
  assert.ok(wait > 3000 && wait <= 3600, `Retry-After ${wait}`);
  assert.equal((await site.browser().post("/forgot-password", { email: "stranger@example.org" })).status, 200);
  const [{ accounts } = { accounts: 0 }] = await site.sql<{ accounts: number }[]>`
    select count(*)::int as accounts from rate_limits where limit_key like 'reset:account:%'`;
  assert.equal(accounts, 21, "no account was counted for a try that its address was refused");
});

test("the /64s of one /48 share the budget of four addresses; one /64 alone spends its own of it and no more", async () => {
  await site.sql`truncate rate_limits`;
  const ask = (subnet: number, n: number) =>
    site
      .browser(`2001:db8:7:${subnet.toString(16)}::${n}`)
      .post("/forgot-password", { email: `net-${subnet}-${n}@example.org` });
  const alone = await guesses(100, (n) => ask(1, n));
  assert.equal(alone.filter((status) => status === 200).length, 20);

  const others = await guesses(100, (n) => ask(2 + Math.floor(n / 10), n));
  assert.equal(others.filter((status) => status === 200).length, 60, "what the first /64 left of four times 20");
  assert.equal(others.filter((status) => status === 429).length, 40);
  assert.equal((await site.browser("2001:db8:8::1").post("/forgot-password", { email: "a@example.org" })).status, 200);
});
