/**
 * N12: one address with 700 connections, or 250 /64s of one IPv6 /48 with 750, asks for a page that is rendered each time, again
 * as soon as it is answered. Meanwhile
 * others' pages, sign-ins, messages and an admin's acts, from other addresses: how many are answered, and how long they take.
 * And what a made-up session cookie costs: the dashboard with it ÷ with a cookie of another name, which the stranger's program
 * makes up and sends in the same way.
 */
import { setTimeout as pause } from "node:timers/promises";
import { gatherCrowd, type Kind, startFlood } from "#tests/helpers/network/beside-flood.ts";
import { type Pairs, pairsWanted, percentile, rowOfPairs, spreadOf } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";
import { startSite } from "./instruments/site-process.ts";

const SECRET = "a secret of the bench, as long as it has to be";
const FLOODER = "127.0.0.2";
/** The addresses of the second flood are what a proxy in front would say. */
const FLOODS = [
  { name: "700 connections of one address", connections: 700 },
  {
    name: "750 connections of 250 /64s",
    connections: 750,
    forwarded: Array.from({ length: 250 }, (_, n) => `2001:db8:7:${n.toString(16)}::1`),
  },
];
const SECONDS = 9;
/** Of the right form, with a seal that nobody made; `{n}` is another text at each request. */
const junk = (name: string, token: string) => `${name}=${token}.${"B".repeat(43)}%3D`;
const SAME_TOKEN = "A".repeat(43);
const NEW_TOKEN = `{n}${"A".repeat(35)}`;

export async function measure(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const flood of FLOODS) for (const workers of [1, 2]) rows.push(...(await beside(flood, workers)));
  rows.push(...(await junkCookies()));
  return rows;
}

async function beside({ name, ...order }: (typeof FLOODS)[number], workers: number): Promise<Row[]> {
  const site = await startSite({ env: { TRUST_PROXY: "1", AUTH_SECRET: SECRET, WEB_WORKERS: String(workers) } });
  try {
    const act = await gatherCrowd({ port: site.port, database: site.database, secret: SECRET });
    const quiet = await act(3);
    const flood = await startFlood({
      port: site.port,
      path: "/login/",
      localAddress: FLOODER,
      ...order,
    });
    await pause(500);
    const flooded = await act(SECONDS);
    const { statuses, seconds } = await flood.stop();
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0) / seconds;
    const rows: Row[] = [];
    for (const kind of Object.keys(flooded) as Kind[]) {
      const { asked, answered, times } = flooded[kind];
      const where = `${kind} beside ${name} (${answers.toFixed(0)} answers/s), ${workers} web process${workers > 1 ? "es" : ""}`;
      rows.push({
        claim: "N12",
        what: `answered: ${where}`,
        ours: `${answered} of ${asked}`,
        value: (100 * answered) / asked,
        unit: " %",
        floor: 100,
        goal: 100,
        better: "more",
      });
      rows.push({
        claim: "N12",
        what: `p95 of them`,
        ours: `${percentile(times, 0.5).toFixed(0)} ms median`,
        baseline: `${percentile(quiet[kind].times, 0.95).toFixed(0)} ms without the flood`,
        value: percentile(times, 0.95),
        unit: " ms",
        spread: spreadOf(times),
        floor: 1_000,
        goal: 300,
        better: "less",
      });
    }
    return rows;
  } finally {
    await site.stop();
  }
}

async function junkCookies(): Promise<Row[]> {
  const site = await startSite({ env: { TRUST_PROXY: "0", AUTH_SECRET: SECRET } });
  /** Both in turns of a tenth of a second over the same connections, so that neither meets another moment of the machine. */
  const measure = async (cookies: string[]) => {
    const flood = await startFlood({
      port: site.port,
      path: "/dashboard",
      localAddress: FLOODER,
      connections: 50,
      cookies,
    });
    await pause(SECONDS * 1000);
    const { byCookie, seconds } = await flood.stop();
    return byCookie.map((answers) => (answers * cookies.length) / seconds);
  };
  try {
    await measure([junk("spawnpoint_another", SAME_TOKEN)]);
    const rows: Row[] = [];
    for (const [name, token] of [
      ["one and the same", SAME_TOKEN],
      ["always a new one", NEW_TOKEN],
    ] as const) {
      const pairs: Pairs = { ours: [], baseline: [], ratios: [] };
      for (let pair = 0; pair < pairsWanted(); pair += 1) {
        const [ours = 0, baseline = 0] = await measure([
          junk("spawnpoint_session", token),
          junk("spawnpoint_another", token),
        ]);
        pairs.ours.push(ours);
        pairs.baseline.push(baseline);
        pairs.ratios.push(ours / baseline);
      }
      rows.push({
        claim: "N12",
        what: `the dashboard with a made-up session cookie, ${name} ÷ with one of another name`,
        ...rowOfPairs(pairs, "/s"),
        floor: 0.9,
        goal: 1,
        better: "more",
      });
    }
    return rows;
  } finally {
    await site.stop();
  }
}
