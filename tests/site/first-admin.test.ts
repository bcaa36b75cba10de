/** The first admin: by a link that works once, or by command; never by default. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { createAdmin, ensureFirstAdminLink } from "#domain/accounts/first-admin.ts";
import { createDemoAccounts, removeDemoAccounts } from "#domain/members/demo-accounts.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";

let site: AccountSite;

before(async () => {
  site = await startAccountSite();
});

after(() => site.stop());

test("a fresh site has no account at all, and its secret is for its owner alone", async () => {
  const [row] = await site.sql`select (select count(*) from users)::int + (select count(*) from accounts)::int as n`;
  assert.equal(row?.n, 0);
  assert.equal((await stat(path.join(site.dataDir, "secrets", "auth"))).mode & 0o777, 0o600);
});

test("the link makes one admin, once, of two at the same moment too; a newer link makes the older one void", async () => {
  const old = await ensureFirstAdminLink(site.database.db);
  const link = await ensureFirstAdminLink(site.database.db);
  assert.ok(old && link && old !== link);
  assert.equal((await site.browser().get(old)).status, 410);
  assert.equal((await site.browser().get(link)).status, 200);
  assert.equal((await site.browser().post(link, { email: "boss@example.org", password: "password" })).status, 422);
  await site.member("member@example.org");
  const taken = await site.browser().post(link, { email: "member@example.org", password: PASSWORD });
  assert.equal(taken.status, 422);
  assert.match(taken.text, /This address has an account already/);
  const both = await Promise.all(
    ["boss@example.org", "usurper@example.org"].map((email) =>
      site.browser().post(link, { email, password: PASSWORD }),
    ),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [302, 401]);
  const admins = await site.sql`select 1 from roles where role = 'admin'`;
  assert.equal(admins.length, 1);
  assert.equal((await site.browser().get(link)).status, 410);
  assert.equal(await ensureFirstAdminLink(site.database.db), null, "with an admin there is no link");
});

test("the operator's command makes an admin, or makes one of a member, and prints a link for the password", async () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = spawn(process.execPath, ["cli/spawnpoint.ts", "create-admin", ...args], {
        cwd: path.join(import.meta.dirname, "../.."),
        env: { ...process.env, DATABASE_URL: site.database.url, SITE_URL: site.base, DATA_DIR: site.dataDir },
      });
      let out = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (part) => {
          out += part;
        });
      child.on("close", (code) => resolve({ code, out }));
    });
  assert.equal((await run()).code, 2);
  assert.equal((await run("no address")).code, 2);
  await site.member("trusted@example.org");
  for (const email of ["chief@example.org", "trusted@example.org"]) {
    const { code, out } = await run(email);
    assert.equal(code, 0, out);
    const link = new URL(/http\S+/.exec(out)?.[0] ?? "");
    assert.equal(
      (await site.browser().post(link.pathname + link.search, { password: "another harbour lamp" })).status,
      200,
    );
    assert.equal((await site.signIn(site.browser(), email, "another harbour lamp")).status, 302);
    const [row] = await site.sql`select role from roles join users using (user_id) where email = ${email}`;
    assert.equal(row?.role, "admin");
  }
});

test("the operator's command lets somebody in who lost the second factor, and ends what sessions there were", async () => {
  const { at, user } = await site.signedIn("locked-out@example.org");
  await site.sql`insert into two_factors (user_id, secret, recovery_codes, verified) values (${user.id}, 'sealed', '[]', true)`;
  await site.sql`update users set two_factor_enabled = true where user_id = ${user.id}`;
  const { token, made, second_factor_removed } = await createAdmin(site.database.db, "locked-out@example.org");
  assert.deepEqual([made, second_factor_removed], [false, true]);
  assert.equal(await site.isSignedIn(at), false, "with the role before");
  await site.browser().post(`/reset-password?token=${token}`, { password: "another harbour lamp" });
  const again = site.browser();
  assert.equal((await site.signIn(again, "locked-out@example.org", "another harbour lamp")).location, "/");
  assert.equal((await again.get("/admin/people")).status, 200);
  assert.equal((await site.sql`select 1 from two_factors where user_id = ${user.id}`).length, 0);
  const acts =
    await site.sql`select what, actor_id from audit_events where subject_id = ${user.id}::text order by event_id`;
  assert.deepEqual(
    acts.map(({ what, actor_id }) => [what, actor_id]),
    [
      ["second-factor-removed", null],
      ["first-admin", null],
    ],
  );
});

test("demo accounts have passwords of that run alone, and go with the demo", async () => {
  const first = await createDemoAccounts(site.database.db);
  const second = await createDemoAccounts(site.database.db);
  assert.deepEqual(second.map(({ role }) => role).sort(), ["admin", "moderator", "user"]);
  for (const [at, { email, password }] of second.entries()) {
    assert.notEqual(password, first[at]?.password);
    assert.equal((await site.signIn(site.browser(), email, first[at]?.password)).status, 401);
    assert.equal((await site.signIn(site.browser(), email, password)).status, 302);
  }
  await removeDemoAccounts(site.database.db);
  assert.equal((await site.signIn(site.browser(), String(second[0]?.email), second[0]?.password)).status, 401);
});
