/** One address holds so many live streams and no more, through the front door; another's are its own. */
import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { after, before, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";

const MOST = 500;
let site: AccountSite;

before(async () => {
  site = await startAccountSite();
});

after(() => site.stop());

const open = (ip: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${site.base}/live`, { agent: false, headers: { "X-Forwarded-For": ip } }, resolve).on("error", reject);
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
