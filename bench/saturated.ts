/**
 * P10: members ask for pages faster than they can be rendered. Meanwhile: how long a change takes to 200 browsers, p99, ÷ when
 * nobody asks; and how long /livez takes, p99.
 */
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createUser } from "#domain/members/users.ts";
import { hashPassword } from "#domain/sign-in/passwords.ts";
import { createBrowser } from "#tests/helpers/browser.ts";
import type { LoadOrder } from "./instruments/page-load.ts";
import { measurePairs, percentile, rowOfPairs, spreadOf } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";
import { changeOneRow, startBaseline, startSite } from "./instruments/site-process.ts";
import { openStreamReaders } from "./instruments/stream-readers.ts";

const STREAMS = 200;
const CONNECTIONS = 30;
const CHANGES = 20;
const PASSWORD = "a lamp in the harbour";
const EMAIL = "member@example.org";

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  const load = await startBaseline("page-load.ts");
  const { db } = site.database;
  await createUser(db, { email: EMAIL, passwordHash: await hashPassword(PASSWORD), locale: "en", emailVerified: true });
  const browser = createBrowser(site.url);
  const signedIn = await browser.post("/login/", { intent: "login", email: EMAIL, password: PASSWORD });
  if (signedIn.status !== 302) throw new Error(`sign-in answered ${signedIn.status}`);
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const readers = await openStreamReaders(site.port, STREAMS);
  const alive: number[] = [];
  const pages: number[] = [];
  let version = 0;

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
  const saturated = async () => {
    load.child.send({
      url: `${site.url}/dashboard`,
      headers: { cookie },
      connections: CONNECTIONS,
    } satisfies LoadOrder);
    await pause(1_000);
    const pinging = new AbortController();
    const pings = ping(`${site.url}/livez`, pinging.signal, alive);
    const p99 = await deliver();
    pinging.abort();
    await pings;
    const done = once(load.child, "message");
    load.child.send("stop");
    const [result] = (await done) as [{ pages: number; others: number; seconds: number }];
    if (result.others > 0) throw new Error(`${result.others} pages were not answered`);
    pages.push(result.pages / result.seconds);
    await pause(300);
    return p99;
  };
  try {
    await deliver();
    const pairs = await measurePairs(saturated, deliver);
    return [
      {
        claim: "P10",
        what: `a change to ${STREAMS} browsers, p99, while ${CONNECTIONS} members have pages rendered without a pause (${percentile(pages, 0.5).toFixed(0)}/s) ÷ idle`,
        ...rowOfPairs(pairs, "ms"),
        floor: 4,
        goal: 2,
        better: "less",
      },
      {
        claim: "P10",
        what: `/livez meanwhile, p99 of ${alive.length}`,
        ours: `${percentile(alive, 0.5).toFixed(0)} ms median`,
        value: percentile(alive, 0.99),
        unit: " ms",
        spread: spreadOf(alive),
        floor: 250,
        goal: 100,
        better: "less",
      },
    ];
  } finally {
    await readers.close();
    await load.stop();
    await site.stop();
  }
}

/** Asks every 20 ms over one connection and notes the milliseconds. */
async function ping(url: string, signal: AbortSignal, times: number[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  while (!signal.aborted) {
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(url, { agent }, (response) => response.resume().on("end", resolve)).on("error", reject);
    });
    times.push(performance.now() - began);
    await pause(20);
  }
  agent.destroy();
}
