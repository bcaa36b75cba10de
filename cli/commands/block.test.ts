/** The operator's commands against one who floods the site: beside a running site, by its database alone. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, mock, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createUser } from "#domain/accounts/users.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import { runProgram } from "#tests/helpers/programs/run-program.ts";
import { run as block } from "./block.ts";
import { run as unblock } from "./unblock.ts";

let site: AccountSite;

before(async () => {
  // Nothing in front: the address of a connection is who asks.
  site = await startAccountSite({ TRUST_PROXY: "0" });
});

after(() => site.stop());

/** The commands in this process, which is faster: what they say, and the code that they end with. */
async function run(command: "block" | "unblock", ...args: string[]) {
  const said: string[] = [];
  const listen = (text: string) => void said.push(text);
  const spies = [mock.method(console, "log", listen), mock.method(console, "error", listen)];
  process.env.DATABASE_URL = site.database.url;
  try {
    const code = await (command === "block" ? block : unblock)(args);
    return { code, output: said.join("\n") };
  } finally {
    delete process.env.DATABASE_URL;
    for (const spy of spies) spy.mock.restore();
  }
}

/** A connection from another address of this machine, with one page asked for over it. */
async function comeFrom(localAddress: string) {
  const socket = connect({ port: Number(new URL(site.base).port), host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  let heard = "";
  socket.setEncoding("latin1").on("data", (part) => {
    heard += part;
  });
  const closed = once(socket, "close");
  const ask = async (path: string) => {
    heard = "";
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${new URL(site.base).host}\r\n\r\n`);
    const until = performance.now() + 120_000;
    while (!/^HTTP\/1\.1 \d+/.test(heard) && performance.now() < until) await pause(10);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1]);
  };
  return { ask, closed, end: () => socket.destroy() };
}

test("what is no address, too wide or too long is refused, and the machine itself and an admin's place only by force", async () => {
  for (const args of [
    [],
    ["here"],
    ["0.0.0.0/0"],
    ["192.0.2.7", "--for", "2y"],
    ["192.0.2.7", "192.0.2.8"],
    ["--lst"],
  ]) {
    assert.equal((await run("block", ...args)).code, 2, args.join(" "));
  }
  for (const own of ["127.0.0.1", "::1", "127.0.0.0/8"]) {
    const { code, output } = await run("block", own);
    assert.equal(code, 1, own);
    assert.match(output, /was not blocked: that is this machine itself/);
  }
  const admin = await createUser(site.database.db, {
    email: "boss@example.org",
    passwordHash: null,
    locale: "en",
    emailVerified: true,
  });
  await site.sql`update roles set role = 'admin' where user_id = ${admin.id}`;
  await site.sql`insert into sessions (user_id, token_hash, expires_at, ip) values (${admin.id}, 'x', now() + interval '1 h', '203.0.113.9')`;
  const { code, output } = await run("block", "203.0.113.0/24");
  assert.equal(code, 1);
  assert.match(output, /an admin is signed in from 203\.0\.113\.9/);
  assert.equal((await site.sql`select from ip_blocks`).length, 0);
});

test("a block cuts what is open, keeps out what comes, is listed and written down; unblocking lets in again", async () => {
  const flooder = await comeFrom("127.0.0.2");
  const streaming = await comeFrom("127.0.0.2");
  const other = await comeFrom("127.0.0.3");
  assert.equal(await flooder.ask("/impressum"), 200);
  assert.equal(await streaming.ask("/live"), 200);
  assert.equal(await other.ask("/impressum"), 200);

  const made = await run("block", "127.0.0.2", "--for", "2h", "--reason", "floods", "--force");
  assert.equal(made.code, 0, made.output);
  assert.match(made.output, /127\.0\.0\.2\/32 is blocked until \d{4}-/);
  await Promise.race([
    Promise.all([flooder.closed, streaming.closed]),
    pause(120_000, undefined, { ref: false }).then(() => assert.fail("what was open stayed open")),
  ]);
  const again = await comeFrom("127.0.0.2");
  assert.equal(await again.ask("/impressum"), 403);
  assert.equal(await other.ask("/impressum"), 200);
  assert.match((await run("block", "--list")).output, /127\.0\.0\.2\/32 +until .* floods/);

  assert.equal((await run("unblock", "127.0.0.3")).code, 1);
  assert.equal((await run("unblock", "127.0.0.2")).code, 0);
  let status = 0;
  for (let tries = 0; tries < 100 && status !== 200; tries += 1) {
    const back = await comeFrom("127.0.0.2");
    status = await back.ask("/impressum");
    back.end();
    if (status !== 200) await pause(50);
  }
  assert.equal(status, 200);
  other.end();
  const rows =
    await site.sql`select what, actor_id, subject_id from audit_events where what like 'address-%' order by 1`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    ["address-blocked", "address-unblocked"].map((what) => ({ what, actor_id: null, subject_id: "127.0.0.2/32" })),
  );
});

test("one IPv6 address stands for its network of 64 bits, and a wider range is named when a part of it is asked for", async () => {
  assert.match((await run("block", "2001:db8:1:2:3::4")).output, /^2001:db8:1:2::\/64 is blocked/);
  assert.match((await run("unblock", "2001:db8:1:2::/80")).output, /It lies in 2001:db8:1:2::\/64: unblock that/);
  assert.equal((await run("unblock", "2001:db8:1:2::9")).code, 0);
  const listed = await runProgram(
    ["cli/spawnpoint.ts", "block", "--list"],
    { DATABASE_URL: site.database.url },
    { show: false },
  );
  assert.deepEqual([listed.code, listed.output], [0, "Nobody is blocked.\n"]);
});
