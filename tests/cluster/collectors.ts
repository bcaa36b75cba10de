/** Two collectors, one killed, one cut off: each game server goes on to be asked once an interval. */
import { setTimeout as pause } from "node:timers/promises";
import { type Claims, ms, quantile, seconds } from "./claims.ts";
import { GAME_SERVERS, INTERVAL_S, type Site } from "./site.ts";
import { openDoor } from "./visitor.ts";

const INTERVAL_MS = INTERVAL_S * 1000;
const QUIET_MS = 3 * INTERVAL_MS;
const FAULT_MS = 4 * INTERVAL_MS;

export async function checkCollectors(site: Site, claims: Claims): Promise<void> {
  const [one, two] = site.collectors;
  if (!one || !two) throw new Error("there are two");
  await pause(INTERVAL_MS);
  const phases: { name: string; from: number; to: number }[] = [];
  async function phase(name: string, lengthMs: number) {
    const from = Date.now();
    await pause(lengthMs);
    phases.push({ name, from, to: Date.now() });
  }
  await phase("both", QUIET_MS);
  await one.kill();
  await phase("one killed", FAULT_MS);
  one.start();
  await phase("both again", QUIET_MS);
  two.machine.cutOff();
  await phase("the other cut off", FAULT_MS);
  two.machine.mend();
  await phase("both once more", QUIET_MS);

  const [first] = phases;
  const games = openDoor(site.games.machine.address, 8080, "http://games", null);
  const asked: number[][] = JSON.parse((await site.visitor().get(games, "/")).text);
  const until = phases.at(-1)?.to ?? 0;
  const times = asked.map((list) => list.filter((at) => at >= (first?.from ?? 0) && at <= until));
  const gaps = times.flatMap((list) => list.slice(1).map((at, index) => ({ at, gap: at - (list[index] ?? at) })));
  for (const { name, from, to } of phases) {
    const here = gaps.filter(({ at }) => at >= from && at < to).map(({ gap }) => gap);
    const inside = times.flat().filter((at) => at >= from && at < to).length;
    claims.note(
      `${name}: ${inside} questions, ${((GAME_SERVERS * (to - from)) / INTERVAL_MS).toFixed(0)} turns; gaps median ${ms(quantile(here, 0.5))}, longest ${seconds(Math.max(...here))}`,
    );
  }
  const twice = gaps.filter(({ gap }) => gap < INTERVAL_MS / 2).length;
  const longest = Math.max(...gaps.map(({ gap }) => gap));
  const total = times.flat().length;
  const turns = (GAME_SERVERS * (until - (first?.from ?? 0))) / INTERVAL_MS;
  claims.hold(
    "each game server is asked once an interval, whatever happens to collectors",
    // What a collector had asked and could not write any more is asked again by the other one.
    twice <= 4 && Math.abs(total / turns - 1) < 0.03,
    `${total} questions in ${Math.round(turns)} turns, ${twice} twice in one turn`,
  );
  claims.hold(
    "no game server is left alone: a collector's claims end 10 to 15 s after it fell silent",
    longest <= INTERVAL_MS + 15_500,
    `longest gap ${seconds(longest)} at an interval of ${INTERVAL_S} s`,
  );
  const [offline] = await site.database.sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM gameserver_status_event WHERE to_status IN ('offline', 'degraded')`;
  claims.hold(
    "and none is called down for a collector's sake",
    offline?.n === 0,
    `${offline?.n} status events to degraded or offline`,
  );
}
