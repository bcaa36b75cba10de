/** One address holds so many live streams, of so much in all, and no more, through the front door; another's are its own. */
import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "#config";
import { MOST_TOPICS } from "#shared/live/live-topics.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import { startWeb, type Web } from "../server.ts";
import { MOST_TOPICS_OF_ADDRESS } from "./stream.ts";

const MOST = 500;
let site: AccountSite;
/** Another web process of the same site. */
let second: Web;

before(async () => {
  site = await startAccountSite();
  const env = { PORT: "0", DATABASE_URL: site.database.url, DATA_DIR: site.dataDir, TRUST_PROXY: "1" };
  second = await startWeb(readConfig(env), { log: pino({ level: "silent" }) });
});

after(async () => {
  await second.stop();
  await site.stop();
});

const open = (ip: string, path = "/live", base = site.base): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${base}${path}`, { agent: false, headers: { "X-Forwarded-For": ip } }, resolve).on("error", reject);
  });

/** What one more process lets in until it knows of the others: the counts are shared once a second. */
async function untilRefused(ask: () => Promise<IncomingMessage>): Promise<IncomingMessage[]> {
  const letIn: IncomingMessage[] = [];
  const until = performance.now() + 15_000;
  while (performance.now() < until) {
    const answer = await ask();
    if (answer.statusCode === 429) {
      answer.resume();
      return letIn;
    }
    letIn.push(answer);
    await pause(letIn.length < 30 ? 0 : 200);
  }
  assert.fail(`nobody was refused; ${letIn.length} were let in`);
}

test("the API's streams of an address are counted over all web processes, too", async () => {
  const held = await Promise.all(Array.from({ length: 20 }, () => open("198.51.100.77", "/api/v1/live")));
  assert.deepEqual([...new Set(held.map(({ statusCode }) => statusCode))], [200]);
  const elsewhere = `http://127.0.0.1:${second.port}`;
  const first = await open("198.51.100.77", "/api/v1/live", elsewhere);
  assert.equal(first.statusCode, 200, "what was not shared yet is not known");
  const more = await untilRefused(() => pause(300).then(() => open("198.51.100.77", "/api/v1/live", elsewhere)));
  assert.ok(more.length < 15, `${more.length} more were let in`);
  assert.equal((await open("198.51.100.78", "/api/v1/live", elsewhere)).statusCode, 200);
  for (const stream of [...held, first, ...more]) stream.destroy();
});

test("an address has its share of streams, one that left makes room, and nobody else has less for it", async () => {
  const school = [...Array(MOST).keys()].map((n) => open(`10.${n % 250}.0.1, 2001:db8:5:6::${n}`));
  const held = await Promise.all(school);
  assert.deepEqual([...new Set(held.map(({ statusCode }) => statusCode))], [200]);

  const refused = await open("2001:db8:5:6::ffff");
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers["retry-after"], "10");
  assert.equal(refused.headers["x-content-type-options"], "nosniff");
  refused.resume();
  const other = await open("2001:db8:5:7::1");
  assert.equal(other.statusCode, 200);

  const elsewhere = `http://127.0.0.1:${second.port}`;
  const taken = await untilRefused(() => open("2001:db8:5:6::eeee", "/live", elsewhere));
  assert.ok(taken.length < 100, `another web process let in ${taken.length} more`);
  for (const stream of taken) stream.destroy();

  held.pop()?.destroy();
  const until = Date.now() + 5_000;
  let status: number | undefined;
  while (status !== 200 && Date.now() < until) {
    const again = await open("2001:db8:5:6::ffff");
    status = again.statusCode;
    if (status === 200) held.push(again);
    else again.resume();
  }
  assert.equal(status, 200);
  for (const stream of [...held, other]) stream.destroy();
});

test("an address is told of so much in all its streams, whenever it asks, and nobody else has less for it", async () => {
  const ip = "198.51.100.90";
  const topics = (count: number) => Array.from({ length: count }, (_, n) => `s${n + 1}`).join();
  const showing = (count: number, from = ip) => open(from, `/live?shows=${topics(count)}`);
  const held = await Promise.all(
    Array.from({ length: MOST_TOPICS_OF_ADDRESS / MOST_TOPICS }, () => showing(MOST_TOPICS)),
  );
  assert.deepEqual([...new Set(held.map(({ statusCode }) => statusCode))], [200]);

  const refused = await showing(1);
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers["retry-after"], "10");
  refused.resume();
  const other = await showing(MOST_TOPICS, "198.51.100.91");
  assert.equal(other.statusCode, 200);

  // One that leaves makes room, and who shows more later has no more of it.
  held.pop()?.destroy();
  const name = async (stream: IncomingMessage) => {
    for await (const part of stream.iterator({ destroyOnReturn: false })) {
      const found = /"stream":"([\w-]{22})"/.exec(String(part))?.[1];
      if (found) return found;
    }
    return assert.fail("it was not told its name");
  };
  let small = await showing(1);
  for (let tries = 0; small.statusCode !== 200 && tries < 200; tries += 1) {
    small.resume();
    await pause(20);
    small = await showing(1);
  }
  const stream = await name(small);
  const show = async (count: number, turn: number) => {
    const body = JSON.stringify({ stream, shows: topics(count), since: null, turn, whole: false });
    const { status, headers } = await fetch(`${site.base}/live/shows`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": ip },
      body,
    });
    return [status, headers.get("retry-after")];
  };
  assert.deepEqual(await show(MOST_TOPICS, 1), [204, null]);
  held.push(await open(ip, "/live?shows="));
  assert.equal(held.at(-1)?.statusCode, 200, "of nothing at all it may be told");
  const full = await showing(1);
  assert.equal(full.statusCode, 429);
  full.resume();
  assert.deepEqual(await show(MOST_TOPICS - 1, 2), [204, null]);
  const last = await showing(1);
  assert.equal(last.statusCode, 200);
  assert.deepEqual(await show(MOST_TOPICS, 3), [429, "10"], "no more than there is room for");
  for (const each of [...held, small, other, last]) each.destroy();
});
