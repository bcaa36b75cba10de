/** Lines of the log as an operator reads them: time and level in words, a priority for journald, one line for one cause. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { DatabaseUnavailableError } from "#db/database-away.ts";
import { COUNT_MS } from "./count-causes.ts";
import { asError, findJournal } from "./journal.ts";
import { createLog } from "./log.ts";

function listenTo(t: TestContext): string[] {
  const lines: string[] = [];
  t.mock.method(process.stderr, "write", (line: string) => {
    lines.push(line);
    return true;
  });
  return lines;
}

const away = () => new DatabaseUnavailableError("CONNECTION_SILENT", "Postgres does not answer");

test("a line has its time by ISO 8601 and its level as a word, and one name", (t) => {
  const lines = listenTo(t);
  createLog({ logLevel: "info" }, "web").warn({ server_name: "Hills" }, "words");
  const [line = ""] = lines;
  const { level, time, name, server_name } = JSON.parse(line);
  assert.deepEqual([level, name, server_name], ["warn", "web", "Hills"]);
  assert.equal(new Date(time).toISOString(), time);
  assert.equal(line.match(/"name":/g)?.length, 1);
});

test("what fails because the database is away is one line, and a count every half a minute", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const lines = listenTo(t);
  const log = createLog({ logLevel: "info" }, "web");
  const fail = (job: string) => log.error({ err: away(), job }, "a background job failed; it is tried again");
  for (let job = 0; job < 22; job += 1) fail(`job ${job}`);
  log.error({ err: away(), path: "/" }, "a request failed");
  log.error({ err: new Error("something else") }, "a request failed");
  log.error({ err: new Error("something else") }, "a request failed");
  const said = () => lines.splice(0).map((line) => JSON.parse(line));
  assert.deepEqual(
    said().map(({ msg, job }) => [msg, job]),
    [
      ["a background job failed; it is tried again", "job 0"],
      ["a request failed", undefined],
      ["a request failed", undefined],
      ["a request failed", undefined],
    ],
    "another error is never counted together",
  );
  t.mock.timers.tick(COUNT_MS);
  const [counted, ...more] = said();
  assert.deepEqual(
    [counted.level, counted.msg, counted.more, counted.err.message],
    ["error", "a background job failed; it is tried again (21 more times)", 21, "Postgres does not answer"],
  );
  assert.deepEqual(more, []);
  t.mock.timers.tick(2 * COUNT_MS);
  fail("job 1");
  assert.equal(said().length, 1, "after 30 s without it, it is logged again");
  const all = createLog({ logLevel: "debug" }, "web");
  for (let time = 0; time < 3; time += 1) all.error({ err: away() }, "a request failed");
  assert.equal(said().length, 3, "at level debug each is logged");
});

test("only what goes to a journal carries a priority for it", (t) => {
  const before = process.env.JOURNAL_STREAM;
  t.after(() => {
    if (before === undefined) delete process.env.JOURNAL_STREAM;
    else process.env.JOURNAL_STREAM = before;
  });
  const lines = listenTo(t);
  const log = createLog({ logLevel: "info" }, "web");
  process.env.JOURNAL_STREAM = "8:1";
  log.error("an error");
  log.warn("a warning");
  log.info("a word");
  assert.deepEqual(
    lines.map((line) => line.slice(0, 4)),
    ["<3>{", "<4>{", "<6>{"],
  );
  assert.equal(asError("two\nlines"), "<3>two\n<3>lines");
  findJournal();
  assert.equal(process.env.JOURNAL_STREAM, undefined, "this stderr is no journal");
  log.error("an error");
  assert.match(lines.at(-1) ?? "", /^\{/);
  assert.equal(asError("words"), "words");
});
