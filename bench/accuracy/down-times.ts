/** N9: the down time that history counts ÷ what was true, over 100 outages of 30 s to 10 min, by the real rules. */
import { type Span as CountedSpan, downtimeOf, lengthOf } from "#domain/game-servers/downtime.ts";
import type { Row } from "../instruments/row.ts";
import { createDice } from "./dice.ts";
import { EPOCH, watch } from "./watcher.ts";
import { makeWorld, type Span, type World } from "./world.ts";

/** Each seed is 100 outages; the figure is their middle one. `BENCH_SEED` begins elsewhere. */
const SEED = Number(process.env.BENCH_SEED ?? 1);
const SEEDS = 5;
const SERVERS = 100;
const LOSS = 0.05;
const BEGINS = 20 * 60_000;
const SHORTEST = 30_000;
const LONGEST = 600_000;

export async function measure(): Promise<Row[]> {
  const ratios: number[] = [];
  for (let seed = SEED; seed < SEED + SEEDS; seed++) ratios.push((await countDownTime(outagesWorld(seed))).ratio);
  const sorted = ratios.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(SEEDS / 2)] ?? Number.NaN;
  const off = sorted.map((ratio) => Math.abs(ratio - 1) * 100).toSorted((a, b) => a - b);
  return [
    {
      claim: "N9",
      what: `down time in history ÷ true down time, off by, 100 outages of 30 s to 10 min, seeds ${SEED} to ${SEED + SEEDS - 1}`,
      ours: `${median.toFixed(3)} (${sorted.map((ratio) => ratio.toFixed(3)).join(", ")})`,
      value: Math.abs(median - 1) * 100,
      unit: " %",
      spread: [off[0] ?? 0, off.at(-1) ?? 0],
      floor: 5,
      goal: 2,
      better: "less",
    },
  ];
}

/** A world with nothing but one outage of each game server. */
export function outagesWorld(seed: number): World {
  const world = makeWorld({ seed, loss: LOSS, servers: SERVERS, hours: 1.5, own: "none" });
  const dice = createDice(seed + 3);
  for (const server of world.servers) {
    const from = BEGINS + dice.between(0, world.forMs / 2);
    const span: Span = [from, from + dice.between(SHORTEST, LONGEST)];
    const how = dice.pick(["refuses", "silent", "silent", "hangs"] as const);
    Object.assign(server, { intervalMs: world.siteIntervalMs, address: `10.1.0.${server.id}`, nameLost: [] });
    server.host = server.address;
    server.outages = [{ span, how, somebodyWaits: dice.happens(0.4) }];
  }
  return world;
}

/** What history would count of a world, and what was true; ms. */
export async function countDownTime(world: World): Promise<{ counted: number; truly: number; ratio: number }> {
  const { changes } = await watch(world);
  const bySaid = Map.groupBy(changes, ({ serverId }) => serverId);
  let counted = 0;
  let truly = 0;
  for (const { id, outages } of world.servers) {
    const events = (bySaid.get(id) ?? []).map(({ event }) => event);
    const whole: CountedSpan = [EPOCH, EPOCH + world.forMs];
    counted += lengthOf(downtimeOf(events, [], ...whole).down);
    truly += outages.reduce((sum, { span: [from, to] }) => sum + to - from, 0);
  }
  return { counted, truly, ratio: counted / truly };
}
