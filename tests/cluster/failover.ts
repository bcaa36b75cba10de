/** The primary's power is cut and the standby promoted: what is lost and how long it takes, with and without waiting for the standby. */
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase } from "#db/client.ts";
import { type Claims, ms, seconds } from "./claims.ts";
import { differences } from "./cut-off.ts";
import { startEditing } from "./delivery.ts";
import { follow } from "./follower.ts";
import { startLoad, tellTally } from "./load.ts";
import { until } from "./programs.ts";
import type { Site } from "./site.ts";

const WRITERS = 4;
const FOLLOWERS = 20;
/** How far the standby lags when the power goes: its line is broken for so long before. */
const LAG_MS = 1_000;
/** Until somebody, or a program, has decided to promote. */
const DECIDED_AFTER_MS = 1_000;
const LIMIT_MS = 60_000;

export async function checkFailover(site: Site, claims: Claims): Promise<void> {
  const [first, second] = site.postgres;
  if (!first || !second) throw new Error("there are two");
  await site.database.sql`CREATE TABLE IF NOT EXISTS acknowledged (n bigint PRIMARY KEY)`;

  first.sql("ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (pg2)'");
  first.sql("SELECT pg_reload_conf()");
  await until(
    "the standby is waited for",
    20_000,
    () => first.sql("SELECT sync_state FROM pg_stat_replication") === "sync",
  );
  await failOver(site, claims, { from: first, to: second, waits: true });

  await comeBackByMistake(site, claims, first);
  first.follow(second);
  await first.start();
  await until("replication", 20_000, () => second.sql("SELECT state FROM pg_stat_replication") === "streaming");
  await failOver(site, claims, { from: second, to: first, waits: false });
}

type Server = Site["postgres"][number];

async function failOver(site: Site, claims: Claims, { from, to, waits }: { from: Server; to: Server; waits: boolean }) {
  const how = waits ? "commits wait for the standby" : "commits do not wait";
  const { at: member } = await site.signedIn(site.door, `keeps-${from.machine.name}@example.org`);
  const edit = await startEditing(site, await site.admin());
  const followers = Array.from({ length: FOLLOWERS }, () => follow(site.visitor(), site.door));
  await until("all follow", 60_000, () => followers.every((one) => one.isOpen()));
  const load = await startLoad(site, `load-${from.machine.name}@example.org`);
  const writing = startWriting(site);
  await pause(3_000);

  from.machine.loseWayTo(to.machine.address);
  await pause(LAG_MS);
  await from.cutPower();
  const cutAt = performance.now();
  const before = writing.acknowledged.size;
  await pause(DECIDED_AFTER_MS);
  to.promote();
  const promotedMs = performance.now() - cutAt;
  await until("writes are acknowledged again", LIMIT_MS, () => writing.acknowledged.size > before + WRITERS);
  const writesMs = performance.now() - cutAt;
  const name = `Changed after ${from.machine.name}`;
  await until("the site takes a change", LIMIT_MS, () => edit(0, name).then(() => true));
  await until("every browser has it", LIMIT_MS, () =>
    followers.every(({ rows }) => [...rows.values()].some(({ version }) => version === name)),
  );
  const liveMs = performance.now() - cutAt;
  await pause(3_000);
  await writing.stop();
  await load.stop();
  const heartbeatsMs = load.writes.lastFailureAt === 0 ? 0 : load.writes.lastFailureAt - cutAt;
  const rows = await site.database.sql<{ n: string }[]>`SELECT n FROM acknowledged`;
  const kept = new Set(rows.map(({ n }) => Number(n)));
  const lost = [...writing.acknowledged].filter((n) => !kept.has(n));
  const differs = await differences(site, followers);
  const cuts = followers.reduce((sum, one) => sum + one.losses(), 0);
  for (const one of followers) one.stop();
  const stillIn = await Promise.all(site.webs.map(({ door }) => member.isSignedIn(door)));
  const [down] = await site.database.sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM gameserver_live_metrics WHERE status = 'offline'`;
  from.machine.mend();
  from.machine.findWayTo(to.machine.address);

  claims.note(
    `${how}: standby ${LAG_MS} ms behind at the cut, told to take over ${DECIDED_AFTER_MS} ms after it, did so after ${ms(promotedMs - DECIDED_AFTER_MS)}`,
  );
  claims.note(
    `after the cut: first write after ${seconds(writesMs)}, last failed heartbeat after ${seconds(heartbeatsMs)}, change in every browser after ${seconds(liveMs)}`,
  );
  claims.note(`pages ${tellTally(load.pages)}; members ${tellTally(load.members)}; writes ${tellTally(load.writes)}`);
  if (waits) {
    claims.hold(
      `${how}: no acknowledged write is lost`,
      lost.length === 0,
      `${lost.length} of ${writing.acknowledged.size} lost`,
    );
  } else {
    claims.hold(
      `${how}: what is lost is what the standby lagged behind`,
      lost.length > 0 && writing.spanMs(lost) <= LAG_MS + 500,
      `${lost.length} of ${writing.acknowledged.size} acknowledged writes lost, made within ${ms(writing.spanMs(lost))}`,
    );
  }
  claims.hold(`${how}: writes are taken again within 15 s of the cut`, writesMs <= 15_000, seconds(writesMs));
  claims.hold(
    `${how}: every browser gets changes again, and ends with what the database says`,
    differs === 0 && liveMs <= 30_000,
    `after ${seconds(liveMs)}, ${cuts} streams cut, ${differs} of ${FOLLOWERS} differ`,
  );
  claims.hold(`${how}: visitors' pages come all the time`, load.pages.failures.length === 0, tellTally(load.pages));
  claims.hold(
    `${how}: members stay signed in, no game server is called down`,
    stillIn.every(Boolean) && down?.n === 0,
    `signed in at ${stillIn.filter(Boolean).length} of 3, ${down?.n} offline`,
  );
}

/** The old primary, started again as it was, believes that it still takes writes. */
async function comeBackByMistake(site: Site, claims: Claims, old: Server): Promise<void> {
  await old.start();
  await until("the balancer sees two", 15_000, async () => {
    const states = await site.haproxy.states();
    return states.get("postgres/pg1") === "UP" && states.get("postgres/pg2") === "UP";
  });
  const { sql, close } = connectDatabase({ databaseUrl: site.databaseUrl }, { max: 1, applicationName: "stranger" });
  const refused = await sql`SELECT 1`.then(
    () => false,
    () => true,
  );
  await close();
  await old.stop();
  await until("the balancer sees one", 15_000, async () => {
    return (await site.haproxy.states()).get("postgres/pg1")?.startsWith("DOWN") ?? false;
  });
  claims.hold(
    "an old primary that comes back by mistake gets nobody: with two that take writes, none is let in",
    refused,
    refused ? "refused" : "let in",
  );
}

/** Writes as fast as the database acknowledges, by the site's own address of it; remembers what was acknowledged, and when. */
function startWriting(site: Site) {
  const { sql, close } = connectDatabase(
    { databaseUrl: site.databaseUrl },
    { max: WRITERS, applicationName: "auditor" },
  );
  const acknowledged = new Set<number>();
  const at = new Map<number, number>();
  let next = Date.now() * 1000;
  let stopping = false;
  const loops = Array.from({ length: WRITERS }, async () => {
    while (!stopping) {
      const n = next++;
      try {
        await sql`INSERT INTO acknowledged (n) VALUES (${n})`;
        acknowledged.add(n);
        at.set(n, performance.now());
        await pause(5);
      } catch {
        await pause(50);
      }
    }
  });
  return {
    acknowledged,
    /** From the first to the last acknowledgement of these. */
    spanMs: (numbers: number[]) => {
      const times = numbers.map((n) => at.get(n) ?? 0);
      return numbers.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
    },
    async stop() {
      stopping = true;
      await Promise.all(loops);
      await close();
    },
  };
}
