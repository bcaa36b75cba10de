import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connectDatabase, type Database } from "#db/client.ts";
import { listHistory } from "#domain/game-servers/history.ts";
import { addIncidentUpdate, closeIncident, publishIncident } from "#domain/incidents/incidents.ts";
import { watchOutages } from "#domain/incidents/watch-outages.ts";
import { createUser } from "#domain/members/users.ts";
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

  test("an outage of five minutes drafts one incident for all that went with it, told once and closed by itself", async () => {
    const ids = [await bed.addServer(), await bed.addServer(), await bed.addServer(), await bed.addServer()];
    const [first = 0, second = 0, members = 0, hidden = 0] = ids;
    await database.sql`UPDATE gameserver SET visibility = CASE server_id WHEN ${members} THEN 'members' WHEN ${hidden} THEN 'hidden' ELSE 'public' END`;
    const measure = (id: number, status: string, since: string, now: string) => database.sql`
      UPDATE gameserver_live_metrics SET status = ${status}, status_since = ${since}::timestamptz, last_asked_at = ${now}::timestamptz,
        last_answered_at = CASE WHEN ${status} = 'online' THEN ${now}::timestamptz ELSE last_answered_at END WHERE server_id = ${id}`;
    const look = async (now: string) => {
      await database.sql`UPDATE clock.at SET moment = ${now}::timestamptz`;
      await database.sql`UPDATE gameserver_live_metrics SET last_asked_at = ${now}::timestamptz WHERE last_asked_at IS NOT NULL`;
      return database.db.transaction((tx) => watchOutages(tx, 30));
    };
    const all = () => database.sql`
      SELECT incident_id, published_at IS NULL AS draft, closed_at, array(SELECT server_id FROM incident_servers i
        WHERE i.incident_id = incidents.incident_id ORDER BY 1) AS servers FROM incidents ORDER BY 1`;
    await measure(first, "offline", "2026-05-01T10:00Z", "2026-05-01T10:00Z");
    await measure(second, "offline", "2026-05-01T10:01:30Z", "2026-05-01T10:01:30Z");
    await measure(members, "offline", "2026-05-01T10:00Z", "2026-05-01T10:00Z");
    await measure(hidden, "offline", "2026-05-01T10:00Z", "2026-05-01T10:00Z");
    await look("2026-05-01T10:04:59Z");
    assert.equal((await all()).length, 0);
    await look("2026-05-01T10:05:01Z");
    await look("2026-05-01T10:06:31Z");
    await look("2026-05-01T10:06:32Z");
    const drafts = await all();
    assert.deepEqual(
      drafts.map(({ servers, draft }) => [servers, draft]),
      [
        [[first, second], true],
        [[members], true],
      ],
    );
    assert.equal(drafts[0]?.closed_at, null);
    const id = Number(drafts[0]?.incident_id);
    assert.deepEqual(await told("incident_opened"), [], "a draft is told to nobody");
    const words = { title_en: "The big one is down", title_de: "" };
    await publishIncident(database.db, actor, id, words);
    await publishIncident(database.db, actor, id, { ...words, title_de: "Der Große ist weg" });
    assert.deepEqual(await told("incident_opened"), [`${first}`, `${second}`]);
    const [keys] =
      await database.sql`SELECT count(DISTINCT telling_key)::int AS n FROM notification_events WHERE kind = 'incident_opened'`;
    assert.equal(keys?.n, 1, "who follows both hears of it once");
    await addIncidentUpdate(database.db, actor, id, { text_en: "A disk", text_de: "" });
    await measure(first, "online", "2026-05-01T10:08:00Z", "2026-05-01T10:08:30Z");
    await look("2026-05-01T10:09:00Z");
    assert.equal((await all())[0]?.closed_at, null, "one of two is back");
    await measure(second, "online", "2026-05-01T10:10:00Z", "2026-05-01T10:10:00Z");
    await look("2026-05-01T10:10:01Z");
    assert.equal((await all())[0]?.closed_at, null, "one answer is none");
    await measure(second, "online", "2026-05-01T10:10:00Z", "2026-05-01T10:10:30Z");
    await look("2026-05-01T10:10:31Z");
    assert.equal(new Date((await all())[0]?.closed_at).toISOString(), "2026-05-01T10:10:00.000Z");
    assert.deepEqual(await told("incident_closed"), [`${first}`, `${second}`]);
    assert.equal((await told("incident_updated")).length, 2);
    const draft = Number(drafts[1]?.incident_id);
    assert.deepEqual(await closeIncident(database.db, actor, draft), { ok: true }, "put away");
    assert.deepEqual(await closeIncident(database.db, actor, draft), { ok: false, reason: "over" });
    await look("2026-05-01T10:20:00Z");
    assert.equal((await all()).length, 2, "the same outage is drafted once");
    assert.equal((await told("incident_closed")).length, 2);
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
