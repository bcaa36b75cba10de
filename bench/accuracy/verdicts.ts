/**
 * N8: 24 simulated hours of 200 game servers, watched by the real judge, schedule, settler and evidence. Packets get lost, our own
 * process stalls and is restarted, names are not found, the database's clock jumps, our network is cut, game servers
 * flap, hang and go down with their whole machine. Beside it, on the same worlds: what others' documented rules would have said.
 */
import type { Row } from "../instruments/row.ts";
import { PEERS, watchAs } from "./peers.ts";
import { percentile, type Score, score } from "./score.ts";
import { watch } from "./watcher.ts";
import { makeWorld, type WorldOptions } from "./world.ts";

/** Another day for another seed: `BENCH_SEED=7 npm run bench -- N8`. */
const SEED = Number(process.env.BENCH_SEED ?? 1);

const OUTPOSTS = ["seen from one place", "with one outpost", "with two outposts"];

export async function measure(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const loss of [0.05, 0.2]) rows.push(...(await measureDay({ seed: SEED, loss, own: "all" })));
  for (const outposts of [0, 1, 2])
    rows.push(...(await measureParted({ seed: SEED, loss: 0.05, own: "part", outposts })));
  return rows;
}

async function scoresOf(options: WorldOptions): Promise<{ ours: Score; peers: Score[] }> {
  const world = makeWorld(options);
  const { changes, waited } = await watch(world);
  return { ours: score(world, changes, waited), peers: PEERS.map((rule) => score(world, watchAs(rule, world))) };
}

async function measureDay(options: WorldOptions): Promise<Row[]> {
  const { ours, peers } = await scoresOf(options);
  const day = `of a day of 200 game servers, ${options.loss * 100} % loss, seed ${options.seed}`;
  const others = (read: (score: Score) => string) =>
    PEERS.map(({ name }, i) => `${name} ${read(peerOf(peers, i))}`).join(", ");
  const count = (
    what: string,
    read: (score: Score) => { length: number },
    bounds: Pick<Row, "floor" | "goal">,
  ): Row => ({
    claim: "N8",
    what: `${what}, ${day}`,
    ours: `of ${ours.offline} called offline`,
    baseline: others((one) => `${read(one).length} of ${one.offline}`),
    value: read(ours).length,
    unit: "",
    ...bounds,
    better: "less",
  });
  const time = (what: string, times: number[], read: (score: Score) => number[], floor: number, goal: number): Row => ({
    claim: "N8",
    what: `${what}, p95, ${day}`,
    ours: `${times.length} times, the longest ${inSeconds(Math.max(0, ...times))} s`,
    baseline: others((one) => `${inSeconds(percentile(read(one), 95))} s`),
    value: percentile(times, 95) / 1_000,
    unit: " s",
    floor,
    goal,
    better: "less",
  });
  return [
    count('false "offline": up all the time', (one) => one.falseOffline, { floor: 0, goal: 0 }),
    count("called offline when it had just come back", (one) => one.tooLate, {}),
    {
      ...count("outages of 90 s and more that were missed", (one) => one.missed, { floor: 0, goal: 0 }),
      ours: `of ${ours.outages} outages`,
      baseline: others((one) => `${one.missed.length} of ${one.outages}`),
    },
    time("an outage is known after", ours.toKnow, (one) => one.toKnow, 75, 60),
    time("a return is seen after, while somebody waits", ours.backWaited, (one) => one.backElse, 10, 5),
    time("a return is seen after, otherwise", ours.backElse, (one) => one.backElse, 60, 30),
  ];
}

/**
 * Half of the addresses or fewer: from one place that cannot be told from outages of theirs, one outpost alone delays a
 * verdict by two minutes and never decides, and of two one may lose its packets at the wrong moment; so this has no floor.
 */
async function measureParted(options: WorldOptions): Promise<Row[]> {
  const { ours, peers } = await scoresOf(options);
  const count = ({ falseOffline, offline }: Score) => `${falseOffline.length} of ${offline}`;
  return [
    {
      claim: "N8",
      what: `false "offline" where our network loses 5 to 40 % of the addresses, again and again, ${OUTPOSTS[options.outposts ?? 0]}, seed ${options.seed}`,
      ours: count(ours),
      baseline: PEERS.map(({ name }, i) => `${name} ${count(peerOf(peers, i))}`).join(", "),
      value: ours.falseOffline.length,
      unit: "",
      better: "less",
    },
    {
      claim: "N8",
      what: `an outage is known after, p95, the same, seed ${options.seed}`,
      ours: `${ours.toKnow.length} times, the longest ${inSeconds(Math.max(0, ...ours.toKnow))} s; ${ours.missed.length} of ${ours.outages} missed`,
      value: percentile(ours.toKnow, 95) / 1_000,
      unit: " s",
      floor: 75,
      goal: 60,
      better: "less",
    },
  ];
}

function peerOf(peers: Score[], i: number): Score {
  const found = peers[i];
  if (!found) throw new Error("a rule was not watched by");
  return found;
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);
