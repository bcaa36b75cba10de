/** A database that is not there yet, or cannot be used: the real programs wait for the one, and say how to mend the other in a sentence. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Database } from "#db/client.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import { findRunningPostgres } from "#db/postgres/running.ts";
import { patience } from "#tests/faults/figure.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";
import { startPgBouncer } from "#tests/helpers/programs/pgbouncer.ts";

const PROGRAM = path.join(import.meta.dirname, "spawnpoint.ts");
/** Who may come in how; the order decides. */
const HBA = `
local all all trust
hostssl all only_tls 127.0.0.1/32 trust
host all password_holder 127.0.0.1/32 scram-sha-256
host all spawnpoint,poor,ghost,outsider,owner_of_nothing 127.0.0.1/32 trust
`;

let folder: string;
let postgres: EmbeddedPostgres;
let admin: Database;
let port: number;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-not-there-"));
  await chmod(folder, 0o755);
  await writeFile(path.join(folder, "hba"), HBA, { mode: 0o644 });
  port = await findFreePort();
  postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, "server"),
    log: { debug() {}, info() {}, warn() {} },
    settings: {
      listen_addresses: "127.0.0.1",
      port: String(port),
      hba_file: path.join(folder, "hba"),
      fsync: "off",
      max_connections: "60",
    },
  });
  admin = connectDatabase({ databaseUrl: at("spawnpoint", "postgres") }, { max: 1 });
  for (const statement of [
    "CREATE ROLE password_holder LOGIN PASSWORD 'right'",
    "CREATE ROLE poor LOGIN",
    "CREATE ROLE only_tls LOGIN",
    "CREATE ROLE outsider LOGIN",
    "CREATE DATABASE foreign_one",
    "CREATE DATABASE bare",
    "CREATE DATABASE owned",
    "CREATE DATABASE closed",
    "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
    "CREATE DATABASE pooled",
  ]) {
    await admin.sql.unsafe(statement);
  }
});

after(async () => {
  await admin.close();
  await postgres.stop(true);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

const at = (user: string, database: string, where = port) => `postgres://${user}@127.0.0.1:${where}/${database}`;

type Run = {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
  says(expected: RegExp): Promise<void>;
};
let runs = 0;

function run(args: string[], env: NodeJS.ProcessEnv): Run {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, DATA_DIR: path.join(folder, `data-${++runs}`), HOST: "127.0.0.1", SITE_URL: "", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  // What should have refused and waits instead is a failure, not a test without an end.
  const limit = setTimeout(() => child.kill("SIGKILL"), patience(60_000));
  child.once("close", () => clearTimeout(limit));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    output: () => output,
    ended,
    async says(expected) {
      const deadline = performance.now() + patience(30_000);
      while (!expected.test(output)) {
        assert.ok(performance.now() < deadline && child.exitCode === null, `${expected} was not said:\n${output}`);
        await pause(50);
      }
    },
  };
}

/** It ends with this code after one line, without a stack. */
async function refuses(args: string[], env: NodeJS.ProcessEnv, code: number, expected: RegExp): Promise<void> {
  const { ended, output } = run(args, { PORT: String(await findFreePort()), ...env });
  const found = await ended;
  assert.match(output(), expected);
  assert.equal(found, code, output());
  assert.doesNotMatch(output(), /\n\s+at |Error:/);
  assert.equal(output().trim().split("\n").length, 1, output());
}

/** What is behind a port can be put there later. */
async function forward(from: number, to: number): Promise<Server> {
  const server = createServer((client) => {
    const upstream = connect(to, "127.0.0.1");
    for (const socket of [client, upstream]) {
      socket.on("error", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  }).listen(from, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test("a start waits for a database that is not there, tells visitors so, and is ready when it comes", async (t) => {
  const [sitePort, later] = [await findFreePort(), await findFreePort()];
  const site = run(["start"], {
    PORT: String(sitePort),
    DATABASE_URL: at("spawnpoint:secret-word", "spawnpoint", later),
  });
  t.after(() => site.child.kill("SIGKILL"));
  await site.says(/waiting for the database/);
  assert.match(
    site.output(),
    new RegExp(
      `waiting for the database at 127\\.0\\.0\\.1:${later}: the connection is refused: nothing listens there\\.`,
    ),
  );
  const url = `http://127.0.0.1:${sitePort}`;
  const html = { headers: { Accept: "text/html" } };
  // The room opens right after the text.
  while (!(await fetch(`${url}/livez`).catch(() => null))) await pause(20);
  assert.equal((await fetch(`${url}/livez`)).status, 200);
  const ready = await fetch(`${url}/readyz`);
  assert.equal(ready.status, 503);
  assert.equal(((await ready.json()) as { waiting_for: string }).waiting_for, "database");
  for (const [address, expected] of [
    ["/games/valheim", "The site is waiting for its database."],
    ["/de/games/valheim", "Die Seite wartet auf ihre Datenbank."],
  ] as const) {
    const page = await fetch(url + address, html);
    assert.equal(page.status, 503);
    assert.deepEqual([page.headers.get("retry-after"), page.headers.get("refresh")], ["5", "5"]);
    assert.match(String(page.headers.get("content-type")), /^text\/html/);
    assert.match(String(page.headers.get("content-security-policy")), /^default-src 'none'; style-src 'sha256-/);
    assert.ok((await page.text()).includes(expected));
  }
  const sent = await fetch(`${url}/contact`, { method: "POST", body: "x".repeat(200_000), ...html });
  assert.equal(sent.status, 503);
  assert.equal(sent.headers.get("refresh"), null, "what was sent is not sent again");
  assert.match(await sent.text(), /what you have sent was not taken/);
  const api = await fetch(`${url}/api/v1/gameservers`);
  assert.deepEqual([api.status, api.headers.get("content-type")], [503, "application/problem+json"]);

  const bridge = await forward(later, port);
  t.after(() => bridge.close());
  const deadline = performance.now() + patience(60_000);
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
    assert.ok(performance.now() < deadline && site.child.exitCode === null, site.output());
    await pause(100);
  }
  assert.match(site.output(), /the database at 127\.0\.0\.1:\d+ is there, after \d+ s/);
  assert.doesNotMatch(site.output(), /secret-word/);
  site.child.kill("SIGTERM");
  assert.equal(await site.ended, 0, site.output());
});

test("web waits for tables that nobody has made yet, and goes on when somebody has", async (t) => {
  const sitePort = await findFreePort();
  const databaseUrl = at("spawnpoint", "later");
  await admin.sql.unsafe("CREATE DATABASE later");
  await admin.sql.unsafe("ALTER DATABASE later SET default_transaction_read_only = on");
  const web = run(["web"], { PORT: String(sitePort), DATABASE_URL: databaseUrl, WEB_WORKERS: "1" });
  t.after(() => web.child.kill("SIGKILL"));
  await web.says(/its tables are not made yet, and `spawnpoint migrate` brings them\./);
  const migrate = run(["migrate"], { DATABASE_URL: databaseUrl });
  await migrate.says(/it can only be read now/);
  await admin.sql.unsafe("ALTER DATABASE later RESET default_transaction_read_only");
  assert.equal(await migrate.ended, 0, migrate.output());
  const deadline = performance.now() + patience(30_000);
  const status = async () => (await fetch(`http://127.0.0.1:${sitePort}/login/`).catch(() => null))?.status;
  while ((await status()) !== 200) {
    assert.ok(performance.now() < deadline && web.child.exitCode === null, web.output());
    await pause(100);
  }
  web.child.kill("SIGTERM");
  assert.equal(await web.ended, 0, web.output());
});

test("SIGTERM while waiting ends each of them in a moment, with code 0", async (t) => {
  const nowhere = await findFreePort();
  const silent = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
  t.after(() => silent.close());
  await once(silent, "listening");
  const silentPort = (silent.address() as { port: number }).port;
  await Promise.all(
    (
      [
        [["start"], nowhere, {}, /the connection is refused/],
        [["web"], nowhere, { WEB_WORKERS: "1" }, /the connection is refused/],
        [["web"], silentPort, { WEB_WORKERS: "2" }, /it was reached and does not answer/],
        [["collector"], nowhere, {}, /the connection is refused/],
        [["migrate"], nowhere, {}, /the connection is refused/],
        [["collector"], null, {}, /there is no such host/],
      ] as const
    ).map(async ([args, where, env, expected]) => {
      const databaseUrl = where ? at("spawnpoint", "x", where) : "postgres://spawnpoint@no-such-host.invalid/x";
      const waiting = run([...args], { ...env, PORT: String(await findFreePort()), DATABASE_URL: databaseUrl });
      await waiting.says(expected);
      const told = performance.now();
      waiting.child.kill("SIGTERM");
      assert.equal(await waiting.ended, 0, waiting.output());
      assert.ok(performance.now() - told < patience(2500), `${args} took ${performance.now() - told} ms`);
    }),
  );
});

test("what does not pass by itself is one sentence with its remedy, and no stack", async (t) => {
  const foreign = connectDatabase({ databaseUrl: at("spawnpoint", "foreign_one") }, { max: 1 });
  t.after(() => foreign.close());
  await foreign.sql`create table wp_posts (post_id int)`;
  const owned = connectDatabase({ databaseUrl: at("spawnpoint", "owned") }, { max: 1 });
  await owned.sql`create table gameserver (server_id int)`.finally(owned.close);
  await foreign.sql`create view wp_view as select 1 as one`;
  const http = createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  t.after(() => http.close());
  await once(http.listen(0, "127.0.0.1"), "listening");
  const httpPort = (http.address() as { port: number }).port;
  const cases: [string, RegExp][] = [
    [
      at("password_holder:wrong", "spawnpoint"),
      /The database 127\.0\.0\.1:\d+\/spawnpoint refuses user password_holder or the password: write the right ones into DATABASE_URL/,
    ],
    [
      at("spawnpoint", "nowhere"),
      /There is no database "nowhere" at 127\.0\.0\.1:\d+: make it \(`CREATE DATABASE "nowhere" OWNER "spawnpoint"`\)/,
    ],
    [at("ghost", "spawnpoint"), /knows no role "ghost": make it/],
    [at("only_tls", "spawnpoint"), /by TLS alone, or not at all: add \?sslmode=require/],
    [`${at("spawnpoint", "spawnpoint")}?sslmode=require`, /speaks no TLS, and sslmode in DATABASE_URL asks for it/],
    [at("outsider", "closed"), /`GRANT CONNECT, CREATE ON DATABASE "closed" TO "outsider"`/],
    [
      at("poor", "bare"),
      /connected to that database .* run `GRANT CREATE ON DATABASE "bare" TO "poor"; GRANT USAGE, CREATE ON SCHEMA public TO "poor"`/,
    ],
    [
      at("poor", "owned"),
      /The tables in the database 127\.0\.0\.1:\d+\/owned belong to spawnpoint, and poor may not change them: sign in as spawnpoint/,
    ],
    [
      at("spawnpoint", "foreign_one"),
      /holds tables of something else than Spawnpoint \(wp_posts, wp_view\), and nothing was changed: give the site a database of its own/,
    ],
    [at("spawnpoint", "x", httpPort), /What answers at 127\.0\.0\.1:\d+ is no Postgres/],
    ["postgres://user:p%zz@127.0.0.1/x", /^DATABASE_URL has a % that begins no escape; .* and % %25$/m],
  ];
  // The first by each program that can meet it; two at a time, for each is a whole Node.
  const [[url, expected] = ["", /x/]] = cases;
  await Promise.all([
    refuses(["web"], { DATABASE_URL: url, LOG_LEVEL: "error" }, 78, expected),
    refuses(["collector"], { DATABASE_URL: url, LOG_LEVEL: "error" }, 78, expected),
    refuses(["start"], { DATABASE_URL: url }, 1, expected),
  ]);
  for (let first = 1; first < cases.length; first += 3) {
    await Promise.all(
      cases
        .slice(first, first + 3)
        .map(([databaseUrl, say], place) =>
          refuses([place === 0 ? "start" : "migrate"], { DATABASE_URL: databaseUrl }, 1, say),
        ),
    );
  }
  const left = await foreign.sql<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') order by 1`;
  assert.deepEqual(
    left.map(({ name }) => name),
    ["public.wp_posts", "public.wp_view"],
  );
});

test("a mail server's address with a bad escape, a HOST that leads nowhere and one that is another machine's are named", async () => {
  await Promise.all([
    refuses(
      ["start"],
      { SMTP_URL: "smtp://me:100%@mail.example.org", MAIL_FROM: "a@example.org" },
      1,
      /^SMTP_URL has a % that begins no escape;/m,
    ),
    refuses(["start"], { HOST: "192.0.2.1" }, 1, /^HOST 192\.0\.2\.1 is no address of this machine: set one that is/m),
    refuses(
      ["start"],
      { HOST: "no-such-host.invalid" },
      1,
      /^HOST no-such-host\.invalid is a name that leads nowhere: set an address/m,
    ),
  ]);
});

test("a taken port is found before Postgres is started, and its holder is named", {
  skip: process.platform !== "linux",
}, async (t) => {
  const taken = createServer();
  t.after(() => taken.close());
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const { port: number } = taken.address() as { port: number };
  const site = run(["start"], { PORT: String(number), LOG_LEVEL: "debug" });
  assert.equal(await site.ended, 1);
  assert.match(
    site.output(),
    new RegExp(
      `PORT ${number} on 127\\.0\\.0\\.1 is taken by another program \\(process ${process.pid}, node[^)]*\\)\\. Stop it, or set another PORT: \`export PORT=\\d+\`, then start again\\.`,
    ),
  );
  assert.doesNotMatch(site.output(), /making the database/);
  assert.equal(await findRunningPostgres(path.join(folder, `data-${runs}`)), null);
});

test("PgBouncer that hands connections on by transaction is found out; by session it will do", async (t) => {
  const bouncer = await startPgBouncer({
    folder,
    server: { port, user: "spawnpoint" },
    ports: [await findFreePort(), await findFreePort(), await findFreePort()],
  });
  if (bouncer === null) return t.skip("pgbouncer is not installed here (Debian's package pgbouncer)");
  t.after(() => bouncer.stop());
  await refuses(
    ["migrate"],
    { DATABASE_URL: at("spawnpoint", "pooled", bouncer.strict) },
    1,
    /A pooler \(PgBouncer\) stands at 127\.0\.0\.1:\d+ and refuses our time limits: .*ignore_startup_parameters/,
  );
  await refuses(
    ["migrate"],
    { DATABASE_URL: at("spawnpoint", "pooled", bouncer.transaction) },
    1,
    /A pooler that hands a connection on after each transaction \(PgBouncer\) stands at .*: set pool_mode = session there, or let DATABASE_URL name Postgres' own address\./,
  );
  await refuses(
    ["collector"],
    { DATABASE_URL: at("spawnpoint", "pooled", bouncer.transaction), LOG_LEVEL: "error" },
    78,
    /set pool_mode = session/,
  );
  const fine = run(["migrate"], { DATABASE_URL: at("spawnpoint", "pooled", bouncer.session) });
  assert.equal(await fine.ended, 0, fine.output());
  assert.match(fine.output(), /The tables are up to date/);
});
