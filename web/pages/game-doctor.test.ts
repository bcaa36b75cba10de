/** The doctor and "Ask now" through the front door: who is refused, how often, and what is shown. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { updateRole } from "#domain/members/roles.ts";
import { startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { startMumble } from "#tests/protocols/pretend-mumble.ts";

const DOCTOR = "/admin/gameservers/doctor";

describe("the doctor", () => {
  let site: Awaited<ReturnType<typeof startAccountSite>>;
  let admin: Browser;
  let serverId = 0;
  let game: Awaited<ReturnType<typeof startA2sServer>>;

  const as = async (name: string, role: "user" | "moderator" | "admin"): Promise<Browser> => {
    const email = `${name}@example.org`;
    const { id } = await site.member(email);
    // Signed in afterwards: a change of role ends all sessions.
    await updateRole(site.database.db, id, role);
    const at = site.browser();
    assert.equal((await site.signIn(at, email)).status, 302);
    return at;
  };

  before(async () => {
    site = await startAccountSite({ PROBE_ALLOW_CIDRS: "127.0.0.0/8" });
    admin = await as("ada", "admin");
    game = await startA2sServer({
      info: () => ({
        name: `Mid<script>alert(1)</script>`,
        map: "Plains",
        folder: "zomboid",
        game: "Project Zomboid",
        players: 4,
        maxPlayers: 16,
        version: "42.1",
      }),
    });
    await site.sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
      VALUES ('Project Zomboid', 'PZ', 'doctor-pz', '{"en":""}', '{"en":""}')`;
    const [row] = await site.sql<{ server_id: number }[]>`
      INSERT INTO gameserver (game_id, server_name, host, game_port, adapter, version)
      SELECT game_id, 'Knox County', '127.0.0.1', ${game.port}, 'a2s', '41.78' FROM games
      WHERE game_slug = 'doctor-pz' RETURNING server_id`;
    serverId = row?.server_id ?? 0;
  });
  after(async () => {
    await game.close();
    await site.stop();
  });

  test("an address that is closed to us says how to open it; one that cannot be read says so", async () => {
    const closed = await admin.post(DOCTOR, { address: "10.9.8.7:2456" });
    assert.equal(closed.status, 200);
    assert.match(closed.text, /10\.9\.8\.7 is a private address.*10\.9\.8\.7\/32 to the setting PROBE_ALLOW_CIDRS/);
    assert.match((await admin.post(DOCTOR, { address: "our nice server" })).text, /cannot be read as an address/);
    assert.match((await admin.post(`/de${DOCTOR}`, { address: "10.9.8.7:22" })).text, /Port 22 wird nie abgefragt/);
    assert.equal((await admin.post(DOCTOR, {})).status, 200);
  });

  test("without script: what answers stands on the page, its text harmless, with the way to take it over", async () => {
    const page = await admin.get(DOCTOR);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("cache-control") ?? "", /no-store/);
    assert.match(page.text, /<option value="openttd"[^>]*>OpenTTD/);
    const { text } = await admin.post(DOCTOR, { address: ` steam://connect/127.0.0.1:${game.port} ` });
    assert.ok(!text.includes("<script>alert"));
    assert.match(text, /Mid&lt;script&gt;/);
    assert.match(text, /4 of 16/);
    const taken = /href="(\/admin\/gameservers\/create\?[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    assert.ok(taken);
    const values = Object.fromEntries(new URL(taken, site.base).searchParams);
    assert.deepEqual(values, {
      adapter: "a2s",
      host: "127.0.0.1",
      game_port: String(game.port),
      version: "42.1",
      server_name: "Mid<script>alert(1)</script>",
      user_max: "16",
      game_name: "Project Zomboid",
    });
  });

  test("where nothing tells what it is: games to ask as, and a heartbeat that the form takes over", async (context) => {
    const mumble = await startMumble("127.0.42.2", 64_745);
    context.after(() => mumble.close());
    const address = "127.0.42.2:64745";
    const { text } = await admin.post(DOCTOR, { address });
    const sent = /<form(?=[^>]*action="\/admin\/gameservers\/doctor")[^>]* id="([^"]+)"/.exec(text)?.[1];
    const button = /<button[^>]* value="mumble"[^>]*>/.exec(text)?.[0] ?? "";
    assert.ok(sent && button.includes(`form="${sent}"`) && button.includes('name="as"'), button);
    const heartbeat = /href="(\/admin\/gameservers\/create\?adapter=heartbeat[^"]*)"/.exec(text)?.[1];
    assert.ok(heartbeat);
    const form = await admin.get(heartbeat.replaceAll("&amp;", "&"));
    assert.match(form.text, /<option value="heartbeat" selected/);
    assert.match(form.text, /name="host"[^>]* value="127\.0\.42\.2"/);
    assert.match((await admin.post(DOCTOR, { address, type: "", as: "mumble" })).text, /2 of 25/);
    const german = await admin.post(`/de${DOCTOR}`, { address: "127.0.42.3:64745" });
    assert.match(german.text, /lehnt aber Port 64745 über UDP und TCP ab/);
    const closed = await admin.post(DOCTOR, { address: "10.9.8.7:7777" });
    assert.match(closed.text, /adapter=heartbeat&amp;game_port=7777/, "a record may not hold that host");
    assert.match(closed.text, /We did not ask/);
    await site.sql`UPDATE gameserver SET host = '127.0.42.2', game_port = 64745 WHERE server_id = ${serverId}`;
    const path = `/admin/gameservers/${serverId}/ask-now`;
    assert.match((await admin.post(path, {})).text, new RegExp(`href="/admin/gameservers/${serverId}/heartbeat"`));
    assert.match((await admin.post(path, { as: "mumble" })).text, /2 of 25/);
    await site.sql`UPDATE gameserver SET host = '127.0.0.1', game_port = ${game.port} WHERE server_id = ${serverId}`;
  });

  test("Ask now tells what differs from the record, makes it due, and lists the last twenty results", async () => {
    await site.sql`CREATE TABLE IF NOT EXISTS gameserver_sample_test PARTITION OF gameserver_sample
      FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')`;
    await site.sql`
      INSERT INTO gameserver_sample (server_id, asked_at, status, user_online, user_max, latency_ms, failure)
      SELECT ${serverId}, timestamptz '2020-01-01 10:00:00Z' + n * interval '30 seconds',
        CASE WHEN n % 2 = 0 THEN 'online' ELSE 'degraded' END, CASE WHEN n % 2 = 0 THEN n END, 64, 100 + n,
        CASE WHEN n % 2 = 1 THEN 'no_reply' END
      FROM generate_series(1, 25) AS n`;
    await site.sql`UPDATE gameserver_live_metrics SET next_poll_at = now() + interval '1 hour' WHERE server_id = ${serverId}`;
    const path = `/admin/gameservers/${serverId}/ask-now`;
    const page = await admin.get(path);
    assert.equal(page.status, 200);
    const times = [...page.text.matchAll(/<time[^>]*>1 Jan 2020, (\d\d:\d\d:\d\d) UTC</g)].map(([, time]) => time);
    assert.equal(times.length, 20);
    assert.deepEqual([times[0], times[19]], ["10:12:30", "10:03:00"]);
    assert.match(page.text, /no_reply/);
    assert.match(page.text, /124 ms/);

    const { text } = await admin.post(path, {});
    assert.match(text, /It runs version 42\.1; the record says 41\.78/);
    const [row] = await site.sql<{ due: boolean }[]>`
      SELECT next_poll_at <= now() AS due FROM gameserver_live_metrics WHERE server_id = ${serverId}`;
    assert.equal(row?.due, true);
  });

  test("twenty in a minute for each admin, then 429 that says when", async () => {
    const busy = await as("bea", "admin");
    const results = [];
    for (let count = 0; count < 21; count++)
      results.push((await busy.post(DOCTOR, { address: "127.0.0.1:99999" })).status);
    assert.deepEqual(results, [...Array.from({ length: 20 }, () => 200), 429]);
    const refused = await busy.post(`/admin/gameservers/${serverId}/ask-now`, {});
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.match(refused.text, /Please wait \d+ seconds/);
    assert.equal((await admin.post(DOCTOR, { address: "x:1" })).status, 200, "another admin's budget is their own");
  });
});
