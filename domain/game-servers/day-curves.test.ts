import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { addCurves, type DayCurve, type DayPoint, listDayCurves } from "./day-curves.ts";

const curve = (points: Record<number, DayPoint>): DayCurve =>
  Array.from({ length: 48 }, (_, slot) => points[slot] ?? null);

describe("the last 24 hours of game servers", () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    const { sql } = database;
    await sql`insert into games (game_name, game_acronym, game_slug, tagline, description) values ('G', 'G', 'g', '{"en":""}', '{"en":""}')`;
    await sql`insert into gameserver (game_id, server_name, adapter, visibility)
      select 1, name, 'a2s', visibility from (values ('busy', 'public'), ('never counted', 'public'), ('hidden', 'hidden'), ('new', 'public')) v (name, visibility)`;
    // Five minutes each, so many minutes ago: players (null: not told), seconds down.
    const rows = [
      ["busy", 5, 4, 0],
      ["busy", 10, 6, 0],
      ["busy", 35, 0, 0],
      ["busy", 65, null, 300],
      ["busy", 95, null, 0],
      ["busy", 1440, 9, 0],
      ["busy", 1445, 99, 0],
      ["never counted", 5, null, 0],
      ["hidden", 5, 3, 0],
    ] as const;
    for (const [name, ago, players, down] of rows)
      await sql`insert into gameserver_rollup_5m select server_id, date_bin('5 minutes', now(), 'epoch') - ${ago} * interval '1 minute',
        ${players}, ${players}, ${(players ?? 0) * 10}, ${players === null ? 0 : 10}, 10, ${300 - down}, ${down}
        from gameserver where server_name = ${name}`;
  });
  after(() => database.drop());

  it("are left out where a game server is hidden or was never counted", async () => {
    assert.deepEqual([...(await listDayCurves(database.db)).keys()], [1]);
  });

  it("tell averages by the half hour; what is unknown is no 0, and what was down is neither", async () => {
    const found = (await listDayCurves(database.db)).get(1);
    assert.deepEqual(found, curve({ 0: 9, 45: "down", 46: 0, 47: 5 }));
  });
});

describe("curves as one", () => {
  it("are unknown where one that was counted before could not be, and go on where one is down", () => {
    const first = curve({ 1: 2, 2: 2, 3: 2, 4: 2 });
    const second = curve({ 2: 5, 3: null, 4: "down" });
    const sum = addCurves([first, second]);
    assert.deepEqual(sum.slice(0, 6), [null, 2, 7, null, 2, null]);
  });

  it("take no part where nobody was ever counted", () => {
    assert.deepEqual(addCurves([curve({ 0: 1, 1: 1 }), curve({ 0: "down" }), curve({})]), curve({ 0: 1, 1: 1 }));
    assert.deepEqual(addCurves([]), curve({}));
    assert.deepEqual(addCurves([curve({ 3: 1, 4: "down" })]), curve({ 3: 1, 4: "down" }));
  });
});
