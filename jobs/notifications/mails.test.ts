/** Mails from the caller's transaction to a real mail server on loopback. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "#config";
import { queueMail } from "#domain/mails.ts";
import { MAX_MAIL_ATTEMPTS } from "#domain/notifications/outcomes.ts";
import { createMailer } from "#outside/mail.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type MailServer, readableMail, startMailServer } from "#tests/helpers/mail-server.ts";
import { until as untilHolds } from "#tests/helpers/until.ts";
import { SCHEDULE } from "../schedule.ts";
import { startJobs } from "../start-jobs.ts";
import type { WebParts } from "../web-schedule.ts";

const log = pino({ level: "silent" });
let database: TestDatabase;
let server: MailServer;
let recipient: (address: string) => [number, string] | null = () => null;

before(async () => {
  database = await createTestDatabase();
  server = await startMailServer({ recipient: (address) => recipient(address) });
});

after(async () => {
  await server?.close();
  await database?.drop();
});

beforeEach(async () => {
  await database.sql`delete from notification_deliveries`;
  server.received.length = 0;
  recipient = () => null;
});

const startSender = () =>
  startJobs(
    { mails: SCHEDULE.web.mails, "old-notifications": SCHEDULE.web["old-notifications"] },
    {
      db: database.db,
      mailer: createMailer(
        { smtpUrl: server.url, mailFrom: "site@example.org", dataDir: "/nonexistent" },
        // A mail that is given up while the machine stalls is sent twice.
        { whole: 120_000, silence: 120_000 },
      ),
      mailSite: () => ({ name: "Spawnpoint", url: "https://play.example.org" }),
      siteUrl: "https://play.example.org",
      secret: "a secret of thirty-two characters",
      config: readConfig({ DATABASE_URL: database.url }),
      log,
    } as WebParts,
    { database, log },
  );

const queueCode = (to: string, rest: { useful_for_s?: number } = {}) =>
  queueMail(database.db, {
    to,
    locale: "en",
    template: "sign-in-code",
    data: { code: "482913", minutes: 10 },
    ...rest,
  });

const until = (holds: () => boolean | Promise<boolean>) => untilHolds("it comes true", holds);

const rows = () => database.sql`select *, payload as data from notification_deliveries order by created_at`;

test("an address that could start a header of its own is refused when the mail is queued", async () => {
  for (const to of ["a@example.org\r\nBcc: b@example.org", "a@example.org, b@example.org", ""]) {
    if (to !== "") await assert.rejects(queueCode(to), RangeError);
  }
  await assert.rejects(
    queueMail(database.db, {
      to: "a@example.org",
      reply_to: "x\n@example.org",
      locale: "en",
      template: "sign-in-code",
      data: { code: "1", minutes: 1 },
    }),
    RangeError,
  );
  assert.equal((await rows()).length, 0);
});

test("a mail of a transaction that is rolled back is never sent", async () => {
  const sender = await startSender();
  await database.db
    .transaction(async (tx) => {
      await queueMail(tx, {
        to: "a@example.org",
        locale: "en",
        template: "sign-in-code",
        data: { code: "111111", minutes: 10 },
      });
      throw new Error("changed my mind");
    })
    .catch(() => {});
  await pause(200);
  await sender.stop();
  assert.equal(server.received.length, 0);
});

test("a queued mail leaves, and what it said is erased", async () => {
  const sender = await startSender();
  await queueCode("player@example.org");
  await until(() => server.received.length === 1);
  await until(async () => (await rows())[0]?.sent_at !== null);
  await sender.stop();
  assert.match(readableMail(server.received[0]?.raw ?? ""), /482913/);
  const [row] = await rows();
  assert.deepEqual([row?.data, row?.next_attempt_at, row?.last_error, row?.attempts], [null, null, null, 1]);
  assert.doesNotMatch(JSON.stringify(row), /482913/);
});

test("a temporary refusal is tried again later, with a growing pause, and then gets through", async () => {
  recipient = () => [451, "come back later"];
  const sender = await startSender();
  await queueCode("player@example.org");
  await until(async () => (await rows())[0]?.last_error !== null);
  const [first] = await rows();
  assert.match(first?.last_error, /come back later/);
  assert.deepEqual([first?.attempts, first?.data.code], [1, "482913"]);
  const minutes = (row: { next_attempt_at: string } | undefined) =>
    Math.round((Date.parse(row?.next_attempt_at ?? "") - Date.now()) / 60_000);
  assert.equal(minutes(first as { next_attempt_at: string }), 1);
  await sender.stop();

  await database.sql`update notification_deliveries set next_attempt_at = now()`;
  const second = await startSender();
  await until(async () => minutes((await rows())[0] as { next_attempt_at: string }) === 4);
  await second.stop();

  recipient = () => null;
  await database.sql`update notification_deliveries set next_attempt_at = now()`;
  const third = await startSender();
  await until(() => server.received.length === 1);
  await third.stop();
});

test("after the last attempt it is given up: the reason stays, the text goes", async () => {
  recipient = () => [451, "come back later"];
  await queueCode("player@example.org");
  await database.sql`update notification_deliveries set attempts = ${MAX_MAIL_ATTEMPTS - 1}`;
  const sender = await startSender();
  await until(async () => (await rows())[0]?.next_attempt_at === null);
  await sender.stop();
  const [row] = await rows();
  assert.match(row?.last_error, /come back later/);
  assert.deepEqual([row?.data, row?.next_attempt_at, row?.attempts], [null, null, MAX_MAIL_ATTEMPTS]);
});

test("a refusal for good is not tried again, and its reason is kept", async () => {
  recipient = () => [550, "no such user"];
  const sender = await startSender();
  await queueCode("nobody@example.org");
  await until(async () => (await rows())[0]?.next_attempt_at === null);
  await sender.stop();
  const [row] = await rows();
  assert.match(row?.last_error, /550.*no such user/);
  assert.deepEqual([row?.data, row?.next_attempt_at, row?.attempts], [null, null, 1]);
});

test("a mail whose link has ended is not sent, and not kept", async () => {
  await queueCode("player@example.org", { useful_for_s: -1 });
  const sender = await startSender();
  await until(async () => (await rows())[0]?.next_attempt_at === null);
  await sender.stop();
  assert.equal(server.received.length, 0);
  assert.equal((await rows())[0]?.data, null);
});

test("two senders side by side send each mail once", async () => {
  const senders = await Promise.all([startSender(), startSender()]);
  await Promise.all(Array.from({ length: 40 }, (_, index) => queueCode(`player${index}@example.org`)));
  await until(async () => (await rows()).every((row) => row.sent_at !== null));
  await pause(100);
  await Promise.all(senders.map((sender) => sender.stop()));
  assert.equal(server.received.length, 40);
  assert.equal(new Set(server.received.flatMap((mail) => mail.to)).size, 40);
});

test("a sender that died leaves its mail to the others", async () => {
  await queueCode("player@example.org");
  // As a sender leaves it that was killed: its two minutes are over.
  await database.sql`update notification_deliveries set state = 'sending', attempts = 1, next_attempt_at = now() - interval '1 second'`;
  const sender = await startSender();
  await until(() => server.received.length === 1);
  await sender.stop();
});

test("a row of a template that is gone does not stop the others", async () => {
  await database.sql`insert into notification_deliveries (channel, mail_to, locale, template, payload)
    values ('mail', 'a@example.org', 'en', 'toString', '{}')`;
  await queueCode("player@example.org");
  const sender = await startSender();
  await until(() => server.received.length === 1);
  await until(async () => (await rows()).every((row) => row.next_attempt_at === null));
  await sender.stop();
  assert.match((await rows())[0]?.last_error, /no mail template toString/);
});

test("rows older than 30 days are removed", async () => {
  await queueCode("player@example.org");
  await database.sql`update notification_deliveries set created_at = now() - interval '31 days', next_attempt_at = null, state = 'sent'`;
  const sender = await startSender();
  await until(async () => (await rows()).length === 0);
  await sender.stop();
});
