/**
 * P10: one outage is told to 10,000 followers, and their pushes are sealed and sent. Meanwhile: how long a change takes to 200
 * browsers, and how long visitors' pages and one that is rendered for a member take, p99 each, ÷ when nothing is told.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createUser } from "#domain/members/users.ts";
import { recordEvent } from "#domain/notifications/events.ts";
import { follow } from "#domain/notifications/follows.ts";
import { registerTarget } from "#domain/notifications/targets.ts";
import { hashPassword } from "#domain/sign-in/passwords.ts";
import { createBrowser } from "#tests/helpers/browser.ts";
import { measurePairs, percentile, rowOfPairs, spreadOf } from "../instruments/pairs.ts";
import type { PushReport } from "../instruments/push-service.ts";
import type { Row } from "../instruments/row.ts";
import { changeOneRow, startBaseline, startSite } from "../instruments/site-process.ts";
import { openStreamReaders } from "../instruments/stream-readers.ts";

const SECRET = "a secret of the bench, as long as it has to be";
const FOLLOWERS = 10_000;
/** Browsers that the push service knows; each is followed by as many targets. */
const BROWSERS = 100;
const STREAMS = 200;
const CHANGES = 15;
const PASSWORD = "a lamp in the harbour";
const EMAIL = "member@example.org";

export async function measure(): Promise<Row[]> {
  const service = await startBaseline("push-service.ts");
  const ask = async (order: "subscribe" | "report" | "forget"): Promise<PushReport> => {
    const answered = new Promise<PushReport>((resolve) => service.child.once("message", resolve));
    service.child.send({ order, count: BROWSERS });
    return answered;
  };
  const { settings, subscriptions } = await ask("subscribe");
  const site = await startSite({ env: { ...settings, AUTH_SECRET: SECRET } });
  const { db, sql } = site.database;
  const readers = await openStreamReaders(site.port, STREAMS);
  const [server] = await sql<{ server_id: number }[]>`
    update gameserver set lifecycle = 'active', game_port = 7777, adapter = 'tcp'
    where server_id = (select min(server_id) from gameserver) returning server_id`;
  const server_id = server?.server_id ?? 0;
  let version = 0;
  const told: number[] = [];
  const pages: number[] = [];

  const stopTelling = async () => {
    await sql`delete from notification_deliveries`;
    await sql`delete from notification_events`;
    await ask("forget");
  };
  const outage = async () => {
    await sql`update gameserver_live_metrics set status = 'offline', status_since = now(), last_asked_at = now(),
      next_poll_at = now() + interval '1 hour' where server_id = ${server_id}`;
    version += 1;
    await recordEvent(db, { kind: "server_down", about: { server_id }, dedupe_key: `server_down:bench:${version}` });
  };
  const deliver = async () => {
    const waits: number[] = [];
    for (let n = 0; n < CHANGES; n += 1) {
      version += 1;
      const text = `mark-${String(version).padStart(9, "0")}`;
      const arrived = await readers.untilAll(text, () => changeOneRow(site.database, text));
      if (arrived.length < STREAMS) throw new Error(`a change reached ${arrived.length} of ${STREAMS}`);
      waits.push(...arrived);
      await pause(20);
    }
    return percentile(waits, 0.99);
  };

  try {
    await createUser(db, {
      email: EMAIL,
      passwordHash: await hashPassword(PASSWORD),
      locale: "en",
      emailVerified: true,
    });
    const member = createBrowser(site.url);
    const signedIn = await member.post("/login/", { intent: "login", email: EMAIL, password: PASSWORD });
    if (signedIn.status !== 302) throw new Error(`sign-in answered ${signedIn.status}`);
    const visitor = createBrowser(site.url);
    for (const { endpoint, keys } of subscriptions) {
      const address = { endpoint, ...keys };
      const made = await registerTarget(db, SECRET, { kind: "push", identity: endpoint, address, locale: "en" });
      if (!made.ok) throw new Error(made.reason);
      const followed = await follow(db, made.target.target_id, { server_id, kind: "server_down" });
      if (!followed.ok) throw new Error(followed.reason);
    }
    await sql`
      with more as (
        insert into notification_targets (kind, address_hash, address_sealed, locale)
        select kind, address_hash || n, address_sealed, locale
        from notification_targets, generate_series(2, ${FOLLOWERS / BROWSERS}::int) n returning target_id)
      insert into follows (target_id, kind, server_id) select target_id, 'server_down', ${server_id} from more`;

    /** Pages, one after the other, until `signal`. */
    const readPages = async (times: number[], signal: AbortSignal) => {
      while (!signal.aborted) {
        for (const [at, path] of [
          [visitor, "/"],
          [visitor, `/servers/${server_id}`],
          [member, "/dashboard"],
        ] as const) {
          const began = performance.now();
          const { status } = await at.get(path);
          if (status !== 200) throw new Error(`${path} answered ${status}`);
          times.push(performance.now() - began);
        }
        await pause(20);
      }
    };
    const withPages = async (times: number[]) => {
      const reading = new AbortController();
      const read = readPages(times, reading.signal);
      const p99 = await deliver();
      reading.abort();
      await read;
      return p99;
    };
    const idle: number[] = [];
    const telling = async () => {
      await outage();
      const p99 = await withPages(pages);
      const [made] = await sql<{ all: number; sent: number }[]>`
        select count(*)::int as all, count(*) filter (where state = 'sent')::int as sent from notification_deliveries`;
      if (made?.all !== FOLLOWERS) throw new Error(`${made?.all} deliveries were made`);
      told.push(made.sent);
      await stopTelling();
      await pause(1_000);
      return p99;
    };
    await withPages([]);
    const pairs = await measurePairs(telling, () => withPages(idle));
    const [own, other] = [percentile(pages, 0.99), percentile(idle, 0.99)];
    return [
      {
        claim: "P10",
        what: `a change to ${STREAMS} browsers, p99, while an outage is told to ${FOLLOWERS} followers (${percentile(told, 0.5)} sent meanwhile) ÷ idle`,
        ...rowOfPairs(pairs, "ms"),
        floor: 3.5,
        goal: 2,
        better: "less",
      },
      {
        claim: "P10",
        what: `pages of visitors and of a member meanwhile, p99 of ${pages.length} ÷ idle (${other.toFixed(0)} ms)`,
        ours: `${own.toFixed(0)} ms`,
        value: own / other,
        unit: "",
        spread: spreadOf(pages.map((ms) => ms / other)),
        floor: 3.5,
        goal: 2,
        better: "less",
      },
    ];
  } finally {
    await readers.close();
    await site.stop();
    await service.stop();
  }
}
