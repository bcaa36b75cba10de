/** Mails over real SMTP on loopback, and into the outbox. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { readableMail, startMailServer } from "#tests/helpers/mail-server.ts";
import { createMailer, isMailAddress, type Letter } from "./mail.ts";

let dataDir: string;

before(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "spawnpoint-mail-"));
});

after(() => rm(dataDir, { recursive: true }));

const letter = (rest: Partial<Letter> = {}): Letter => ({
  id: "0b9d4f0e-0000-4000-8000-000000000001",
  name: "verify-email",
  from_name: "Spawnpoint",
  to: "player@example.org",
  subject: "Grüße",
  text: "Hello\n",
  html: "<p>Hello</p>",
  ...rest,
});

const mailer = (smtpUrl?: string, limits = { whole: 3000, silence: 1500 }) =>
  createMailer({ smtpUrl, mailFrom: "site@example.org", dataDir }, limits);

test("what could end a header line or name several people is no address", () => {
  for (const bad of [
    "",
    "player",
    "a@b@c",
    "a@b c",
    "a@b\r\nBcc: evil@example.org",
    "a@b\nc",
    "a@example.org,b@example.org",
    "Name <a@example.org>",
    "a@example.org\u0000",
    `${"a".repeat(65)}@example.org`,
    `a@${"b".repeat(260)}`,
    "ä@example.org",
  ]) {
    assert.equal(isMailAddress(bad), false, JSON.stringify(bad));
  }
  assert.equal(isMailAddress("player.one+games@mail.example.org"), true);
});

test("a letter with a line break in a header is refused before anybody is asked", async (t) => {
  const server = await startMailServer();
  t.after(server.close);
  for (const bad of [
    { to: "player@example.org\r\nBcc: all@example.org" },
    { to: "player@example.org, all@example.org" },
    { reply_to: "me@example.org\nBcc: all@example.org" },
    { subject: "Hi\r\nBcc: all@example.org" },
    { from_name: "Site\nBcc: all@example.org" },
  ]) {
    const outcome = await mailer(server.url).send(letter(bad));
    assert.equal(!outcome.sent && outcome.permanent, true, JSON.stringify(bad));
  }
  assert.deepEqual(server.received, []);
});

test("delivered: one recipient, the sender's name, both bodies, marked as written by a machine", async (t) => {
  const server = await startMailServer();
  t.after(server.close);
  const outcome = await mailer(server.url).send(letter({ reply_to: "guest@example.com" }));
  assert.equal(outcome.sent, true);
  const [mail] = server.received;
  assert.ok(mail);
  assert.deepEqual([mail.from, mail.to], ["site@example.org", ["player@example.org"]]);
  for (const part of [
    /^From: Spawnpoint <site@example\.org>/m,
    /^To: player@example\.org/m,
    /^Reply-To: guest@example\.com/m,
    /^Subject: =\?UTF-8\?/m,
    /^Message-ID: <0b9d4f0e-0000-4000-8000-000000000001@example\.org>/m,
    /^Auto-Submitted: auto-generated/m,
    /^Content-Type: text\/plain; charset=utf-8/m,
    /^Content-Type: text\/html; charset=utf-8/m,
    /<p>Hello<\/p>/,
  ]) {
    assert.match(readableMail(mail.raw), part);
  }
});

test("a full mailbox may pass, an unknown recipient is for good, a server that refuses us all is the operator's to mend", async () => {
  const refuse = async (answers: Parameters<typeof startMailServer>[0]) => {
    const server = await startMailServer(answers);
    const outcome = await mailer(server.url).send(letter());
    await server.close();
    assert.ok(!outcome.sent);
    return outcome;
  };
  const full = await refuse({ recipient: () => [452, "mailbox full"] });
  assert.equal(full.permanent, false);
  assert.match(full.reason, /mailbox full/);
  const unknown = await refuse({ recipient: () => [550, "no such user"] });
  assert.equal(unknown.permanent, true);
  assert.match(unknown.reason, /no such user/);
  assert.equal((await refuse({ message: () => [554, "looks like spam"] })).permanent, true);
  assert.equal((await refuse({ message: () => [451, "later"] })).permanent, false);
});

test("nobody listening is told and may pass", async () => {
  const outcome = await mailer("smtp://127.0.0.1:1").send(letter());
  assert.equal(!outcome.sent && !outcome.permanent, true);
});

test("a server that accepts and then says nothing is left after the time limit", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on("error", () => {})));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const outcome = await mailer(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, {
    whole: 600,
    silence: 300,
  }).send(letter());
  assert.equal(!outcome.sent && !outcome.permanent, true);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test("a server that dribbles forever is left too", async () => {
  const sockets: Socket[] = [];
  const dribbling = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    const timer = setInterval(() => socket.write("220-wait\r\n"), 50);
    socket.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => dribbling.listen(0, "127.0.0.1", resolve));
  const outcome = await mailer(`smtp://127.0.0.1:${(dribbling.address() as AddressInfo).port}`, {
    whole: 600,
    silence: 300,
  }).send(letter());
  assert.equal(!outcome.sent && !outcome.permanent, true);
  for (const socket of sockets) socket.destroy();
  dribbling.close();
});

test("where encryption is required, a server without it gets nothing", async (t) => {
  const server = await startMailServer();
  t.after(server.close);
  const outcome = await mailer(`${server.url}?requireTLS=true`).send(letter());
  assert.equal(!outcome.sent && !outcome.permanent, true);
  assert.deepEqual(server.received, []);
});

test("encryption with a certificate that nobody vouches for is refused, unless the operator says otherwise", async (t) => {
  const server = await startMailServer({ startTls: true });
  t.after(server.close);
  const refused = await mailer(`${server.url}?requireTLS=true`).send(letter());
  assert.equal(!refused.sent && !refused.permanent, true);
  assert.deepEqual(server.received, []);
  const outcome = await mailer(`${server.url}?requireTLS=true&tls.rejectUnauthorized=false`).send(letter());
  assert.deepEqual([outcome.sent, server.received.length], [true, 1]);
});

test("without a mail server each mail is a whole file that only its owner reads, and old ones go", async () => {
  const outcome = await mailer().send(letter({ name: "../../verify-email" }));
  assert.ok(outcome.sent);
  assert.equal(path.dirname(outcome.where), path.join(dataDir, "outbox"));
  assert.match(path.basename(outcome.where), /^\d{4}-.*-verify-email-0b9d4f0e\.eml$/);
  assert.equal((await stat(outcome.where)).mode & 0o777, 0o600);
  const raw = await readFile(outcome.where, "utf8");
  assert.match(raw, /^To: player@example\.org\r\n/m);
  assert.equal(raw.replaceAll("\r\n", "").includes("\n"), false);
  const monthAgo = new Date(Date.now() - 31 * 24 * 3600_000);
  // The other is what a process that was killed in the middle left.
  await writeFile(`${outcome.where}.part`, "Date: ");
  for (const file of [outcome.where, `${outcome.where}.part`]) await utimes(file, monthAgo, monthAgo);
  // As two processes of a machine do it.
  await Promise.all([1, 2, 3].map(() => mailer().removeOlder(new Date(Date.now() - 30 * 24 * 3600_000))));
  assert.deepEqual(await readdir(path.dirname(outcome.where)), []);
});
