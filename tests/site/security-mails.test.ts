/** What changes how an account is entered, or who is admin, is told by mail at once; and what a reset leaves is looked at. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createApiKey } from "#domain/accounts/api-keys.ts";
import { createAdmin } from "#domain/accounts/first-admin.ts";
import { addPasskey as addPasskeyOf } from "#domain/accounts/passkey-ceremonies.ts";
import { updateRole } from "#domain/members/roles.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { stepNow, totp } from "#tests/helpers/totp.ts";

const VISIT = {
  ip: "203.0.113.77",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};
let site: AccountSite;
let admin: { at: Browser; user: { id: string } };

before(async () => {
  site = await startAccountSite();
  admin = await site.signedInAdmin("boss@example.org");
});
after(() => site.stop());

/** Every mail that told somebody something since the last call, as "address: what". */
async function told(): Promise<string[]> {
  const rows = await site.sql<{ mail_to: string; template: string; data: Record<string, unknown> }[]>`
    delete from mail_copies returning mail_to, template, data`;
  return rows
    .filter(({ template }) => ["security-changed", "new-admin"].includes(template))
    .map(
      ({ mail_to, template, data }) =>
        `${mail_to}: ${template === "new-admin" ? `new admin ${data.email}` : data.what}`,
    )
    .sort();
}
async function addPasskey(userId: string) {
  const credential = { id: crypto.randomUUID(), publicKey: Uint8Array.from([1]), counter: 0 };
  const facts = { credential, credentialDeviceType: "singleDevice", credentialBackedUp: false, aaguid: "" } as const;
  await site.database.db.transaction((tx) =>
    addPasskeyOf(tx, { user_id: userId, origin: VISIT }, facts, { name: null, transports: [] }),
  );
}
const security = (at: Browser, fields: Record<string, string>) => at.post("/user/settings/security", fields);

test("what was refused, and what changes no way in, is told to nobody", async () => {
  const { at, user } = await site.signedIn("quiet@example.org");
  await told();
  await at.post(`/admin/people/${user.id}`, { intent: "role", role: "admin" });
  await admin.at.post(`/admin/people/${user.id}`, { intent: "role", role: "owner" });
  await admin.at.post(`/admin/people/${user.id}`, { intent: "role", role: "user" });
  await at.post("/admin/settings/keys", { note: "x", days: "1", scope: "admin:read" });
  await security(at, { intent: "totp-start" });
  await security(at, { intent: "totp-confirm", code: "000000" });
  await security(at, { intent: "totp-codes" });
  await security(at, { intent: "totp-off" });
  await security(at, { intent: "passkey-remove", passkey_id: crypto.randomUUID() });
  await at.post("/user/settings/account", { intent: "password", current: "wrong", next: "another harbour lamp" });
  await at.post("/user/settings/profile/", { intent: "save", user_name: "Quiet Ada" });
  assert.deepEqual(await told(), []);
});

test("each change of a way in is told to the account's mailbox: what, when, and roughly from where", async () => {
  const { at, user } = await site.signedIn("told@example.org");
  await told();
  const begun = await security(at, { intent: "totp-start" });
  const code = totp(/secret=([A-Z2-7]+)/.exec(begun.text)?.[1] ?? "", stepNow());
  assert.equal((await security(at, { intent: "totp-confirm", code })).status, 200);
  assert.deepEqual(await told(), ["told@example.org: second-factor-on"]);
  await security(at, { intent: "totp-codes" });
  assert.deepEqual(await told(), ["told@example.org: recovery-codes-made"]);
  await security(at, { intent: "totp-off" });
  assert.deepEqual(await told(), ["told@example.org: second-factor-off"]);
  await addPasskey(user.id);
  const { data } = await site.newestMail("told@example.org");
  assert.deepEqual([data.browser, data.system, data.network], ["Firefox", "Linux", "203.0.113.…"]);
  assert.ok(Math.abs(Date.now() - Date.parse(String(data.changed_at))) < 60_000);
  assert.deepEqual(await told(), ["told@example.org: passkey-added"]);
  const [key] = await site.sql`select passkey_id from passkeys where user_id = ${user.id}`;
  await security(at, { intent: "passkey-remove", passkey_id: String(key?.passkey_id) });
  assert.deepEqual(await told(), ["told@example.org: passkey-removed"]);
  await at.post("/user/settings/account", { intent: "password", current: PASSWORD, next: "another harbour lamp" });
  assert.deepEqual(await told(), ["told@example.org: password-changed"]);
  await admin.at.post("/admin/settings/keys", { note: "script", days: "1", scope: "admin:read" });
  assert.deepEqual(await told(), ["boss@example.org: api-key-made"]);
});

test("a new admin is told to them and to every other admin who can come in, by whatever way they were made", async () => {
  const { db } = site.database;
  for (const name of ["second", "gone"]) await updateRole(db, (await site.member(`${name}@example.org`)).id, "admin");
  await site.sql`update users set deactivated_at = now() where email = 'gone@example.org'`;
  const { id } = await site.member("third@example.org");
  await told();
  await admin.at.post(`/admin/people/${id}`, { intent: "role", role: "moderator" });
  assert.deepEqual(await told(), [], "a moderator is no admin");
  assert.equal((await admin.at.post(`/admin/people/${id}`, { intent: "role", role: "admin" })).status, 200);
  const others = (email: string, admins: string[]) => [
    ...admins.map((to) => `${to}@example.org: new admin ${email}`),
    `${email}: admin-made`,
  ];
  assert.deepEqual(await told(), others("third@example.org", ["boss", "second"]).sort());
  await createAdmin(db, "fourth@example.org");
  assert.deepEqual(await told(), others("fourth@example.org", ["boss", "second", "third"]).sort());
  await createAdmin(db, "fourth@example.org");
  assert.deepEqual(await told(), [], "they were one before");
});

test("an act whose mail cannot be written does not take place", async () => {
  const { at, user } = await site.signedIn("silent@example.org");
  await addPasskey(user.id);
  await site.sql.unsafe(`
    create function no_mails() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger no_mails before insert on notification_deliveries for each row execute function no_mails()`);
  try {
    await assert.rejects(addPasskey(user.id));
    const [key] = await site.sql`select passkey_id from passkeys where user_id = ${user.id}`;
    const answers = [
      await security(at, { intent: "passkey-remove", passkey_id: String(key?.passkey_id) }),
      await admin.at.post(`/admin/people/${user.id}`, { intent: "role", role: "admin" }),
      await admin.at.post("/admin/settings/keys", { note: "unheard", days: "1", scope: "admin:read" }),
    ];
    for (const { status } of answers) assert.ok(status >= 500, String(status));
  } finally {
    await site.sql.unsafe("drop function no_mails cascade");
  }
  const [row] = await site.sql`select role, (select count(*)::int from passkeys where user_id = ${user.id}) as keys,
    (select count(*)::int from api_keys where note = 'unheard') as made from roles where user_id = ${user.id}`;
  assert.deepEqual({ ...row }, { role: "user", keys: 1, made: 0 });
});

test("a reset ends sessions, programs and the own API keys, and the next sign-in leads to the passkeys that are left", async () => {
  const email = "robbed@example.org";
  const { at, user } = await site.signedInAdmin(email);
  for (const owner of [user.id, admin.user.id]) {
    const made = await createApiKey(
      site.database.db,
      { user_id: owner, origin: VISIT },
      { note: owner, days: 3, scopes: ["admin:read"] },
    );
    assert.ok(made.ok);
  }
  const program = await fetch(`${site.base}/api/v1/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { access_token } = await program.json();
  for (const _ of [1, 2]) await addPasskey(user.id);
  const signIn = (password: string, search = "") => {
    const fresh = site.browser();
    return site.signIn(fresh, email, password, search).then((answer) => ({ fresh, answer }));
  };
  assert.equal((await signIn(PASSWORD)).answer.location, "/", "nothing to look at before");

  await site.browser().post("/forgot-password", { email });
  const link = await site.linkTo(email);
  await told();
  const reset = await site.browser().post(link, { password: "another harbour lamp" });
  assert.match(reset.text, /your API keys ended/);
  assert.deepEqual(await told(), [`${email}: password-reset`]);
  assert.equal(await site.isSignedIn(at), false);
  const asked = await fetch(`${site.base}/api/v1/session`, { headers: { Authorization: `Bearer ${access_token}` } });
  assert.equal(asked.status, 401);
  const kept = await site.sql`select note from api_keys where note in (${user.id}, ${admin.user.id})`;
  assert.deepEqual(
    kept.map(({ note }) => note),
    [admin.user.id],
    "another's key goes on",
  );

  const { fresh, answer } = await signIn("another harbour lamp", "?next=/dashboard");
  assert.equal(answer.location, "/user/check-passkeys?next=%2Fdashboard");
  const page = await fresh.get(String(answer.location));
  assert.equal(page.text.match(/value="remove"/g)?.length, 2);
  const [one] = await site.sql`select passkey_id from passkeys where user_id = ${user.id}`;
  const stranger = await site.signedIn("other-robbed@example.org");
  const remove = { intent: "remove", passkey_id: String(one?.passkey_id) };
  await stranger.at.post("/user/check-passkeys", remove);
  assert.equal((await site.sql`select 1 from passkeys where user_id = ${user.id}`).length, 2, "another's");
  await fresh.post(String(answer.location), remove);
  assert.equal((await site.sql`select 1 from passkeys where user_id = ${user.id}`).length, 1);
  assert.match(
    (await signIn("another harbour lamp")).answer.location ?? "",
    /check-passkeys/,
    "until they were looked at",
  );
  assert.equal((await fresh.post(String(answer.location), { intent: "known" })).location, "/dashboard");
  assert.equal((await signIn("another harbour lamp")).answer.location, "/");
});
