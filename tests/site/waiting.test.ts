/** A browser says that somebody waits for a game server that is down: refusals first. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { until } from "../helpers/until.ts";

describe("waiting for a game server", () => {
  let site: AccountSite;
  const ids: Record<string, number> = {};
  before(async () => {
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    const rows = await site.sql<{ server_id: number }[]>`select server_id from gameserver order by 1 limit 10`;
    for (const [place, name] of ["down", "hidden", "members", "up", "resting", "b", "c", "d", "e", "f"].entries())
      ids[name] = rows[place]?.server_id ?? 0;
    await site.sql`update gameserver set host = '192.0.2.1', game_port = 7777, adapter = 'tcp', lifecycle = 'active', visibility =
      case server_id when ${ids.hidden ?? 0} then 'hidden' when ${ids.members ?? 0} then 'members' else 'public' end`;
    await site.sql`update gameserver set lifecycle = 'maintenance' where server_id = ${ids.resting ?? 0}`;
    await site.sql`update gameserver_live_metrics set status = 'offline', last_asked_at = now(), status_since = now(),
      next_poll_at = now() + interval '1 hour'`;
    await site.sql`update gameserver_live_metrics set status = 'online' where server_id = ${ids.up ?? 0}`;
    const visitor = site.browser();
    await until("pages know it", async () => (await visitor.get(`/servers/${ids.f}`)).status === 200);
  });
  after(() => site.stop());

  const say = (at: Browser, id: number | string | undefined) => at.post(`/live/waiting/${id}`, []);
  const waited = async () =>
    (await site.sql<{ server_id: number }[]>`select server_id from gameserver_wait order by 1`).map(
      (row) => row.server_id,
    );

  test("nobody points us at what they may not see, at what runs, or from another site", async () => {
    const visitor = site.browser();
    for (const id of [ids.hidden, ids.members, 999_999, "1e3", "0", ""]) {
      assert.equal((await say(visitor, id)).status, 404, String(id));
    }
    const member = (await site.signedIn("ada@example.org")).at;
    assert.equal((await say(member, ids.hidden)).status, 404, "nor a member at what is hidden");
    for (const id of [ids.up, ids.resting]) {
      assert.deepEqual(JSON.parse((await say(visitor, id)).text), { waiting: false });
    }
    const cross = await visitor.post(`/live/waiting/${ids.down}`, [], { "Sec-Fetch-Site": "cross-site" });
    assert.equal(cross.status, 403);
    assert.equal((await visitor.post(`/live/waiting/${ids.down}`, { much: "x" })).status, 413);
    assert.notEqual((await visitor.get(`/live/waiting/${ids.down}`)).status, 200);
    assert.deepEqual(await waited(), []);
  });

  test("what they may see is asked more often, a member's for members, and a stranger does not get all", async () => {
    const visitor = site.browser();
    const [{ before } = { before: 0 }] = await site.sql<
      { before: number }[]
    >`select extract(epoch from now())::float8 as before`;
    const answer = await say(visitor, ids.down);
    assert.deepEqual(JSON.parse(answer.text), { waiting: true });
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const member = (await site.signedIn("grace@example.org")).at;
    assert.deepEqual(JSON.parse((await say(member, ids.members)).text), { waiting: true });
    assert.deepEqual(await waited(), [ids.down, ids.members]);
    const [{ ends, in_s } = { ends: 0, in_s: 0 }] = await site.sql<{ ends: number; in_s: number }[]>`
      select extract(epoch from until)::float8 as ends, extract(epoch from until - now())::float8 as in_s
      from gameserver_wait where server_id = ${ids.down ?? 0}`;
    assert.ok(ends - before >= 20 && in_s <= 20, `it lapses by itself 20 s later: ${ends - before}, ${in_s}`);

    const fromLine = (line: number) => site.browser(`2001:db8:7:${line}::1`);
    const stranger = fromLine(0);
    const answers = [];
    for (const [line, name] of ["b", "c", "d", "e", "f"].entries())
      answers.push(JSON.parse((await say(fromLine(line), ids[name])).text).waiting);
    assert.deepEqual(answers, [true, true, true, true, true]);
    await site.sql`delete from gameserver_wait where server_id = ${ids.members ?? 0}`;
    const [{ n } = { n: 0 }] = await site.sql<{ n: number }[]>`select count(*)::int as n from gameserver_wait`;
    assert.equal(n, 6);
    await site.sql`update gameserver set visibility = 'public' where server_id = ${ids.hidden ?? 0}`;
    await until("pages know it", async () => (await say(stranger, ids.hidden)).status !== 404);
    assert.deepEqual(
      JSON.parse((await say(stranger, ids.hidden)).text),
      { waiting: false },
      "five are the share of a stranger, with all the lines of their /48",
    );
    assert.deepEqual(JSON.parse((await say(site.browser(), ids.hidden)).text), { waiting: true }, "another's is free");
  });

  test("the page says how often it is asked, in both languages", async () => {
    await site.sql`update gameserver set poll_interval_s = 45 where server_id = ${ids.c ?? 0}`;
    const visitor = site.browser();
    await until("pages know it", async () => !!/every 45 seconds/.test((await visitor.get(`/servers/${ids.c}`)).text));
    assert.match((await visitor.get(`/servers/${ids.c}`)).text, /We ask it every 45 seconds\./);
    assert.match((await visitor.get(`/de/servers/${ids.b}`)).text, /Wir fragen ihn alle 30 Sekunden\./);
    assert.doesNotMatch((await visitor.get(`/servers/${ids.up}`)).text, /We ask it/);
  });
});
