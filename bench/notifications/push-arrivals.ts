/**
 * N10: from the commit of an outage to the push service, for 1,000 browsers that follow it, p99; and how many of them are told
 * twice, also where the sender is killed (SIGKILL) while it is at it. The push service checks every signature and opens every
 * message, in a process of its own on the same machine.
 */
import { setTimeout as pause } from "node:timers/promises";
import { recordEvents } from "#domain/notifications/events.ts";
import { follow } from "#domain/notifications/follows.ts";
import { registerTarget } from "#domain/notifications/targets.ts";
import { percentile, spreadOf } from "../instruments/pairs.ts";
import type { PushReport } from "../instruments/push-service.ts";
import type { Row } from "../instruments/row.ts";
import { startBaseline, startSite } from "../instruments/site-process.ts";

const SECRET = "a secret of the bench, as long as it has to be";
const FOLLOWERS = 1_000;
const ROUNDS = 3;
/** So many have been told when the sender is killed. */
const KILLED_AT = 300;
const LIMIT_MS = 60_000;

export async function measure(): Promise<Row[]> {
  const service = await startBaseline("push-service.ts");
  const ask = async (order: "subscribe" | "report" | "forget"): Promise<PushReport> => {
    const answered = new Promise<PushReport>((resolve) => service.child.once("message", resolve));
    service.child.send({ order, count: FOLLOWERS });
    return answered;
  };
  const { settings, subscriptions } = await ask("subscribe");
  const env = { ...settings, AUTH_SECRET: SECRET };
  const site = await startSite({ env });
  const { db, sql } = site.database;
  let events = 0;

  const outage = async (): Promise<number> => {
    await ask("forget");
    // Who was told is told again only after an hour.
    await sql`delete from notification_deliveries`;
    const began = performance.timeOrigin + performance.now();
    await db.transaction(async (tx) => {
      const rows = await tx.execute<{ server_id: number }>(`
        update gameserver_live_metrics set status = 'offline', status_since = now(), last_asked_at = now(),
          next_poll_at = now() + interval '1 hour' where server_id = (select min(server_id) from gameserver) returning server_id`);
      const about = { server_id: rows[0]?.server_id ?? 0 };
      await recordEvents(tx, [{ kind: "server_down", about, dedupe_key: `server_down:bench:${events++}` }]);
    });
    return began;
  };
  const reportWhen = async (enough: (report: PushReport) => boolean | Promise<boolean>): Promise<PushReport> => {
    const until = performance.now() + LIMIT_MS;
    for (;;) {
      const report = await ask("report");
      if (await enough(report)) return report;
      if (performance.now() > until) throw new Error(`${report.arrived.length} of ${FOLLOWERS} were told in time`);
      await pause(20);
    }
  };
  const isSettled = async () => {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from notification_deliveries where state in ('waiting', 'sending')`;
    return row?.n === 0;
  };

  try {
    const [server] = await sql<{ server_id: number }[]>`
      update gameserver set lifecycle = 'active', game_port = 7777, adapter = 'tcp'
      where server_id = (select min(server_id) from gameserver) returning server_id`;
    for (const { endpoint, keys } of subscriptions) {
      const registered = await registerTarget(db, SECRET, {
        kind: "push",
        identity: endpoint,
        address: { endpoint, ...keys },
        locale: "en",
      });
      if (!registered.ok) throw new Error(registered.reason);
      const followed = await follow(db, registered.target.target_id, {
        server_id: server?.server_id ?? 0,
        kind: "server_down",
      });
      if (!followed.ok) throw new Error(followed.reason);
    }

    const figures: number[] = [];
    let twice = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      const began = await outage();
      const { arrived, refused } = await reportWhen(({ arrived }) => arrived.length >= FOLLOWERS);
      if (refused > 0) throw new Error(`the push service could not read ${refused} messages`);
      await reportWhen(isSettled);
      twice += repeated(await ask("report"));
      const waits = arrived.map(({ at }) => at - began);
      // The first round is the one in which everything is met for the first time.
      if (round > 0) figures.push(percentile(waits, 0.99));
    }
    const { killed, told } = await killHalfway();
    const median = percentile(figures, 0.5);
    return [
      {
        claim: "N10",
        what: `an outage is committed → its push service has it, ${FOLLOWERS} followers, p99`,
        ours: `${median.toFixed(0)} ms, ${ROUNDS} rounds`,
        value: median,
        unit: " ms",
        spread: spreadOf(figures),
        floor: 2_000,
        goal: 500,
        better: "less",
      },
      {
        claim: "N10",
        what: `told twice, of ${FOLLOWERS} in each round, and where the sender is killed after ${KILLED_AT}`,
        ours: `${told} of ${FOLLOWERS} told in spite of it; the others were under way, and are in doubt`,
        value: twice + killed,
        unit: "",
        floor: 0,
        goal: 0,
        better: "less",
      },
    ];
  } finally {
    await site.stop();
    await service.stop();
  }

  async function killHalfway(): Promise<{ killed: number; told: number }> {
    await outage();
    await reportWhen(({ arrived }) => arrived.length >= KILLED_AT);
    process.kill(site.pid, "SIGKILL");
    const next = await startSite({ env, database: site.database });
    try {
      await reportWhen(async () => {
        const [row] = await sql<{ n: number }[]>`
          select count(*)::int as n from notification_deliveries where state = 'waiting'`;
        return row?.n === 0;
      });
      // As if two minutes were over, after which nobody is waited for who was at it.
      await sql`update notification_deliveries set next_attempt_at = now() where state = 'sending'`;
      await sql`select pg_notify('deliveries', '')`;
      await reportWhen(isSettled);
      await pause(500);
      const report = await ask("report");
      return { killed: repeated(report), told: new Set(report.arrived.map(({ to }) => to)).size };
    } finally {
      await next.stop();
    }
  }
}

/** How many arrived more than once. */
const repeated = ({ arrived }: PushReport): number => arrived.length - new Set(arrived.map(({ to }) => to)).size;
