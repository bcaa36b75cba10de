/** A real site and a demo keep off each other, and no site starts without its own secret: by the real programs, on one server. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { openSecret, sealSecret } from "#domain/accounts/secret-seal.ts";
import { createUser } from "#domain/accounts/users.ts";
import { checkOfSiteSecret } from "#domain/site/identity.ts";
import { patience } from "#tests/faults/figure.ts";
import { startRealSite } from "#tests/faults/real-site.ts";
import { startAccountSite } from "#tests/helpers/account-site.ts";
import { createBrowser } from "#tests/helpers/browser.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";
import { stepNow, totp } from "#tests/helpers/totp.ts";
import { startWeb } from "#web/server.ts";
import { markProven } from "./backup/kept-backups.ts";
import { prepareDatabase } from "./commands/migrate.ts";

const PROGRAM = path.join(import.meta.dirname, "spawnpoint.ts");
let folder: string;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-real-"));
});
after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

async function run(args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", SITE_URL: "", LOG_LEVEL: "warn", ...env },
    timeout: patience(60_000),
    killSignal: "SIGKILL",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

/** Every file and folder of a folder, with its size and when it was written. */
async function everyFile(place: string): Promise<string[]> {
  const names = ["", ...(await readdir(place, { recursive: true }))].toSorted();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(path.join(place, name));
      return `${name} ${size} ${mtimeMs}`;
    }),
  );
}

/** How many rows each table has: nothing may come or go. */
async function countRows({ sql }: Pick<TestDatabase, "sql">): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('public', 'drizzle') order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ n: number }[]>(`select count(*)::int as n from ${name}`);
    counts[name] = row?.n ?? -1;
  }
  return counts;
}

test("the demo is refused on a real site's database and folder, with nothing changed there", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const dataDir = path.join(folder, "real");
  await prepareDatabase(database.url, { kind: "real", dataDir, databaseUrl: database.url });
  await createUser(database.db, { email: "boss@example.org", passwordHash: null, locale: "en", emailVerified: true });
  await mkdir(path.join(dataDir, "secrets"), { recursive: true });
  await writeFile(path.join(dataDir, "secrets", "auth"), "s".repeat(43));
  const before = await countRows(database);
  const marked =
    /^The demo does not touch a real site, and the database of DATABASE_URL \([^)]*\) is one's\. Unset DATABASE_URL, and the demo uses \.\/demo-data and a database of its own;[^\n]*\n$/;
  const onDatabase = await run(["start", "--demo"], { DATABASE_URL: database.url, DATA_DIR: "" });
  assert.deepEqual([onDatabase.code, marked.test(onDatabase.output)], [1, true], onDatabase.output);
  // One of an earlier version has no mark: its people tell.
  await database.sql`delete from site_identity`;
  const unmarked = await run(["start", "--demo", "--dev"], { DATABASE_URL: database.url, DATA_DIR: "" });
  assert.deepEqual([unmarked.code, marked.test(unmarked.output)], [1, true], unmarked.output);
  assert.deepEqual(await countRows(database), { ...before, "public.site_identity": 0 });
  assert.deepEqual((await readdir(path.join(folder, "demo-data"))).toSorted(), ["holder.json", "lock.sqlite"]);

  // A folder whose database is elsewhere: by its secrets, before a database is made in it.
  // Another folder has a database of its own, which is not even started. Nothing is written into either.
  const own = path.join(folder, "real-own");
  await mkdir(path.join(own, "postgres"), { recursive: true });
  await writeFile(path.join(own, "postgres", "PG_VERSION"), "18\n");
  await writeFile(path.join(own, "holder.json"), '{"pid":1,"startedAt":"2026-11-20T10:00:00.000Z"}\n');
  for (const [place, databaseUrl] of [
    [dataDir, ""],
    [dataDir, database.url],
    [own, ""],
    [own, database.url],
  ] as const) {
    const held = await everyFile(place);
    const onFolder = await run(["start", "--demo"], { DATABASE_URL: databaseUrl, DATA_DIR: place });
    assert.match(
      onFolder.output,
      /^The demo does not touch a real site, and [^\n]*real(?:-own)? holds one's database, secrets or pictures\. Unset DATA_DIR, and the demo makes \.\/demo-data;[^\n]*\n$/,
    );
    assert.equal(onFolder.code, 1);
    assert.deepEqual(await everyFile(place), held, "something was written");
  }
  const fleet = await run(["demo"], { DATABASE_URL: database.url, DATA_DIR: dataDir });
  assert.deepEqual(
    [fleet.code, /are the demo's: start them by `npm start`/.test(fleet.output)],
    [1, true],
    fleet.output,
  );
});

test("a real start is refused on a demo's database, and so are web, collector and migrate", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  await prepareDatabase(database.url, { kind: "demo", dataDir: folder, databaseUrl: database.url });
  const before = await countRows(database);
  const expected =
    /A demo ran on the database of DATABASE_URL \([^)]*\), with pretend game servers and people, so no real site starts there\. Set DATABASE_URL to an empty place/;
  const env = { DATABASE_URL: database.url, DATA_DIR: path.join(folder, "other") };
  for (const [args, code] of [
    [["start"], 1],
    [["web"], 78],
    [["collector"], 78],
    [["migrate"], 1],
  ] as const) {
    const { code: found, output } = await run([...args], env);
    assert.deepEqual([found, expected.test(output)], [code, true], output);
  }
  assert.deepEqual(await countRows(database), before);
});

test("a demo's folder takes no real start; damaged files there name the newest proven backup and the commands", async (t) => {
  const dataDir = path.join(folder, "demo-place");
  const demo = startRealSite({ dataDir, port: await findFreePort() });
  t.after(() => demo.process.kill("SIGKILL"));
  await demo.untilReady(patience(120_000));
  demo.process.kill("SIGTERM");
  assert.equal((await demo.ended).code, 0, demo.output());
  assert.match(await readFile(path.join(dataDir, "demo"), "utf8"), /the demo's/);
  const real = await run(["start"], { DATA_DIR: dataDir, DATABASE_URL: "" });
  assert.match(
    real.output,
    new RegExp(`^A demo ran on ${dataDir}, with pretend game servers and people, so no real site starts there\\.`, "m"),
  );
  assert.equal(real.code, 1);

  const backups = path.join(folder, "of-damaged");
  await mkdir(backups);
  const proven = path.join(backups, "older.tar.zst");
  for (const name of ["older.tar.zst", "newer.tar.zst"]) await writeFile(path.join(backups, name), "of a site");
  await markProven(proven, { sha256: "0".repeat(64), proven_at: new Date("2026-11-20T10:00:00Z") });
  await truncate(path.join(dataDir, "postgres", "global", "pg_control"), 100);
  const damaged = await run(["start"], { DATA_DIR: dataDir, DATABASE_URL: "", BACKUP_DIR: backups });
  assert.equal(damaged.code, 1);
  assert.match(damaged.output, /^The files of the database are damaged: Postgres does not start on [^\n]+$/m);
  assert.ok(
    damaged.output.includes(
      `The newest proven backup is ${proven} (proven 2026-11-20T10:00:00.000Z); go back to it by \`mv ${dataDir} ${dataDir}.damaged && DATA_DIR=${dataDir} npm run spawnpoint -- restore ${proven}\`.`,
    ),
    damaged.output,
  );
  assert.doesNotMatch(damaged.output, /\n\s+at /);
  // A backup that was cut short since is not the one that was proven.
  await truncate(proven, 3);
  const unproven = await run(["start"], { DATA_DIR: dataDir, DATABASE_URL: "", BACKUP_DIR: backups });
  assert.match(
    unproven.output,
    /No backup is known to be proven; the newest is [^\n]*\. Prove it by `[^`]*backup --verify /,
  );
  await rm(path.join(dataDir, "postgres", "PG_VERSION"));
  const none = await run(["start"], { DATA_DIR: dataDir, DATABASE_URL: "" });
  assert.match(
    none.output,
    /PG_VERSION is missing\. No backup was found in [^\n]*, and BACKUP_DIR is not set\. If you have one elsewhere/,
  );
});

test("without its own secret no site starts, and nothing is written; the sentence names what would be lost and the backup", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const dataDir = path.join(folder, "secretless");
  const backups = path.join(folder, "backups");
  await mkdir(backups);
  await mkdir(path.join(dataDir, "secrets"), { recursive: true });
  const kept = path.join(backups, "site.tar.zst");
  await writeFile(kept, "what a backup holds");
  await markProven(kept, { sha256: "0".repeat(64), proven_at: new Date("2026-11-20T10:00:00Z") });
  await writeFile(path.join(backups, "newer.tar.zst"), "nobody has proven it");
  const secret = path.join(dataDir, "secrets", "auth");
  await writeFile(secret, "s".repeat(43));
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, BACKUP_DIR: backups, WEB_WORKERS: "1" };
  await prepareDatabase(database.url, { kind: "real", dataDir, databaseUrl: database.url });
  // As before there was a check of the secret: the first start takes it.
  const config = readConfig({ ...env, PORT: "0" });
  const web = await startWeb(config, { log: pino({ level: "silent" }) });
  await web.stop();
  const user = await createUser(database.db, {
    email: "two@example.org",
    passwordHash: null,
    locale: "en",
    emailVerified: true,
  });
  await database.sql`insert into two_factors (user_id, secret, recovery_codes, verified) values (${user.id}, 'sealed', '[]', true)`;
  const before = await countRows(database);

  await rename(secret, `${secret}.gone`);
  for (const [args, code] of [
    [["start"], 1],
    [["web"], 78],
  ] as const) {
    const { code: found, output } = await run([...args], env);
    assert.equal(found, code, output);
    assert.ok(
      output.includes(`The secret of this site is missing: there is no ${secret}, and AUTH_SECRET is not set.`),
      output,
    );
    assert.match(output, /the second factors and recovery codes of 1 person would not work any more/);
    assert.ok(output.includes(`tar --zstd -xOf ${kept} secrets/auth > ${secret} && chmod 600 ${secret}`), output);
    assert.match(output, /spawnpoint change-secret --old-one-is-lost/);
    assert.doesNotMatch(output, /\n\s+at /);
  }
  assert.equal(existsSync(secret), false, "none is made");
  const other = await run(["web"], { ...env, AUTH_SECRET: "o".repeat(43) });
  assert.deepEqual(
    [other.code, /AUTH_SECRET is not the secret of this site\./.test(other.output)],
    [78, true],
    other.output,
  );
  // A web process that is started past the command's own look refuses as well.
  await assert.rejects(startWeb(config, { log: pino({ level: "silent" }) }), /The secret of this site is missing/);
  const backup = await run(["backup", path.join(folder, "none.tar.zst")], { ...env, AUTH_SECRET: "o".repeat(43) });
  assert.match(backup.output, /AUTH_SECRET is not the secret of this site/);
  assert.deepEqual(await countRows(database), { ...before, "public.backups": (before["public.backups"] ?? 0) + 1 });

  await writeFile(`${secret}`, "s".repeat(43));
  const again = await startWeb(config, { log: pino({ level: "silent" }) });
  const running = await run(["change-secret"], env);
  assert.deepEqual(
    [
      running.code,
      /The site is running with its secret, and nothing was changed: stop every web process first/.test(running.output),
    ],
    [1, true],
    running.output,
  );
  await again.stop();
});

test("a second factor and its recovery codes work on after the secret was changed on purpose, and are given up in words when it is lost", async (t) => {
  const OLD = "o".repeat(40);
  const NEW = "n".repeat(40);
  const site = await startAccountSite({ AUTH_SECRET: OLD });
  const { sql } = site.database;
  t.after(() => site.stop());
  await sql`insert into site_identity (kind) values ('real') on conflict (is_site) do update set kind = 'real'`;
  const user = await site.member("two@example.org");
  await sql`update profiles set locale = 'de' where user_id = ${user.id}`;
  const unready = await site.member("never@example.org");
  const code = "abcde23456";
  const hashed = (secret: string, word: string) =>
    createHmac("sha256", secret).update(`recovery ${word}`).digest("base64url");
  const seed = "s".repeat(32);
  const codes = JSON.stringify([hashed(OLD, code), hashed(OLD, "zzzzz23456")]);
  await sql`insert into two_factors (user_id, secret, recovery_codes, verified) values
    (${user.id}, ${sealSecret(OLD, seed)}, ${codes}, true),
    (${unready.id}, ${sealSecret(OLD, seed)}, '[]', false)`;
  await sql`update users set two_factor_enabled = true where user_id = ${user.id}`;
  await sql`insert into accounts (user_id, provider, provider_account_id, access_token) values
    (${user.id}, 'discord', '12345', ${sealSecret(OLD, "token of discord")})`;
  const env = { DATABASE_URL: site.database.url, DATA_DIR: path.join(folder, "changing"), AUTH_SECRET: OLD };
  await mkdir(env.DATA_DIR, { recursive: true });

  const running = await run(["change-secret"], { ...env, NEW_AUTH_SECRET: NEW });
  assert.match(running.output, /The site is running with its secret/);
  await site.stopWeb();
  const unsaid = await run(["change-secret"], env);
  assert.match(
    unsaid.output,
    /^AUTH_SECRET is a setting here, so its successor must be one: set NEW_AUTH_SECRET beside it[^\n]*\n$/,
  );
  const done = await run(["change-secret"], { ...env, NEW_AUTH_SECRET: NEW });
  assert.equal(done.code, 0, done.output);
  assert.match(done.output, /1 person with a second factor use it as before, recovery codes too/);
  assert.match(done.output, /write the new one in the place of AUTH_SECRET on every machine/);

  const changed = readConfig({ ...env, AUTH_SECRET: NEW, PORT: "0", TRUST_PROXY: "1", LOG_LEVEL: "silent" });
  const log = pino({ level: "silent" });
  await assert.rejects(
    startWeb({ ...changed, authSecret: OLD }, { log }),
    /AUTH_SECRET is not the secret of this site/,
  );
  const web = await startWeb(changed, { log });
  const base = `http://127.0.0.1:${web.port}`;
  const step = async (ip: string, given: { kind: string; code: string }) => {
    const at = createBrowser(base, ip);
    await site.signIn(at, "two@example.org");
    return (await at.post("/two-factor", given)).status;
  };
  assert.equal(await step("198.18.9.1", { kind: "app", code: totp(readSeed(seed), stepNow()) }), 302);
  assert.equal(await step("198.18.9.2", { kind: "recovery", code: "abcde-23456" }), 302);
  assert.equal(await step("198.18.9.3", { kind: "recovery", code: "abcde-23456" }), 401, "each works once");
  const [discord] = await sql`select access_token from accounts where provider = 'discord'`;
  assert.equal(openSecret(NEW, discord?.access_token), "token of discord");
  await web.stop();

  const right = await run(["change-secret", "--old-one-is-lost"], { ...env, AUTH_SECRET: NEW });
  assert.match(right.output, /The secret here is the site's, so nothing is lost/);
  const LOST = "l".repeat(40);
  const lost = await run(["change-secret", "--old-one-is-lost"], { ...env, AUTH_SECRET: LOST });
  assert.equal(lost.code, 0, lost.output);
  assert.match(lost.output, /The second factor of 1 person is removed, and each is told by mail/);
  assert.deepEqual([...(await sql`select user_id from two_factors where verified`)], []);
  const mail = await site.newestMail("two@example.org");
  assert.deepEqual([mail.template, mail.locale], ["second-factor-lost", "de"]);
  const [identity] = await sql`select secret_check from site_identity`;
  assert.equal(identity?.secret_check, checkOfSiteSecret(LOST));
  const last = await startWeb({ ...changed, authSecret: LOST }, { log });
  await last.stop();
});

/** The secret of an authenticator app, as its URI tells it. */
function readSeed(seed: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  let bits = "";
  for (const byte of Buffer.from(seed)) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => letters[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

test("a secret in the data folder is changed there, and a change that was ended right after the database is finished by the start", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const dataDir = path.join(folder, "in-a-file");
  await prepareDatabase(database.url, { kind: "real", dataDir, databaseUrl: database.url });
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent" };
  const start = () => startWeb(readConfig(env), { log: pino({ level: "silent" }) });
  await (await start()).stop();
  const file = path.join(dataDir, "secrets", "auth");
  const first = await readFile(file, "utf8");
  const done = await run(["change-secret"], env);
  assert.deepEqual([done.code, /Now start the site, and make a backup/.test(done.output)], [0, true], done.output);
  const second = await readFile(file, "utf8");
  assert.notEqual(second, first);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(path.dirname(file)), ["auth"]);
  // Killed between the database and the file: the old one still stands there, the new one beside it.
  await rename(file, `${file}-next`);
  await writeFile(file, first);
  await (await start()).stop();
  assert.equal(await readFile(file, "utf8"), second);
  assert.deepEqual(await readdir(path.dirname(file)), ["auth"]);
});
