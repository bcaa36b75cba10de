/** Limits live streams by client and by network, through the front door; one never uses up another's. */
import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "#config";
import { MOST_TOPICS } from "#shared/live/live-topics.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import { CLIENTS_OF_NETWORK } from "../request/client-keys.ts";
import { startWeb, type Web } from "../server.ts";

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

const open = (ip: string, path = "/live", base = site.base, cookie = ""): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { "X-Forwarded-For": ip, ...(cookie && { Cookie: cookie }) };
    get(`${base}${path}`, { agent: false, headers }, resolve).on("error", reject);
  });

/** What one more process lets in until it knows of the others: the counts are shared once a second. */
async function untilRefused(ask: () => Promise<IncomingMessage>): Promise<IncomingMessage[]> {
  const letIn: IncomingMessage[] = [];
  const until = performance.now() + 120_000;
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
  const until = Date.now() + 120_000;
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

/** Distinct topics of game servers that don't exist, as many as one stream may name. */
const madeUp = (n: number) =>
  Array.from({ length: MOST_TOPICS }, (_, at) => `s${1_000_000 + n * MOST_TOPICS + at}`).join();
/** This many /64s of one /48 once took every topic: 100 streams each, with 600 topics. */
const [SUBNETS, OF_EACH] = [34, 100];

test("one /48 that opens all the streams it can leaves the stream open for others, anonymous and member", async () => {
  const at = (subnet: number, host: number) => `2001:db8:77:${subnet.toString(16)}::${host.toString(16)}`;
  const held: IncomingMessage[] = [];
  const refused = new Set<number | undefined>();
  for (let subnet = 1; subnet <= SUBNETS; subnet += 1) {
    const streams = Array.from({ length: OF_EACH }, (_, n) =>
      open(at(subnet, n + 1), `/live?shows=${madeUp(subnet * OF_EACH + n)}`),
    );
    for (const stream of await Promise.all(streams)) {
      if (stream.statusCode === 200) held.push(stream);
      else refused.add(stream.resume().statusCode);
    }
  }
  assert.deepEqual([...refused], [429], "the rest is refused to the network, not to all");
  assert.equal(held.length, MOST * CLIENTS_OF_NETWORK);

  const other = await open("2001:db8:78:1::1");
  const mobile = await open("192.0.2.1", `/live?shows=${madeUp(0)}`);
  // A member in the attacker's own /48 has an account's share.
  await site.member("ada@example.org");
  const browser = site.browser(at(1, 0xffff));
  await site.signIn(browser, "ada@example.org");
  const member = await open(
    at(1, 0xffff),
    "/live",
    site.base,
    [...browser.cookies].map((pair) => pair.join("=")).join("; "),
  );
  for (const [name, stream] of Object.entries({ other, mobile, member })) {
    assert.equal(stream.statusCode, 200, name);
    stream.destroy();
  }
  for (const stream of held) stream.destroy();
});
