/** The contact form as a browser without script sends it: refusals first, nothing lost, both or neither stored. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { loadSecret } from "#domain/accounts/secrets.ts";
import { createUser } from "#domain/accounts/users.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { readableMail } from "#tests/helpers/mail-server.ts";
import { until } from "#tests/helpers/until.ts";
import { sealFormMoment } from "#web/forms/form-age.ts";
import { startWeb, type Web } from "#web/server.ts";

let database: TestDatabase;
let web: Web;
let dataDir: string;
let base: string;
let secret: string;

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "spawnpoint-contact-"));
  // Each test comes from an address of its own, behind one proxy.
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: "silent",
    TRUST_PROXY: "1",
  });
  web = await startWeb(config, { log: pino({ level: "silent" }) });
  base = `http://127.0.0.1:${web.port}`;
  secret = await loadSecret(dataDir, "auth");
});

after(async () => {
  await web?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  await database.sql`delete from contacts`;
  await database.sql`delete from notification_deliveries`;
  await database.sql`delete from rate_limits`;
  await database.sql`delete from site_settings`;
  await database.sql`notify catalog, 'site_settings'`;
  await until("no address is known", async () => !(await contactPage()).includes("mailto:ops@example.org"));
});

const MESSAGE = { name: "Ada", email: "ada@example.org", message: "Hello!\nIs Valheim modded?" };
const HOSTILE = `<script>alert(1)</script>"'&`;

const send = async (fields: Record<string, string>, init: { path?: string; headers?: Record<string, string> } = {}) => {
  const body = new URLSearchParams({ opened: sealFormMoment(secret, Date.now() - 10_000), ...fields });
  const response = await fetch(`${base}${init.path ?? "/contact"}`, {
    method: "POST",
    redirect: "manual",
    body,
    headers: { "sec-fetch-site": "same-origin", "x-forwarded-for": "198.51.100.7", ...init.headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const stored = () => database.sql`select name, email, message, locale, request_kind, request_region from contacts`;
const queued = () => database.sql`select mail_to, reply_to, locale, template from notification_deliveries`;

const contactPage = async () => (await fetch(`${base}/contact`)).text();

/** Sets where messages are mailed to, and waits until pages say so. */
async function setOperatorEmail(): Promise<void> {
  await database.sql`insert into site_settings (setting_key, setting_value) values ('contact_email', '"ops@example.org"')`;
  await database.sql`notify catalog, 'site_settings'`;
  await until("the address is known", async () => (await contactPage()).includes("mailto:ops@example.org"));
}

/** Logs a new member in. Returns the Cookie header. */
async function logIn(email: string): Promise<string> {
  const password = "a lamp in the harbour";
  const passwordHash = await hashPassword(password);
  await createUser(database.db, { email, passwordHash, locale: "en", emailVerified: true });
  const answer = await fetch(`${base}/login/`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ intent: "login", email, password }),
    headers: { "sec-fetch-site": "same-origin", "x-forwarded-for": "198.51.100.7" },
  });
  assert.equal(answer.status, 302);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

/** The text beside a field, as a screen reader joins them to it. */
function errorOf(html: string, name: string): string | null {
  const field = new RegExp(`<(?:input|textarea|select)[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? "";
  const id = /aria-invalid="true"/.test(field) ? /aria-describedby="([^"]+)"/.exec(field)?.[1] : undefined;
  return id ? (new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(html)?.[1] ?? null) : null;
}

test("what is missing, too long or no address is refused in words beside its field, and nothing typed is lost", async () => {
  const cases: [Record<string, string>, string, RegExp][] = [
    [{ ...MESSAGE, name: "" }, "name", /tell us your name/],
    [{ ...MESSAGE, name: " \u202e\u0000 " }, "name", /tell us your name/],
    [{ ...MESSAGE, name: "x".repeat(81) }, "name", /at most 80/],
    [{ ...MESSAGE, email: "" }, "email", /an address that we can answer/],
    [{ ...MESSAGE, email: "ada" }, "email", /not an email address/],
    [{ ...MESSAGE, email: "ada@example.org\r\nBcc: all@example.org" }, "email", /not an email address/],
    [{ ...MESSAGE, email: "ada@example.org,all@example.org" }, "email", /not an email address/],
    [{ ...MESSAGE, email: `${"a".repeat(250)}@example.org` }, "email", /254|not an email/],
    [{ ...MESSAGE, message: "   " }, "message", /write a message/],
    [{ ...MESSAGE, message: "x".repeat(5001) }, "message", /at most 5,000/],
    [{ ...MESSAGE, privacy: "on", kind: "", region: "virginia" }, "kind", /what you ask for/],
    [{ ...MESSAGE, privacy: "on", kind: "delete", region: "atlantis" }, "region", /where you live/],
  ];
  for (const [fields, field, expected] of cases) {
    const { status, text } = await send(fields);
    assert.equal(status, 422, JSON.stringify(fields).slice(0, 80));
    assert.match(errorOf(text, field) ?? "", expected);
    if (field !== "message") assert.match(text, /Is Valheim modded\?<\/textarea>/);
    if (field !== "name") assert.match(text, /value="Ada"/);
  }
  assert.equal((await stored()).length, 0);
});

test("an empty form is refused", async () => {
  assert.equal((await send({})).status, 422);
  assert.equal((await stored()).length, 0);
});

test("a filled trap, a blink, a made-up moment and a day-old form are asked to send once more, with their words kept", async () => {
  const cases: Record<string, string>[] = [
    { website: "https://spam.example" },
    { opened: sealFormMoment(secret, Date.now() - 500) },
    { opened: sealFormMoment("guessed", Date.now() - 10_000) },
    { opened: "" },
    { opened: sealFormMoment(secret, Date.now() - 25 * 3600_000) },
  ];
  for (const more of cases) {
    const { status, text } = await send({ ...MESSAGE, ...more });
    assert.equal(status, 422, JSON.stringify(more));
    assert.match(text, /role="alert"/);
    assert.match(text, /Is Valheim modded\?<\/textarea>/);
  }
  assert.equal((await stored()).length, 0);
});

test("the sixth message of an address within an hour has to wait, a neighbour of its /64 too, others not", async () => {
  const from = (ip: string) => send(MESSAGE, { headers: { "x-forwarded-for": ip } });
  for (let count = 0; count < 5; count += 1) assert.equal((await from("2001:db8:1:2::5")).status, 302);
  const refused = await from("2001:db8:1:2:ffff::9");
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 3000);
  assert.match(refused.text, /submit again in 60 minutes/);
  assert.match(refused.text, /Is Valheim modded\?<\/textarea>/);
  assert.equal((await from("2001:db8:1:3::5")).status, 302);
  assert.equal((await stored()).length, 6);
});

test("a /48 may send four times what a /64 may, and another /48 is still heard", async () => {
  for (let count = 0; count < 20; count += 1)
    assert.equal((await send(MESSAGE, { headers: { "x-forwarded-for": `2001:db8:7:${count}::1` } })).status, 302);
  const refused = await send(MESSAGE, { headers: { "x-forwarded-for": "2001:db8:7:ffff::1" } });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 3000);
  assert.equal((await send(MESSAGE, { headers: { "x-forwarded-for": "2001:db8:8::1" } })).status, 302);
  assert.equal((await stored()).length, 21);
});

test("without script: stored, thanked for, and nothing is mailed while no address is set", async () => {
  const { status, headers } = await send(MESSAGE);
  assert.equal(status, 302);
  assert.equal(headers.get("location"), "/contact?sent");
  const thanks = await (await fetch(`${base}/contact?sent`)).text();
  assert.match(thanks, /role="status"[\s\S]*Your message has arrived/);
  assert.deepEqual([...(await stored())], [{ ...MESSAGE, locale: "en", request_kind: null, request_region: null }]);
  assert.deepEqual([...(await queued())], []);
});

test("with the operator's address a mail goes there that answers to the sender; hostile words arrive as they are", async () => {
  await setOperatorEmail();
  const { status } = await send({ ...MESSAGE, name: HOSTILE, message: HOSTILE }, { path: "/de/contact" });
  assert.equal(status, 302);
  assert.deepEqual(
    [...(await queued())],
    [{ mail_to: "ops@example.org", reply_to: "ada@example.org", locale: "de", template: "contact-message" }],
  );
  const [row] = await stored();
  assert.deepEqual([row?.name, row?.message, row?.locale], [HOSTILE, HOSTILE, "de"]);
  assert.match(await (await fetch(`${base}/contact`)).text(), /mailto:ops@example\.org/);

  // No mail server is set, so the mail is in the outbox a moment later.
  const outbox = path.join(dataDir, "outbox");
  let files: string[] = [];
  for (let tries = 0; tries < 12_000 && files.length === 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith(".eml"));
  }
  const mail = readableMail(await readFile(path.join(outbox, String(files[0])), "utf8"));
  const html = mail.slice(mail.indexOf("Content-Type: text/html"));
  assert.doesNotMatch(html, /<script/);
  assert.ok(html.includes("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
  assert.match(mail, /^Reply-To: ada@example\.org$/m);
});

test("a hundred messages an hour are mailed, what strangers write above that is stored, and one address can't use them up", async () => {
  await setOperatorEmail();
  for (let count = 0; count < 110; count += 1) await send(MESSAGE, { headers: { "x-forwarded-for": "203.0.113.1" } });
  assert.equal((await queued()).length, 5);
  for (let count = 0; count < 105; count += 1) {
    assert.equal((await send(MESSAGE, { headers: { "x-forwarded-for": `192.0.2.${count}` } })).status, 302);
  }
  assert.equal((await stored()).length, 110);
  assert.equal((await queued()).length, 100);
});

test("members write whatever strangers have used up: by account, mailed, also from an address that has sent enough", async () => {
  await setOperatorEmail();
  const cookie = await logIn("writer@example.org");
  // Strangers have used up what is mailed and what is stored, and this address what it may send.
  const full = async (name: string, of: string) => {
    const key = `${name}:${createHash("sha256").update(of).digest("base64url").slice(0, 22)}`;
    await database.sql`insert into rate_limits (limit_key, points, expires_at) values (${key}, 100000, now() + interval '1 hour')`;
  };
  await full("contact:all", "all");
  await full("contact-stored:all", "all");
  await full("contact:address", "198.51.100.7");
  assert.equal((await send(MESSAGE)).status, 429);
  assert.equal((await send(MESSAGE, { headers: { "x-forwarded-for": "198.51.100.8" } })).status, 429);
  for (let count = 0; count < 5; count += 1) assert.equal((await send(MESSAGE, { headers: { cookie } })).status, 302);
  const sixth = await send(MESSAGE, { headers: { cookie, "x-forwarded-for": "198.51.100.9" } });
  assert.equal(sixth.status, 429, "the account's own budget");
  assert.equal((await stored()).length, 5);
  assert.equal((await queued()).length, 5);
});

test("refused hostile words come back escaped", async () => {
  const { text } = await send({ ...MESSAGE, name: HOSTILE, message: HOSTILE, email: "no" });
  assert.doesNotMatch(text, /<script>alert\(1\)/);
  assert.match(text, /&lt;script&gt;alert\(1\)/);
});

test("a privacy request is kept with its kind and its place", async () => {
  assert.equal((await send({ ...MESSAGE, privacy: "on", kind: "appeal", region: "colorado" })).status, 302);
  const [row] = await stored();
  assert.deepEqual([row?.request_kind, row?.request_region], ["appeal", "colorado"]);
});

/** Makes every insert of a message fail with this SQLSTATE while `work` runs. */
async function failingWith<T>(sqlstate: string, work: () => Promise<T>): Promise<T> {
  await database.sql.unsafe(`create function fail_contact() returns trigger language plpgsql
    as $$ begin raise exception using errcode = '${sqlstate}'; end $$`);
  await database.sql`create trigger fail_contact before insert on contacts execute function fail_contact()`;
  return work().finally(() => database.sql`drop function fail_contact cascade`);
}
/** The same message by the API. */
const sendByApi = (ip: string) =>
  fetch(`${base}/api/v1/contact`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": ip },
    body: JSON.stringify(MESSAGE),
  });

test("while the database takes nothing it is 503, and nothing typed is lost", async () => {
  // No disk left, and a server that stops.
  for (const sqlstate of ["53100", "57P01"]) {
    await failingWith(sqlstate, async () => {
      const { status, text, headers } = await send(MESSAGE);
      assert.equal(status, 503, sqlstate);
      assert.ok(Number(headers.get("retry-after")) > 0);
      assert.match(text, /could not be stored just now/);
      assert.match(text, /Is Valheim modded\?<\/textarea>/);
      const program = await sendByApi("198.51.100.8");
      assert.equal(program.status, 503, sqlstate);
      assert.equal(program.headers.get("x-relay-error"), "true");
    });
  }
  assert.equal((await stored()).length, 0);
});

test("a fault of the site's own is 500 and not called an outage, and nothing typed is lost", async () => {
  // A constraint that the code doesn't know, and a column of another type.
  for (const sqlstate of ["23514", "42804"]) {
    await failingWith(sqlstate, async () => {
      const { status, text } = await send(MESSAGE);
      assert.equal(status, 500, sqlstate);
      assert.match(text, /An error on this site kept it from being stored/);
      assert.match(text, /Is Valheim modded\?<\/textarea>/);
      assert.equal((await sendByApi("198.51.100.8")).status, 500, sqlstate);
    });
  }
  assert.equal((await stored()).length, 0);
});

test("a body of 200 KB is refused without being read", async () => {
  assert.equal((await send({ ...MESSAGE, message: "x".repeat(200_000) })).status, 413);
  assert.equal((await stored()).length, 0);
});
