/** Pasted addresses are examined side by side within bounds, each once, over several processes and over their deaths. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { createUser } from "#domain/accounts/users.ts";
import {
  findBatch,
  keepChoices,
  removeLines,
  startBatch,
  sweepAddressBatches,
} from "#domain/game-servers/address-batches.ts";
import type { GameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { pause, until } from "#tests/helpers/until.ts";
import { examineAddressLines } from "./address-batches.ts";

let database: TestDatabase;
let userId: string;
const log = pino({ level: "silent" });

before(async () => {
  database = await createTestDatabase();
  ({ id: userId } = await createUser(database.db, { email: "ada@example.org", passwordHash: null, locale: "en" }));
});
beforeEach(() => database.sql`delete from address_batches`);
after(() => database.drop());

/** Takes so long over each, and finds nothing; it waits until so many are under way at once, at most ten seconds. */
function slowDoctor(ms: number, atOnce = 1) {
  const { promise: enough, resolve: begin } = Promise.withResolvers<void>();
  setTimeout(begin, 10_000).unref();
  const asked: string[] = [];
  const here = new Map<string, number>();
  let underWay = 0;
  const most = { inAll: 0, atAHost: 0 };
  const examine: GameDoctor["examine"] = async (typed) => {
    asked.push(typed);
    const host = typed.split(":")[0] ?? "";
    underWay += 1;
    here.set(host, (here.get(host) ?? 0) + 1);
    most.inAll = Math.max(most.inAll, underWay);
    most.atAHost = Math.max(most.atAHost, here.get(host) ?? 0);
    if (underWay >= atOnce) begin();
    await enough;
    await pause(ms);
    underWay -= 1;
    here.set(host, (here.get(host) ?? 0) - 1);
    return { findings: [], causes: [{ code: "silent" }], ways: { games: [], heartbeat: null }, tried: [] };
  };
  const doctor: GameDoctor = { examine, examineRecord: () => assert.fail("no record is asked for") };
  return { doctor, asked, most };
}

const run = (doctor: GameDoctor, signal = new AbortController().signal) =>
  examineAddressLines({ db: database.db, doctor, log, signal });
const start = async (lines: string[]) => {
  const started = await startBatch(database.db, userId, lines.join("\n"));
  assert.ok(started.ok);
  return started.batch_id;
};
const linesOf = async (batchId: number) => (await findBatch(database.db, batchId))?.lines ?? [];
const open = async (batchId: number) =>
  (await linesOf(batchId)).filter(({ examined_at }) => examined_at === null).length;

test("twenty side by side over all processes, six of them at one host, each line once", async () => {
  const alone = Array.from({ length: 20 }, (_, at) => `198.51.100.7:${3000 + at}`);
  const spread = Array.from({ length: 60 }, (_, at) => `198.51.101.${at}:3000`);
  const batch = await start([...alone, ...spread]);
  const { doctor, asked, most } = slowDoctor(40, 7);
  await Promise.all([run(doctor), run(doctor), run(doctor)]);
  assert.equal(await open(batch), 0);
  assert.deepEqual(asked.toSorted(), [...alone, ...spread].toSorted());
  assert.ok(most.inAll > 6 && most.inAll <= 20, `${most.inAll}`);
  assert.ok(most.atAHost > 1 && most.atAHost <= 6, `${most.atAHost}`);
});

test("a short text is not held up by a long one", async () => {
  await start(Array.from({ length: 200 }, (_, at) => `198.51.100.${at}:3000`));
  const { doctor, asked } = slowDoctor(30);
  const ending = new AbortController();
  const running = run(doctor, ending.signal);
  await until("the first are under way", () => asked.length >= 20);
  const batch = await start(["198.51.101.1:3000", "198.51.101.2:3000"]);
  await until("both have answers", async () => (await open(batch)) === 0);
  assert.ok(asked.length < 150, `${asked.length}`);
  ending.abort();
  await running;
  assert.ok(asked.length < 200, "what a stop cut off is left to the next");
});

test("what a dead process held is taken again; what killed three is left alone", async () => {
  const batch = await start(["198.51.100.1:3000", "198.51.100.2:3000", "198.51.100.3:3000"]);
  const [held, due, deadly] = await linesOf(batch);
  await database.sql`update address_batch_lines set attempts = 1, claimed_until = now() + interval '20 s' where line_id = ${held?.line_id ?? 0}`;
  await database.sql`update address_batch_lines set attempts = 2, claimed_until = now() where line_id = ${due?.line_id ?? 0}`;
  await database.sql`update address_batch_lines set attempts = 3, claimed_until = now() where line_id = ${deadly?.line_id ?? 0}`;
  const { doctor, asked } = slowDoctor(1);
  await run(doctor);
  assert.deepEqual(asked, ["198.51.100.2:3000"]);
  const lines = await linesOf(batch);
  assert.deepEqual(
    lines.map(({ examined_at, diagnosis }) => [examined_at !== null, diagnosis !== null]),
    [
      [false, false],
      [true, true],
      [true, false],
    ],
  );
  await database.sql`update address_batch_lines set claimed_until = now() where line_id = ${held?.line_id ?? 0}`;
  await run(doctor);
  assert.equal(await open(batch), 0);
});

test("one address is asked once in a text; when its line goes, the next one with it is asked", async () => {
  const batch = await start(
    Array.from({ length: 200 }, (_, at) => `${at % 2 ? "PLAY" : "play"}.example.org.:3000 - ${at}`),
  );
  const { doctor, asked } = slowDoctor(1);
  await run(doctor);
  assert.deepEqual(asked, ["play.example.org:3000"]);
  const [first] = await linesOf(batch);
  await removeLines(database.db, batch, first?.line_id ?? 0);
  await run(doctor);
  assert.equal(asked.length, 2);
});

test("a line that goes while it is examined does no harm, and one that is typed into keeps both", async () => {
  const batch = await start(["198.51.100.1:3000", "198.51.100.2:3000"]);
  const { doctor, asked } = slowDoctor(150);
  const running = run(doctor);
  await until("both are under way", () => asked.length === 2);
  const [gone, kept] = await linesOf(batch);
  await removeLines(database.db, batch, gone?.line_id ?? 0);
  await keepChoices(database.db, batch, [{ line_id: kept?.line_id ?? 0, chosen: true, game: "7", name: "Midgard" }]);
  await running;
  const [line, ...more] = await linesOf(batch);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [line?.chosen_name, line?.chosen_game, line?.chosen, line?.diagnosis?.causes],
    ["Midgard", "7", true, [{ code: "silent" }]],
  );
});

test("a failure of the database ends the run; the doctor's lines are due again", async () => {
  const batch = await start(["198.51.100.1:3000"]);
  const { doctor } = slowDoctor(1);
  const broken: GameDoctor = { ...doctor, examine: () => Promise.reject(new Error("no")) };
  await assert.rejects(run(broken), /no/);
  assert.equal(await open(batch), 1);
});

test("a text is gone after a week, its lines with it", async () => {
  const old = await start(["198.51.100.1:3000"]);
  const young = await start(["198.51.100.2:3000"]);
  await database.sql`update address_batches set created_at = now() - interval '8 days' where batch_id = ${old}`;
  await sweepAddressBatches(database.db);
  const left = await database.sql`select batch_id from address_batch_lines`;
  assert.deepEqual([...left], [{ batch_id: young }]);
});
