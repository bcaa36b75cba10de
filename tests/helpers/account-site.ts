/** A running site on a database of its own, with browsers and members for tests of accounts. */
import assert from "node:assert/strict";
import { argon2Sync, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Logger, pino } from "pino";
import { readConfig } from "#config";
import { createUser, type User } from "#domain/accounts/users.ts";
import { startWeb } from "#web/server.ts";
import { type Answer, type Browser, createBrowser } from "./browser.ts";
import { createTestDatabase } from "./database.ts";
import { PATIENT } from "./programs/patient-settings.ts";

export const PASSWORD = "a lamp in the harbour";

/** PASSWORD hashed as cheaply as argon2id can: hundreds of logins in tests verify it. */
const CHEAP_HASH = (() => {
  const nonce = randomBytes(16);
  const tag = argon2Sync("argon2id", { message: PASSWORD, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 });
  return `$argon2id$v=19$m=8,t=1,p=1$${[nonce, tag].map((part) => part.toString("base64").replace(/=+$/, "")).join("$")}`;
})();

/**
 * Starts it. `siteUrl` makes it think that it stands behind HTTPS; the requests stay plain.
 * @param reach from the address of its database to the one by which the site reaches it
 * @param log where it logs to; nowhere
 */
export async function startAccountSite(
  settings: Record<string, string> = {},
  reach: (url: string) => string | Promise<string> = (url) => url,
  log: Logger = pino({ level: "silent" }),
) {
  const database = await createTestDatabase();
  const databaseUrl = await reach(database.url);
  // What a mail was filled with is forgotten once it is sent; the test remembers.
  await database.sql.unsafe(`
    create table mail_copies (copy_id int generated always as identity, mail_to text, template text, locale text, data jsonb);
    create function copy_mail() returns trigger language plpgsql as $$ begin
      insert into mail_copies (mail_to, template, locale, data) values (new.mail_to, new.template, new.locale, new.payload);
      return null;
    end $$;
    create trigger copy_mail after insert on notification_deliveries for each row when (new.template is not null) execute function copy_mail()`);
  const dataDir = await mkdtemp(path.join(tmpdir(), "accounts-"));
  const env = {
    ...PATIENT,
    PORT: "0",
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    TRUST_PROXY: "1",
    LOG_LEVEL: "silent",
  };
  const web = await startWeb(readConfig({ ...env, ...settings }), { log });
  const base = `http://127.0.0.1:${web.port}`;
  let addresses = 0;

  /** A browser at an address that nobody has used. */
  function browser(ip?: string): Browser {
    addresses += 1;
    return createBrowser(base, ip ?? `198.18.${addresses >> 8}.${addresses & 255}`, settings.SITE_URL);
  }
  async function member(email: string): Promise<User> {
    return createUser(database.db, { email, passwordHash: CHEAP_HASH, locale: "en", emailVerified: true });
  }
  const signIn = (at: Browser, email: string, password = PASSWORD, search = ""): Promise<Answer> =>
    at.post(`/login/${search}`, { intent: "login", email, password });
  /** A browser in which somebody new is signed in. */
  async function signedIn(email: string): Promise<{ at: Browser; user: User }> {
    const user = await member(email);
    const at = browser();
    assert.equal((await signIn(at, email)).status, 302);
    return { at, user };
  }
  /** A new admin, signed in; as yet without a second factor. */
  async function signedInAdmin(email: string) {
    const signed = await signedIn(email);
    await database.sql`update roles set role = 'admin' where user_id = ${signed.user.id}`;
    return signed;
  }
  /** The newest mail to an address, as it was filled. */
  async function newestMail(to: string) {
    const [mail] = await database.sql<{ template: string; locale: string; data: Record<string, string> }[]>`
      select template, locale, data from mail_copies where mail_to = ${to} order by copy_id desc limit 1`;
    assert.ok(mail, `no mail to ${to}`);
    return mail;
  }
  /** The path of the link in it. */
  async function linkTo(email: string): Promise<string> {
    const { pathname, search } = new URL(String((await newestMail(email)).data.link));
    return pathname + search;
  }
  let stopping: Promise<void> | undefined;
  const stopWeb = () => {
    stopping ??= web.stop();
    return stopping;
  };
  const isSignedIn = async (at: Browser) => (await at.get("/login/")).status === 302;

  return {
    database,
    sql: database.sql,
    base,
    dataDir,
    browser,
    member,
    signIn,
    signedIn,
    signedInAdmin,
    isSignedIn,
    newestMail,
    linkTo,
    /** Its web process alone; the database stays. */
    stopWeb,
    async stop() {
      await stopWeb();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type AccountSite = Awaited<ReturnType<typeof startAccountSite>>;
