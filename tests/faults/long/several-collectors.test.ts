import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { connectDatabase } from "#db/client.ts";
import { findCollectorPulse } from "#domain/site/collector-processes.ts";
import { createBed, fakeWorld } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";

describe("several collectors, one fault", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  before(async () => {
    bed = await createBed();
  });
  afterEach(() => bed.clear());
  after(() => bed.end());

  const addServers = async (n: number) => {
    for (let i = 0; i < n; i++) await bed.addServer({ host: `10.0.0.${i}`, game_port: 2456 });
  };
  const events = async () => (await bed.sql`SELECT to_status FROM gameserver_status_event`).map((row) => row.to_status);

  test("most silent for several collectors, none of which hears five fail: nobody offline; judged again after", async () => {
    let down = false;
    const { outside } = fakeWorld((address) => (down && address !== "10.0.0.0" ? "refused" : "up"));
    await addServers(8);
    const collectors = await Promise.all([1, 2, 3, 4].map(() => bed.start({ outside })));
    await until("all online", async () => (await bed.statuses()).online === 8);
    down = true;
    await until("said so", () =>
      collectors.some(({ lines }) => lines.some((line) => line.level === 50 && /fault is on our side/.test(line.msg))),
    );
    await pause(1_500);
    assert.ok(!(await events()).includes("offline"));
    down = false;
    await until("all online again", async () => (await bed.statuses()).online === 8);
    await until("no longer delayed", async () => {
      const [row] = await bed.sql`SELECT count(delayed_since)::int AS held FROM collector_process`;
      return row?.held === 0;
    });
  });

  test("one without a way out, the other sees: nobody grows old, nobody is told of a delay; it takes part again after", async () => {
    let down = false;
    const healthy = fakeWorld(() => "up");
    const cutOff = fakeWorld(() => (down ? "refused" : "up"));
    await addServers(12);
    await bed.start({ outside: healthy.outside });
    const blind = await bed.start({ outside: cutOff.outside });
    await until("both ask", () => cutOff.asked.length > 3 && healthy.asked.length > 3);
    down = true;
    await until("it knows", () => blind.lines.some((line) => /fault is on our side/.test(line.msg)));
    await pause(2_000);
    const before = cutOff.asked.length;
    await pause(2_000);
    assert.ok(cutOff.asked.length - before <= 6, `${cutOff.asked.length - before} turns taken and lost`);
    const [oldest] = await bed.sql`
      SELECT extract(epoch FROM now() - min(last_answered_at))::float8 AS s FROM gameserver_live_metrics`;
    assert.ok(oldest?.s < 8, `an answer is ${oldest?.s} s old at an interval of 1 s`);
    assert.ok(!(await events()).includes("offline"));
    const { db, close } = connectDatabase({ databaseUrl: bed.url }, { max: 1, applicationName: "test" });
    assert.equal((await findCollectorPulse(db)).delayed_since, null);
    await close();
    down = false;
    await until("it takes part again", () => cutOff.asked.length > before + 20);
  });
});
