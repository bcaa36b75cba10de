/**
 * P10 while one outage is told to 10,000 followers by push: how long a change of another game server takes to 200 browsers, and how
 * long pages of visitors and of a member take, p99 each, ÷ when nothing is told; and /livez meanwhile. A round lasts until everybody
 * is told, and counts only where each was told once. The push service checks and opens every message on the same machine.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createUser } from "#domain/members/users.ts";
import { recordEvent } from "#domain/notifications/events.ts";
import { follow } from "#domain/notifications/follows.ts";
import { registerTarget } from "#domain/notifications/targets.ts";
import { hashPassword } from "#domain/sign-in/passwords.ts";
import { createBrowser } from "#tests/helpers/browser.ts";
import { measurePairs, median, percentile, rowOfPairs, spreadOf } from "../instruments/pairs.ts";
import { ping, rowOfAlive } from "../instruments/ping.ts";
import type { PushReport } from "../instruments/push-service.ts";
import type { Row } from "../instruments/row.ts";
import { changeOneRow, startBaseline, startSite } from "../instruments/site-process.ts";
import { openStreamReaders } from "../instruments/stream-readers.ts";

const SECRET = "a secret of the bench, as long as it has to be";
const FOLLOWERS = 10_000;
/** Browsers that the push service knows; each is followed by as many targets. */
const BROWSERS = 100;
const STREAMS = 200;
/** Changes of an idle round; one of telling has as many as there is time for. */
const CHANGES = 30;
const BETWEEN_MS = 100;
const TOLD_WITHIN_MS = 300_000;
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
  const [followed = 0, changed = 0] = await sql<{ server_id: number }[]>`
    update gameserver set lifecycle = 'active', game_port = 7777, adapter = 'tcp'
    where server_id in (select server_id from gameserver order by 1 limit 2) returning server_id`.then((rows) =>
    rows.map(({ server_id }) => server_id),
  );
  const readers = await openStreamReaders(site.port, STREAMS);
  const member = createBrowser(site.url);
  const visitor = createBrowser(site.url);
  const [pagesTelling, pagesIdle, alive, rounds] = [[], [], [], []] as [number[], number[], number[], number[]];
  let version = 0;

  /** Changes until `isOver` says so, with pages read meanwhile; p99 of the changes. */
  const keepBusy = async (pages: number[], isOver: (changes: number) => boolean): Promise<number> => {
    const waits: number[] = [];
    const reading = new AbortController();
    const read = readPages(pages, reading.signal);
    for (let n = 0; !isOver(n); n += 1) {
      version += 1;
      const text = `mark-${String(version).padStart(9, "0")}`;
      const arrived = await readers.untilAll(text, () => changeOneRow(site.database, text, changed));
      if (arrived.length < STREAMS) throw new Error(`a change reached ${arrived.length} of ${STREAMS}`);
      waits.push(...arrived);
      await pause(BETWEEN_MS);
    }
    reading.abort();
    await read;
    return percentile(waits, 0.99);
  };
  const readPages = async (times: number[], signal: AbortSignal) => {
    while (!signal.aborted) {
      for (const [at, path] of [
        [visitor, "/"],
        [visitor, `/servers/${followed}`],
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
  const untilTold = async () => {
    const until = performance.now() + TOLD_WITHIN_MS;
    for (;;) {
      const [row] = await sql<{ sent: number }[]>`
        select count(*)::int as sent from notification_deliveries where state = 'sent'`;
      if (row?.sent === FOLLOWERS) return;
      if (performance.now() > until) throw new Error(`${row?.sent} of ${FOLLOWERS} were told in time`);
      await pause(250);
    }
  };
  const telling = async () => {
    await ask("forget");
    await sql`update gameserver_live_metrics set status = 'offline', status_since = now(), last_asked_at = now(),
      next_poll_at = now() + interval '1 hour' where server_id = ${followed}`;
    version += 1;
    const began = performance.now();
    await recordEvent(db, {
      kind: "server_down",
      about: { server_id: followed },
      dedupe_key: `server_down:bench:${version}`,
    });
    let told = false;
    const all = untilTold().finally(() => (told = true));
    const pinging = new AbortController();
    const pings = ping(`${site.url}/livez`, pinging.signal, alive);
    const p99 = await keepBusy(pagesTelling, () => told);
    pinging.abort();
    await Promise.all([all, pings]);
    rounds.push((performance.now() - began) / 1000);
    const { arrived, refused } = await ask("report");
    const perBrowser = new Set(
      Map.groupBy(arrived, ({ to }) => to)
        .values()
        .map((messages) => messages.length),
    );
    if (refused > 0 || arrived.length !== FOLLOWERS || perBrowser.size !== 1) {
      throw new Error(`${arrived.length} messages for ${FOLLOWERS} followers, ${refused} that nobody could read`);
    }
    // Who was told is told again only after an hour.
    await sql`delete from notification_deliveries`;
    await sql`delete from notification_events`;
    await pause(1_000);
    return p99;
  };

  try {
    const passwordHash = await hashPassword(PASSWORD);
    await createUser(db, { email: EMAIL, passwordHash, locale: "en", emailVerified: true });
    const signedIn = await member.post("/login/", { intent: "login", email: EMAIL, password: PASSWORD });
    if (signedIn.status !== 302) throw new Error(`sign-in answered ${signedIn.status}`);
    for (const { endpoint, keys } of subscriptions) {
      const address = { endpoint, ...keys };
      const made = await registerTarget(db, SECRET, { kind: "push", identity: endpoint, address, locale: "en" });
      if (!made.ok) throw new Error(made.reason);
      const wish = await follow(db, made.target.target_id, { server_id: followed, kind: "server_down" });
      if (!wish.ok) throw new Error(wish.reason);
    }
    await sql`
      with more as (
        insert into notification_targets (kind, address_hash, address_sealed, locale)
        select kind, address_hash || n, address_sealed, locale
        from notification_targets, generate_series(2, ${FOLLOWERS / BROWSERS}::int) n returning target_id)
      insert into follows (target_id, kind, server_id) select target_id, 'server_down', ${followed} from more`;
    const idle = () => keepBusy(pagesIdle, (changes) => changes === CHANGES);
    await keepBusy([], (changes) => changes === CHANGES);
    const pairs = await measurePairs(telling, idle);
    const [own, other] = [percentile(pagesTelling, 0.99), percentile(pagesIdle, 0.99)];
    return [
      {
        claim: "P10",
        what: `a change to ${STREAMS} browsers, p99, while another game server's outage is told to ${FOLLOWERS} followers (in ${median(rounds).toFixed(0)} s) ÷ idle`,
        ...rowOfPairs(pairs, "ms"),
        floor: 3.5,
        goal: 2,
        better: "less",
      },
      rowOfAlive("P10", alive),
      {
        claim: "P10",
        what: `pages of visitors and of a member meanwhile, p99 of ${pagesTelling.length} ÷ idle (${other.toFixed(0)} ms)`,
        ours: `${own.toFixed(0)} ms`,
        value: own / other,
        unit: "",
        spread: spreadOf(pagesTelling.map((ms) => ms / other)),
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
