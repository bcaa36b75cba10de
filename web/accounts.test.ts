/** Accounts through the front door: refusals first, then the way in, then what a session is worth. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { hashPassword } from "#domain/passwords.ts";
import { createUser } from "#domain/users.ts";
import { type Browser, createBrowser, newestMail } from "#tests/helpers/browser.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { startWeb, type Web } from "./server.ts";

const PASSWORD = "a lamp in the harbour";
let database: TestDatabase;
let web: Web;
let base: string;
let dataDir: string;
let address = 0;

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "accounts-"));
  web = await startWeb(
    readConfig({ PORT: "0", DATABASE_URL: database.url, DATA_DIR: dataDir, TRUST_PROXY: "1", LOG_LEVEL: "silent" }),
    { log: pino({ level: "silent" }) },
  );
  base = `http://127.0.0.1:${web.port}`;
});

after(async () => {
  await web.stop();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** A browser at an address that nobody has used. */
function browser(): Browser {
  address += 1;
  return createBrowser(base, `203.0.113.${address}`);
}

let hash: string | undefined;
async function member(email: string) {
  hash ??= await hashPassword(PASSWORD);
  return createUser(database.db, { email, passwordHash: hash, locale: "en", emailVerified: true });
}

const signIn = (at: Browser, email: string, password = PASSWORD, search = "") =>
  at.post(`/login/${search}`, { intent: "login", email, password });

const isSignedIn = async (at: Browser) => (await at.get("/login/")).status === 302;

test("sign-in is refused in words, with its status, and keeps the address but never the password", async () => {
  await member("refused@example.org");
  for (const [fields, status, words] of [
    [{ email: "", password: "" }, 400, "You must provide either an email or phone number and a password"],
    [
      { email: "refused@example.org", password: "" },
      400,
      "You must provide either an email or phone number and a password",
    ],
    [{ email: "no address", password: "wrong-one-1" }, 400, "Login failed. This is not an e-mail address"],
    [
      { email: "refused@example.org", password: "wrong-one-1" },
      401,
      "Login failed. The e-mail address or the password is wrong.",
    ],
    [
      { email: "nobody@example.org", password: "wrong-one-1" },
      401,
      "Login failed. The e-mail address or the password is wrong.",
    ],
    [
      { email: "refused@example.org", password: "x".repeat(129) },
      401,
      "Login failed. The e-mail address or the password is wrong.",
    ],
  ] as const) {
    const answer = await browser().post("/login/", { intent: "login", ...fields });
    assert.equal(answer.status, status, words);
    assert.ok(answer.text.includes(words), words);
    assert.match(answer.text, /role="alert"/);
    assert.deepEqual(answer.setCookies, []);
    if (fields.email) assert.ok(answer.text.includes(`value="${fields.email}"`));
    if (fields.password) assert.ok(!answer.text.includes(fields.password));
  }
});

test("from registering to signing out", async () => {
  const at = browser();
  const answer = await at.post("/login/", { intent: "register", email: "New@Example.org", password: PASSWORD });
  assert.equal(answer.status, 200);
  assert.match(answer.text, /Check your mail/);
  assert.equal(await isSignedIn(at), false);
  assert.match((await signIn(at, "new@example.org")).text, /confirm your e-mail address first/);

  const mail = await newestMail(database, "new@example.org");
  assert.equal(mail.template, "verify-email");
  const link = new URL(String(mail.data.link));
  const [stored] =
    await database.sql`select count(*)::int as n from verifications where value like ${`%${link.searchParams.get("token")}%`} or identifier like ${`%${link.searchParams.get("token")}%`}`;
  assert.equal(stored?.n, 0, "the token is stored as a hash only");
  assert.match((await at.get(link.pathname + link.search)).text, /new@example\.org/);
  assert.equal(await isSignedIn(at), false, "looking at the link changes nothing");
  const confirmed = await at.post(link.pathname + link.search, {});
  assert.equal(confirmed.status, 302);
  assert.equal(confirmed.location, "/");
  assert.equal(await isSignedIn(at), true);
  assert.equal((await browser().post(link.pathname + link.search, {})).status, 410, "a link works once");

  const [row] = await database.sql`
    select role, user_nick_name, p.locale from users u join roles using (user_id) join profiles p using (user_id) where email = 'new@example.org'`;
  assert.equal(row?.role, "user");
  assert.match(row?.user_nick_name, /^Player-/);

  const out = await at.post("/logout", {});
  assert.equal(out.location, "/");
  assert.equal(await isSignedIn(at), false);
  const back = await signIn(at, "NEW@example.org", PASSWORD, "?next=/dashboard");
  assert.equal(back.location, "/dashboard");
  assert.equal(await isSignedIn(at), true);
});
