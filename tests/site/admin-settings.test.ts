/** Settings, invitations and the audit log of the admin area: refusals first, then what a save changes, everywhere at once. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { type Role, updateRole } from "#domain/members/roles.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { startWeb, type Web } from "#web/server.ts";
import { until } from "../helpers/until.ts";

let site: AccountSite;
let second: Web;
let people: Record<"nobody" | Role, Browser>;

before(async () => {
  site = await startAccountSite();
  second = await startWeb(readConfig({ PORT: "0", DATABASE_URL: site.database.url, DATA_DIR: site.dataDir }), {
    log: pino({ level: "silent" }),
  });
  const withRole = async (role: Role) => {
    const email = `${role}@example.org`;
    const { id } = await site.member(email);
    await updateRole(site.database.db, id, role);
    const at = site.browser();
    assert.equal((await site.signIn(at, email)).status, 302);
    return at;
  };
  people = {
    nobody: site.browser(),
    user: await withRole("user"),
    moderator: await withRole("moderator"),
    admin: await withRole("admin"),
  };
});

after(async () => {
  await second.stop();
  await site.stop();
});

const FORM = {
  site_name: "Harbour",
  since_year: "2019",
  tagline_en: "Come in",
  tagline_de: "",
  discord_url: "https://discord.gg/harbour",
  contact_email: "ops@example.org",
  operator_name: "Ada",
  operator_address: "Quay 1\r\n20095 Hamburg",
  operator_country: "Germany",
  operator_representative: "",
  operator_register: "",
  operator_vat_id: "",
  court: "",
  liability_sum: "",
  registration: "open",
  erase_grace_days: "14",
  sign_ups_per_hour: "10",
  contacts_per_hour: "5",
};

const revision = async () =>
  /name="revision" value="(\d+)"/.exec((await people.admin.get("/admin/settings")).text)?.[1] ?? "";

const soon = (check: () => Promise<boolean>) => until("a process shows it", check);

test("a wrong setting is refused beside its field, with everything typed kept", async () => {
  for (const [name, value] of [
    ["site_name", ""],
    ["site_name", "x".repeat(81)],
    ["discord_url", "javascript:alert(1)"],
    ["discord_url", "http://discord.gg/x"],
    ["contact_email", "nobody"],
    ["contact_email", "a@example.org\r\nBcc: b@example.org"],
    ["registration", "sometimes"],
    ["since_year", "1969"],
    ["since_year", ""],
    ["erase_grace_days", "0"],
    ["erase_grace_days", "91"],
    ["sign_ups_per_hour", "many"],
    ["contacts_per_hour", ""],
  ] as const) {
    const answer = await people.admin.post("/admin/settings", { ...FORM, revision: "0", [name]: value });
    assert.equal(answer.status, 422, `${name}=${value}`);
    assert.match(answer.text, /value="https:\/\/discord\.gg\/harbour"|value="Harbour"/);
    assert.match(answer.text, /aria-invalid="true"/);
  }
  assert.equal((await site.sql`select 1 from site_settings`).length, 0);
});

test("a save shows on every process within two seconds; a save from an older page is refused with the difference", async () => {
  const old = await revision();
  const unknown = { ...FORM, revision: old, role: "admin", smtp: "x" };
  assert.equal((await people.admin.post("/admin/settings", unknown)).status, 200);
  for (const base of [site.base, `http://127.0.0.1:${second.port}`]) {
    await soon(async () =>
      /Harbour/.test(await (await fetch(`${base}/`, { headers: { "accept-language": "en" } })).text()),
    );
  }
  const year = new Date().getFullYear();
  await soon(async () => (await people.nobody.get("/contact")).text.includes(`© 2019–${year} Harbour`));
  const keys = await site.sql<{ key: string }[]>`select setting_key as key from site_settings`;
  assert.ok(
    keys.every(({ key }) => !["role", "smtp"].includes(key)),
    "unknown fields are ignored",
  );
  const late = await people.admin.post("/admin/settings", { ...FORM, revision: old, site_name: "Lighthouse" });
  assert.equal(late.status, 409);
  assert.match(late.text, /Somebody else has saved this/);
  assert.match(late.text, /Harbour/);
  assert.match(late.text, /Lighthouse/);
  const [name] = await site.sql`select setting_value as value from site_settings where setting_key = 'site_name'`;
  assert.equal(name?.value, "Harbour");
  const again = /name="revision" value="(\d+)"/.exec(late.text)?.[1] ?? "";
  assert.equal(
    (await people.admin.post("/admin/settings", { ...FORM, revision: again, site_name: "Lighthouse" })).status,
    200,
  );
  const rows = await site.sql<{ details: { before: object; after: object } }[]>`
    select details from audit_events where what = 'settings-changed' order by event_id`;
  assert.equal(rows.length, 2);
  assert.deepEqual(rows[1]?.details, { before: { site_name: "Harbour" }, after: { site_name: "Lighthouse" } });
  const log = await people.admin.get("/admin/audit?what=settings-changed");
  assert.match(log.text, /Lighthouse/);
});

test("of two saves at once one wins, and the other is told", async () => {
  const now = await revision();
  const answers = await Promise.all(
    ["One", "Two"].map((site_name) => people.admin.post("/admin/settings", { ...FORM, revision: now, site_name })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test("a name as long as may be stands as it was typed, also in characters of two units", async () => {
  const site_name = "🎮".repeat(80);
  const saved = await people.admin.post("/admin/settings", { ...FORM, revision: await revision(), site_name });
  assert.equal(saved.status, 200);
  const page = (await people.admin.get("/admin/settings")).text;
  assert.ok(page.includes(`value="${site_name}"`));
  assert.match(page, /<input[^>]*name="site_name"[^>]*maxLength="80"|<input[^>]*maxLength="80"[^>]*name="site_name"/i);
});

test("registering is open, by invitation, or closed", async () => {
  const set = async (registration: string) =>
    assert.equal(
      (await people.admin.post("/admin/settings", { ...FORM, revision: await revision(), registration })).status,
      200,
    );
  const register = (email: string, invitation?: string) =>
    site
      .browser()
      .post("/login/", { intent: "register", email, password: PASSWORD, ...(invitation ? { invitation } : {}) });
  const exists = async (email: string) => (await site.sql`select 1 from users where email = ${email}`).length > 0;

  await set("closed");
  const closed = await register("closed@example.org");
  assert.equal(closed.status, 403);
  assert.match(closed.text, /takes no new members/);
  assert.equal(await exists("closed@example.org"), false);

  await set("invitation");
  for (const code of [undefined, "", "ABCD-EFGH-JKMN-PQRS", "' or 1=1"]) {
    const refused = await register("stranger@example.org", code);
    assert.equal(refused.status, 403, String(code));
    assert.equal(await exists("stranger@example.org"), false);
  }
  const wrongs: Record<string, string>[] = [
    { uses: "0", days: "1" },
    { uses: "1", days: "366" },
    { uses: "", days: "" },
  ];
  for (const wrong of wrongs) {
    assert.equal((await people.admin.post("/admin/settings/invitations", wrong)).status, 422);
  }
  const made = await people.admin.post("/admin/settings/invitations", { note: "The crew", uses: "1", days: "3" });
  const code = /[2-9A-Z]{4}(?:-[2-9A-Z]{4}){3}/.exec(made.text)?.[0] ?? "";
  assert.ok(code);
  assert.doesNotMatch((await people.admin.get("/admin/settings/invitations")).text, new RegExp(code), "shown once");
  assert.equal((await site.sql`select 1 from invitations where code_hash like ${`%${code}%`}`).length, 0);
  const both = await Promise.all([
    register("first@example.org", code.toLowerCase()),
    register("late@example.org", code),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403]);
  assert.equal(Number(await exists("first@example.org")) + Number(await exists("late@example.org")), 1);
  assert.equal((await register("third@example.org", code)).status, 403, "used up");

  const open = await people.admin.post("/admin/settings/invitations", { note: "Later", uses: "5", days: "3" });
  const withdrawn = /[2-9A-Z]{4}(?:-[2-9A-Z]{4}){3}/.exec(open.text)?.[0] ?? "";
  const [row] = await site.sql`select invitation_id as id from invitations where note = 'Later'`;
  await people.admin.post("/admin/settings/invitations", { intent: "remove", invitation_id: String(row?.id) });
  assert.equal((await register("fourth@example.org", withdrawn)).status, 403, "withdrawn");

  await set("open");
  assert.equal((await register("free@example.org")).status, 200);
  assert.equal(await exists("free@example.org"), true);
});

test("the log leaves as a file that runs nothing", async () => {
  const answer = await people.admin.get("/admin/audit.csv?what=invitation-made");
  assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="audit-.*\.csv"$/);
  assert.equal(answer.headers.get("cache-control"), "private, no-store");
  assert.equal(answer.text.trim().split("\r\n").length, 3);
});

test("the dashboard says of each background job when it last ran, and what went wrong last, in both languages", async () => {
  await site.sql`insert into jobs (name, machine, started_at, finished_at, duration_ms, failed_at, failure, failed_machine) values
    ('roll-ups', 'one', now(), now() - interval '3 minutes', 1234, now() - interval '3 minutes', 'out of <b>room</b>', 'one'),
    ('a job of a version to come', 'one', now(), now(), 1, null, null, null)`;
  const [en, de] = await Promise.all(["/admin/dashboard", "/de/admin/dashboard"].map((path) => people.admin.get(path)));
  const textOf = (html = "") => html.replace(/<!-- -->|<[^>]+>/g, " ").replace(/\s+/g, " ");
  assert.match(textOf(en?.text), /Sums up measurements for the history 3 minutes ago · 1.2 sec/);
  assert.match(textOf(en?.text), /Failed 3 minutes ago · one : out of &lt;b&gt;room&lt;\/b&gt;/);
  assert.match(textOf(de?.text), /Fasst Messungen für den Verlauf zusammen vor 3 Minuten · 1,2 Sek\./);
  assert.match(textOf(en?.text), /Says that the watcher is alive has not run yet/);
  assert.match(textOf(en?.text), /Sends emails (?!has not run yet)/);
  assert.doesNotMatch(en?.text ?? "", /a version to come/);
});

test("the dashboard says in both languages what will end the site's day, and nothing of it while all is well", async () => {
  const { at, user } = await site.signedIn("watchful@example.org");
  await updateRole(site.database.db, user.id, "admin");
  await site.signIn(at, "watchful@example.org");
  const read = async () => {
    const [en, de] = await Promise.all(["/admin/dashboard", "/de/admin/dashboard"].map((path) => at.get(path)));
    return { en: en?.text ?? "", de: de?.text ?? "", status: en?.status };
  };
  await site.sql`insert into backups (backup_id, file_name, machine, scheduled, started_at, made_at, bytes)
    values (gen_random_uuid(), 'a.tar.zst', 'm', true, now(), now(), 1000)`;
  const unproven = await read();
  assert.match(unproven.en, /No backup was ever proven/);
  assert.match(unproven.de, /Noch kein Backup wurde geprüft/);
  await site.sql`update backups set proven_at = now()`;
  const well = await read();
  assert.doesNotMatch(well.en, /No backup was ever proven|read-only|takes no writes|certificate of this site/);
  const [{ name } = { name: "" }] = await site.sql<{ name: string }[]>`select current_database() as name`;
  await site.sql.unsafe(`alter database "${name}" set default_transaction_read_only = on`);
  try {
    await site.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    let found = await read();
    // The two pages are made one after the other, and the first may still know what was so a second ago.
    const isSaid = () => /read-only/.test(found.en) && /Nur-Lesen/.test(found.de);
    await until("both pages say so", async () => {
      found = await read();
      return isSaid();
    });
    assert.match(found.en, /set to read-only: nothing that people send is kept/, String(found.status));
    assert.match(found.de, /auf Nur-Lesen gestellt/);
    const ready = await fetch(`${site.base}/readyz`);
    assert.equal(ready.status, 503);
    assert.equal((await ready.json()).cannot_write, "read_only");
  } finally {
    await site.sql.unsafe(`set default_transaction_read_only = off; alter database "${name}" reset all`);
    await site.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  }
});
