/**
 * P10: members ask for pages faster than they can be rendered. Meanwhile: how long a change takes to 200 browsers, p99, ÷ when
 * nobody asks; and how long /livez takes, p99.
 */
import { setTimeout as pause } from "node:timers/promises";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { createBrowser } from "#tests/helpers/browser.ts";
import { createMarks, roundOfChanges } from "./instruments/change-round.ts";
import { measurePairs, percentile, rowOfPairs } from "./instruments/pairs.ts";
import { ping, rowOfAlive } from "./instruments/ping.ts";
import type { Row } from "./instruments/row.ts";
import { changeOneRow, startSite } from "./instruments/site-process.ts";
import { openStreamReaders } from "./instruments/stream-readers.ts";
import { startLoad } from "./instruments/wrk.ts";

const STREAMS = 200;
const CONNECTIONS = 30;
const CHANGES = 20;
const PASSWORD = "a lamp in the harbour";
const EMAIL = "member@example.org";

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  const { db } = site.database;
  await createUser(db, { email: EMAIL, passwordHash: await hashPassword(PASSWORD), locale: "en", emailVerified: true });
  const browser = createBrowser(site.url);
  const signedIn = await browser.post("/login/", { intent: "login", email: EMAIL, password: PASSWORD });
  if (signedIn.status !== 302) throw new Error(`sign-in answered ${signedIn.status}`);
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const readers = await openStreamReaders(site.port, STREAMS);
  const alive: number[] = [];
  const pages: number[] = [];
  const mark = createMarks();

  const deliver = () =>
    roundOfChanges(readers, mark, (text) => changeOneRow(site.database, text), { changes: CHANGES, restMs: 20 });
  const saturated = async () => {
    const members = startLoad({ url: `${site.url}/dashboard`, headers: { cookie }, connections: CONNECTIONS });
    await pause(1_000);
    const pinging = new AbortController();
    const pings = ping(`${site.url}/livez`, pinging.signal, alive);
    const p99 = await deliver();
    pinging.abort();
    await pings;
    members.stop();
    pages.push((await members.end).perSecond);
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
      rowOfAlive("P10", alive),
    ];
  } finally {
    await readers.close();
    await site.stop();
  }
}
