import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connectDatabase, type Database } from "#db/client.ts";
import { createUser } from "#domain/accounts/users.ts";
import { listHistory } from "#domain/game-servers/history.ts";
import { planShape } from "#domain/plans/plan-shape.ts";
import { createPlan, endPlan, findPlanToEdit, updatePlan } from "#domain/plans/plans.ts";
import { removeOldPlansAndIncidents } from "#domain/plans/retention.ts";
import { runPlans } from "#domain/plans/run-plans.ts";
import type { Actor } from "#domain/site/audit.ts";
import { createBed, pretendA2s } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";
import { endMaintenances } from "./end-maintenance.ts";

const WEEKLY = {
  kind: "restart",
  about: "site",
  title_en: "",
  title_de: "",
  first_local: "2026-03-15T04:00",
  time_zone: "Europe/Berlin",
  repeats: "weekly",
  minutes: "10",
};
const FIRST = Date.parse("2026-03-10T00:00Z");

describe("plans and incidents", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  /** By a clock that stands where `at` set it, until told otherwise. */
  let database: Database;
  let actor: Actor;

  before(async () => {
    bed = await createBed();
    await bed.sql.unsafe(`CREATE SCHEMA clock; CREATE TABLE clock.at AS SELECT now() AS moment;
      CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT moment FROM clock.at';
      ALTER DATABASE ${new URL(bed.url).pathname.slice(1)} SET search_path = clock, pg_catalog, public`);
    database = connectDatabase({ databaseUrl: bed.url }, { max: 2 });
    const admin = await createUser(database.db, { email: "admin@example.com", passwordHash: null, locale: "en" });
    actor = { user_id: admin.id, origin: { ip: "127.0.0.1", user_agent: "a test" } };
  });
  after(async () => {
    await database.close();
    await bed.end();
  });

  /** Sets the clock, and lets all jobs run that begin and end things. */
  async function at(moment: string): Promise<void> {
    await database.sql`UPDATE clock.at SET moment = ${moment}::timestamptz`;
    await runPlans(database.db);
    await endMaintenances(database.sql);
    await runPlans(database.db);
  }
  const plan = async (given: Partial<typeof WEEKLY>): Promise<number> => {
    const made = await createPlan(database.db, actor, planShape(FIRST).parse({ ...WEEKLY, ...given }));
    assert.ok(made.ok);
    return made.plan_id;
  };
  const change = async (id: number, given: Partial<typeof WEEKLY>) => {
    const found = await findPlanToEdit(database.db, id);
    const fields = planShape(FIRST).parse({ ...WEEKLY, ...found?.form, ...given });
    return updatePlan(database.db, actor, id, found?.revision ?? "", fields);
  };
  const lifecycles = async () => {
    const rows = await database.sql`SELECT lifecycle FROM gameserver ORDER BY server_id`;
    return rows.map(({ lifecycle }) => lifecycle).join(" ");
  };
  const told = async (kind = "plan_soon") => {
    const rows = await database.sql`
      SELECT dedupe_key, outcome FROM notification_events WHERE kind = ${kind} ORDER BY event_id`;
    return rows.map(
      ({ dedupe_key, outcome }) => `${String(dedupe_key).split(":").slice(2).join(":")}${outcome ? ` ${outcome}` : ""}`,
    );
  };
  const clear = async () => {
    await database.sql`DELETE FROM plans`;
    await database.sql`DELETE FROM incidents`;
    await database.sql`DELETE FROM notification_events`;
    await bed.clear();
  };

  test("a weekly restart at 04:00 in Berlin keeps its hour over both nights, in maintenance and told once", async () => {
    await bed.addServer();
    await database.sql`UPDATE clock.at SET moment = '2026-03-26T00:00Z'`;
    await plan({});
    for (const [starts, ends] of [
      ["2026-03-29T02:00:00", "2026-03-29T02:10:00"],
      ["2026-04-05T02:00:00", "2026-04-05T02:10:00"],
      ["2026-10-25T03:00:00", "2026-10-25T03:10:00"],
    ] as const) {
      const from = (seconds: number) => new Date(Date.parse(`${starts}Z`) + seconds * 1000).toISOString();
      await database.sql`DELETE FROM notification_events`;
      await at(from(-601));
      assert.deepEqual(await told(), [], "not before its time");
      await at(from(-599));
      await at(from(-300));
      await at(from(-1));
      assert.equal(await lifecycles(), "active");
      await at(from(0));
      assert.equal(await lifecycles(), "maintenance");
      await at(from(599));
      assert.equal(await lifecycles(), "maintenance");
      await at(`${ends}Z`);
      assert.equal(await lifecycles(), "active");
      assert.deepEqual(await told(), [`${starts}.000Z`]);
      const [gap] = await database.sql`
        SELECT starts_at = ${`${starts}Z`}::timestamptz AND ends_at = ${`${ends}Z`}::timestamptz AS whole
        FROM gameserver_watch_gap WHERE reason = 'maintenance' ORDER BY starts_at DESC LIMIT 1`;
      assert.equal(gap?.whole, true, "the window is neither up nor down, to the second");
    }
    await clear();
  });

  test("where everything was away at its start it begins late; what is over is neither begun nor told", async () => {
    await bed.addServer();
    await database.sql`UPDATE clock.at SET moment = '2026-03-14T12:00Z'`;
    await plan({});
    await at("2026-03-14T12:00Z");
    await at("2026-03-15T03:04Z");
    assert.equal(await lifecycles(), "maintenance", "four minutes late");
    await at("2026-03-15T03:10Z");
    assert.equal(await lifecycles(), "active", "and not a minute longer");
    await at("2026-03-28T12:00Z");
    await at("2026-03-29T02:11Z");
    assert.equal(await lifecycles(), "active");
    assert.deepEqual(await told(), []);
    await at("2026-04-04T12:00Z");
    const next = await database.sql`SELECT starts_at FROM plan_occurrences WHERE over_at IS NULL`;
    assert.deepEqual(
      next.map(({ starts_at }) => new Date(starts_at).toISOString()),
      ["2026-04-05T02:00:00.000Z"],
    );
    await clear();
  });

  test("changed or ended while it runs, its game servers follow; an admin's own maintenance is none of its business", async () => {
    const [mine, own, longer, retired] = [
      await bed.addServer(),
      await bed.addServer({ lifecycle: "maintenance" }),
      await bed.addServer({ lifecycle: "maintenance" }),
      await bed.addServer({ lifecycle: "retired" }),
    ];
    await database.sql`UPDATE clock.at SET moment = '2026-03-15T02:00Z'`;
    await database.sql`UPDATE gameserver SET maintenance_until = '2030-03-15T09:00Z' WHERE server_id = ${longer}`;
    const id = await plan({});
    await at("2026-03-15T02:55Z");
    await change(id, { first_local: "2026-03-15T04:30" });
    assert.deepEqual(await told(), ["2026-03-15T03:00:00.000Z untrue"], "what was told too early is taken back");
    await at("2026-03-15T03:00Z");
    assert.equal(await lifecycles(), "active maintenance maintenance retired");
    await at("2026-03-15T03:25Z");
    await at("2026-03-15T03:30Z");
    assert.equal(await lifecycles(), "maintenance maintenance maintenance retired");
    await change(id, { minutes: "20" });
    await at("2026-03-15T03:45Z");
    const untils = async () =>
      (await database.sql`SELECT maintenance_until FROM gameserver ORDER BY server_id`).map(({ maintenance_until }) =>
        maintenance_until ? new Date(maintenance_until).toISOString().slice(11, 16) : null,
      );
    assert.deepEqual(await untils(), ["03:50", null, "09:00", null]);
    const other = await plan({
      first_local: "2026-03-15T04:40",
      about: `server-${mine}`,
      repeats: "none",
      minutes: "30",
    });
    await at("2026-03-15T03:46Z");
    await endPlan(database.db, actor, other);
    assert.deepEqual(await untils(), ["03:50", null, "09:00", null], "the other plan still holds it");
    await change(id, { about: `server-${retired}` });
    assert.equal(await lifecycles(), "active maintenance maintenance retired", "it is about another one now");
    await change(id, { about: "game-1" });
    assert.equal(await lifecycles(), "maintenance maintenance maintenance retired");
    assert.equal(await endPlan(database.db, actor, id), true);
    assert.equal(await lifecycles(), "active maintenance maintenance retired");
    assert.equal(await endPlan(database.db, actor, id), false);
    await at("2026-03-22T03:30Z");
    assert.equal(await lifecycles(), "active maintenance maintenance retired", "it takes place no more");
    assert.equal((await change(id, { first_local: "2026-03-22T05:00" })).ok, true);
    await at("2026-03-22T04:00Z");
    assert.equal(await lifecycles(), "maintenance maintenance maintenance retired", "until somebody plans it anew");
    await database.sql`DELETE FROM gameserver WHERE server_id = ${own}`;
    await at("2028-01-01T00:00Z");
    await removeOldPlansAndIncidents(database.db);
    assert.equal((await database.sql`SELECT FROM plan_occurrences WHERE starts_at < '2027-01-01'`).length, 0);
    await clear();
  });

  test("real game servers in a plan: down for nobody, over a new collector too, and afterwards by the ordinary rule", async () => {
    await bed.sql`ALTER TABLE clock.at RENAME TO stopped`;
    await bed.sql`CREATE VIEW clock.at AS SELECT clock_timestamp() AS moment`;
    const real = connectDatabase({ databaseUrl: bed.url }, { max: 1 });
    const [starting, broken] = [await pretendA2s(3), await pretendA2s(3)];
    // Twelve seconds of silence make it offline: time enough to bring it back between the first and the second miss.
    const slow = await bed.addServer({ game_port: starting.port, poll_interval_s: 6 });
    const gone = await bed.addServer({ game_port: broken.port });
    const first = await bed.start();
    const is = (id: number, status: string) =>
      until(status, async () => {
        const row = await bed.row(id);
        return row.status === status && row;
      });
    await is(slow, "online");
    await is(gone, "online");
    const local = new Date().toISOString().slice(0, 16);
    const made = await createPlan(
      real.db,
      actor,
      planShape(Date.now()).parse({ ...WEEKLY, first_local: local, time_zone: "UTC" }),
    );
    assert.ok(made.ok);
    await until("maintenance", async () => (await lifecycles()) === "maintenance maintenance");
    await starting.close();
    await broken.close();
    await until("it was missed", async () => (await bed.row(gone)).failures_in_row > 0);
    await first.stop();
    const second = await bed.start();
    await is(gone, "offline");
    const downs = async () =>
      (await listHistory(real.db, slow, "24h", Date.now() + 300_000)).downs.length +
      (await listHistory(real.db, gone, "24h", Date.now() + 300_000)).downs.length;
    assert.equal(await downs(), 0);
    const told = () => bed.sql<{ server_id: number; happened_at: Date }[]>`
      SELECT server_id, happened_at FROM notification_events WHERE kind IN ('server_down', 'server_up') ORDER BY event_id`;

    const before = (await told()).length;
    await endPlan(real.db, actor, made.plan_id);
    assert.equal(await lifecycles(), "active active");
    await is(slow, "degraded");
    const back = await pretendA2s(3, starting.port);
    await is(slow, "online");
    await is(gone, "offline");
    await second.stop();
    const after = (await told()).slice(before);
    assert.deepEqual(
      after.map(({ server_id }) => server_id),
      [gone],
      "one that was only slow to start is told of by nobody",
    );
    const [over] = await bed.sql<{ ends_at: Date }[]>`
      SELECT ends_at FROM gameserver_watch_gap WHERE server_id = ${gone} AND reason = 'maintenance'`;
    const lasted = Number(new Date(after[0]?.happened_at ?? 0)) - Number(new Date(over?.ends_at ?? 0));
    // What failed within the plan is no failure after it.
    assert.ok(lasted >= 2_000, `told after ${lasted} ms: two intervals without an answer`);
    assert.equal(await downs(), 1);
    await real.close();
    await back.close();
  });
});
