/** A change of the account and what the member is told of it: reported as failed only where nothing was changed. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";

const NEXT = "another harbour lamp";
let site: AccountSite;
before(async () => {
  site = await startAccountSite();
});
after(() => site.stop());

/** Makes every insert into, or delete from, a table fail as long as `work` runs. */
async function failing<T>(act: "insert" | "delete", table: string, work: () => Promise<T>): Promise<T> {
  await site.sql`create function fail_here() returns trigger language plpgsql
    as $$ begin raise exception 'a fault of the test'; end $$`;
  await site.sql.unsafe(`create trigger fail_here before ${act} on ${table} for each row execute function fail_here()`);
  return work().finally(() => site.sql`drop function fail_here cascade`);
}

/** Which of both passwords opens the account now. */
async function passwordOf(email: string): Promise<string[]> {
  const open: string[] = [];
  for (const password of [PASSWORD, NEXT])
    if ((await site.signIn(site.browser(), email, password)).status === 302) open.push(password);
  return open;
}

test("a password is changed, or the change is reported as failed: never both", async () => {
  for (const [act, table] of [
    ["insert", "sessions"],
    ["delete", "sessions"],
    ["insert", "audit_events"],
    ["insert", "notification_deliveries"],
  ] as const) {
    const name = `${act} ${table}`;
    const email = `${act}-${table}@example.org`;
    const { at } = await site.signedIn(email);
    const answer = await failing(act, table, () =>
      at.post("/user/settings/account", { intent: "password", current: PASSWORD, next: NEXT }),
    );
    assert.notEqual(answer.status, 200, name);
    assert.deepEqual(await passwordOf(email), [PASSWORD], `${name}: reported as failed`);
    assert.ok(await site.isSignedIn(at), `${name}: the member's session stays`);
  }
});

test("what the page shows beside a changed password is read before the change", async () => {
  const { at } = await site.signedIn("reads@example.org");
  await site.sql`alter table passkeys rename to passkeys_elsewhere`;
  const answer = await at
    .post("/user/settings/account", { intent: "password", current: PASSWORD, next: NEXT })
    .finally(() => site.sql`alter table passkeys_elsewhere rename to passkeys`);
  assert.equal(answer.status, 500);
  assert.deepEqual(await passwordOf("reads@example.org"), [PASSWORD]);
});

test("a name, a language and an avatar change with their audit row or not at all", async () => {
  const { at, user } = await site.signedIn("audited@example.org");
  const signedIn = await fetch(`${site.base}/api/v1/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": "198.51.100.77" },
    body: JSON.stringify({ email: "audited@example.org", password: PASSWORD }),
  });
  const { access_token } = await signedIn.json();
  const byProgram = async (method: string, path: string, body?: string) =>
    (
      await fetch(`${site.base}/api/v1${path}`, {
        method,
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${access_token}` },
        ...(body ? { body } : {}),
      })
    ).status;
  const profile = async () => (await site.sql`select * from profiles where user_id = ${user.id}`)[0];
  await site.sql`update profiles set avatar_url = '/avatars/x.webp' where user_id = ${user.id}`;
  const before = await profile();
  await failing("insert", "audit_events", async () => {
    assert.equal((await at.post("/user/settings/profile", { intent: "save", user_name: "By form" })).status, 500);
    assert.equal(await byProgram("PUT", "/profile", JSON.stringify({ user_nick_name: "By program" })), 500);
    assert.equal(await byProgram("PUT", "/profile", JSON.stringify({ locale: "de" })), 500);
    assert.equal(await byProgram("DELETE", "/avatar"), 500);
  });
  assert.deepEqual(await profile(), before);
});
