/** The history of a game server through the front door: refusals first. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { fragment, raw } from "#db/sql.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { startWeb, type Web } from "#web/server.ts";
import { createTestDatabase, type TestDatabase } from "../helpers/database.ts";
import { addYearOfHistory } from "../helpers/history-year.ts";
import { PATIENT } from "../helpers/programs/patient-settings.ts";

describe("the history of a game server on its page", () => {
  let database: TestDatabase;
  let web: Web;
  const ids: Record<string, number> = {};
  before(async () => {
    database = await createTestDatabase();
    await seedDemoContent(database.db);
    await database.sql`UPDATE gameserver SET visibility = 'hidden'`;
    const servers = await database.sql<{ server_id: number }[]>`SELECT server_id FROM gameserver ORDER BY 1 LIMIT 8`;
    for (const [place, name] of ["seen", "hidden", "members", "fresh", "young", "minute", "hour", "weeks"].entries())
      ids[name] = servers[place]?.server_id ?? 0;
    // Of all others a year would be made as well.
    await database.sql`DELETE FROM gameserver WHERE server_id <> ALL (${Object.values(ids)})`;
    await database.sql.begin(async (tx) => {
      // However long this machine takes over it.
      await tx`SET LOCAL statement_timeout = 0`;
      await addYearOfHistory(tx);
    });
    const shown = ["seen", "fresh", "young", "minute", "hour", "weeks"].map((name) => ids[name] ?? 0);
    await database.sql`UPDATE gameserver SET visibility = 'public' WHERE server_id = ANY(${shown}::int[])`;
    await database.sql`UPDATE gameserver SET visibility = 'members' WHERE server_id = ${ids.members ?? 0}`;
    for (const step of ["5m", "1h", "1d"]) {
      await database.sql`DELETE FROM ${raw(`gameserver_rollup_${step}`)}
        WHERE server_id IN (${ids.fresh ?? 0}, ${ids.minute ?? 0})`;
    }
    await database.sql`UPDATE gameserver SET adapter = 'tcp', host = '127.0.0.1', game_port = 7777
      WHERE server_id IN (${ids.seen ?? 0}, ${ids.young ?? 0})`;
    await database.sql`UPDATE gameserver_live_metrics SET status = 'online', last_asked_at = now(),
      user_online = CASE server_id WHEN ${ids.seen ?? 0}::int THEN 82 END`;
    // How long each of them has been watched; what is older than that was never measured.
    for (const [name, hours] of [
      ["minute", 1 / 60],
      ["hour", 1.5],
      ["young", 72],
      ["weeks", 24 * 8],
    ] as const) {
      const since = fragment`now() - ${hours}::float8 * interval '1 hour'`;
      for (const step of ["5m", "1h", "1d"])
        await database.sql`DELETE FROM ${raw(`gameserver_rollup_${step}`)}
          WHERE server_id = ${ids[name] ?? 0} AND starts_at < ${since} - ${step === "1d" ? "1 day" : step === "1h" ? "1 hour" : "0"}::interval`;
      await database.sql`UPDATE gameserver_live_metrics SET first_asked_at = ${since} WHERE server_id = ${ids[name] ?? 0}`;
    }
    await database.sql`UPDATE gameserver_live_metrics SET status = 'unknown', first_asked_at = NULL WHERE server_id = ${ids.fresh ?? 0}`;
    web = await startWeb(readConfig({ ...PATIENT, PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "silent" }), {
      log: pino({ level: "silent" }),
    });
  });
  after(async () => {
    await web?.stop();
    await database.drop();
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${web.port}${path}`, { redirect: "manual", headers });

  test("hidden, members', unknown, and no range of ours: 404 without a figure", async () => {
    for (const path of [
      `/servers/${ids.hidden}/history`,
      `/servers/${ids.members}/history?range=1y`,
      "/servers/999999/history",
      "/servers/1e3/history",
      `/servers/${ids.seen}/history?range=2y`,
      `/servers/${ids.seen}/history?range=`,
      `/servers/${ids.seen}/history?range=constructor`,
      `/de/servers/${ids.hidden}/history?range=24h`,
    ]) {
      const response = await get(path);
      assert.equal(response.status, 404, path);
      assert.deepEqual(await response.json(), { error: "There is no such history." });
    }
  });

  test("each range as JSON, kept a minute, and answered with 304 while it stays the same", async () => {
    for (const [range, step, most] of [
      ["24h", 300, 288],
      ["7d", 900, 673],
      ["30d", 3_600, 721],
      ["1y", 86_400, 366],
    ] as const) {
      const response = await get(`/servers/${ids.seen}/history?range=${range}`);
      assert.equal(response.status, 200);
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
      assert.equal(response.headers.get("cache-control"), "public, max-age=60");
      const body = await response.json();
      assert.equal(body.step, step);
      assert.ok(body.at.length > most / 3 && body.at.length <= most, `${range}: ${body.at.length}`);
      for (const column of [body.average, body.lowest, body.highest]) assert.equal(column.length, body.at.length);
      const etag = response.headers.get("etag") ?? "";
      for (const known of [etag, `W/${etag}`, `"another", ${etag}`, "*"]) {
        const again = await get(`/servers/${ids.seen}/history?range=${range}`, { "If-None-Match": known });
        assert.equal(again.status, 304, known);
        assert.equal(await again.text(), "");
      }
    }
  });

  test("the page says uptime, peaks and the week in words and tables, without script and without inline style", async () => {
    const html = await (await get(`/servers/${ids.seen}`)).text();
    assert.match(html, /Best time to join/);
    assert.match(html, /Most people play on (?:Friday|Saturday|Sunday) from \d\d:00 to \d\d:00:/);
    assert.match(html, /<b>9\d\.\d+%<\/b>/);
    assert.equal(html.match(/<td data-level=/g)?.length, 168);
    assert.match(html, /Times are in UTC/);
    const section = html.slice(html.indexOf('aria-labelledby="history"'));
    assert.doesNotMatch(section.slice(0, section.indexOf("</section></section>")), / style=/);
    const german = await (await get(`/de/servers/${ids.seen}`)).text();
    assert.match(german, /Am meisten los ist am (?:Freitag|Samstag|Sonntag) von \d\d:00 bis \d\d:00 Uhr/);
  });

  test("a young history says since when, in the ranges that it fills, and a peak from when to when", async () => {
    const html = await (await get(`/servers/${ids.young}`)).text();
    const table = html.slice(html.indexOf("<table"), html.indexOf("</table>"));
    const rows = table.split("<tr>").slice(2);
    const since = /<b>[\d.]+%<\/b> <time dateTime="[^"]+"[^>]*>since \d+ \w+ \d{4}, \d/i;
    assert.deepEqual(
      rows.map((row) => since.test(row)),
      [false, true],
      table,
    );
    assert.match(rows[1] ?? "", /\([23] days meas\u00adured\)/, "100 % of three days is no week");
    const german = await (await get(`/de/servers/${ids.young}`)).text();
    assert.match(german, /\([23] Tage ge\u00admessen\)/);
    assert.match(rows[1] ?? "", /\d\d:00–\d\d:00/u);
  });

  test("chart, ranges and the map of the week appear with what was measured: after a minute, an hour, days, eight days", async () => {
    const partsOf = async (name: string, language = "") => {
      const html = await (await get(`${language}/servers/${ids[name]}`)).text();
      return {
        text: html,
        ranges: [...html.matchAll(/name="history-range"[^>]*value="(\w+)"/g)].map(([, range]) => range).join(" "),
        rows: html.match(/<th scope="row">(?:24 hours|7 days|30 days|1 year|24 Stunden)/g)?.length ?? 0,
        hours: html.match(/<td data-level=/g)?.length ?? 0,
      };
    };
    const minute = await partsOf("minute");
    assert.match(minute.text, /Collecting since [^<]*UTC\. The chart begins once an hour has been measured\./);
    assert.deepEqual([minute.ranges, minute.rows, minute.hours], ["", 0, 0]);
    assert.match((await partsOf("minute", "/de")).text, /Wir messen seit [^<]*UTC\. Das Diagramm beginnt/);
    const hour = await partsOf("hour");
    assert.match(
      hour.text,
      /Collecting since [^<]*UTC\.<.*When most people play shows after a whole week of measuring, on \w+day \d/s,
    );
    assert.deepEqual([hour.ranges, hour.rows, hour.hours], ["", 1, 0]);
    const young = await partsOf("young");
    assert.deepEqual([young.ranges, young.rows, young.hours], ["24h 7d", 2, 0]);
    const weeks = await partsOf("weeks");
    assert.deepEqual([weeks.ranges, weeks.rows, weeks.hours], ["24h 7d 30d", 3, 168]);
    const seen = await partsOf("seen");
    assert.deepEqual([seen.ranges, seen.rows, seen.hours], ["24h 7d 30d 1y", 4, 168]);
    assert.doesNotMatch(seen.text, /Collecting since/);
    const dashboard = await (await get("/dashboard")).text();
    const cells = new Map(
      [...dashboard.matchAll(/<tr data-status.*?<\/tr>/gs)].map(([row]) => [/servers\/(\d+)/.exec(row)?.[1], row]),
    );
    for (const name of ["minute", "hour"]) assert.match(cells.get(`${ids[name]}`) ?? "", /Collecting since/, name);
    for (const name of ["young", "weeks", "seen"]) assert.match(cells.get(`${ids[name]}`) ?? "", /<svg[^>]*47/, name);
  });

  test("how we know follows from how the figure came: a connection counts nobody, a heartbeat does", async () => {
    const told = await (await get(`/servers/${ids.seen}`)).text();
    assert.match(told, /the game server itself reports who is on/);
    assert.doesNotMatch(told, /does not tell who is on/);
    assert.match(await (await get(`/de/servers/${ids.seen}`)).text(), /wer online ist, meldet der Gameserver selbst/);
    assert.match(await (await get(`/servers/${ids.young}`)).text(), /does not tell who is on/);
  });

  test("before the first question there is no chart, and nothing is claimed", async () => {
    const html = await (await get(`/servers/${ids.fresh}`)).text();
    assert.match(html, /No history yet\. It begins with the first question/);
    assert.doesNotMatch(html, /history-range|data-level|Collecting/);
    const body = await (await get(`/servers/${ids.fresh}/history?range=24h`)).json();
    assert.deepEqual(body.at, []);
  });
});
