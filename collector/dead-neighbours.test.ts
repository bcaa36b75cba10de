/** Many dead game servers at one address: the living ones beside them keep their interval. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWithoutFigures } from "#outside/game-query/answer.ts";
import { createBed } from "#tests/helpers/test-bed.ts";
import { pause } from "#tests/helpers/until.ts";
import type { Outside } from "./ask.ts";

const HOST = "play.example.org";
const DEAD = 20;
const LIVING = 3;
const FIRST_LIVING = 30_000;
/** How long one takes that keeps silent. */
const SILENT_MS = 400;
const INTERVAL_S = 1;
const FOR_MS = 2_500;

test("living game servers at an address of many dead ones keep their interval, and the dead take turns", async (context) => {
  const bed = await createBed();
  context.after(async () => {
    await bed.clear();
    await bed.end();
  });
  const asked = new Map<number, number[]>();
  const query: Outside["query"] = async (_, { port }) => {
    asked.set(port, [...(asked.get(port) ?? []), performance.now()]);
    if (port >= FIRST_LIVING) return { ok: true, latencyMs: 5, answer: { ...answerWithoutFigures, players: 3 } };
    await pause(SILENT_MS);
    return { ok: false, latencyMs: SILENT_MS, failure: "no_reply" };
  };
  const resolver: Outside["resolver"] = {
    resolve: async ({ port }) => ({ ok: true, address: "198.51.100.7", port: port ?? 1, family: 4 }),
  };
  for (let i = 0; i < DEAD; i++) await bed.addServer({ host: HOST, game_port: 2000 + i });
  for (let i = 0; i < LIVING; i++) await bed.addServer({ host: HOST, game_port: FIRST_LIVING + i });
  // Dead for long, as far as anybody knows.
  await bed.sql`UPDATE gameserver_live_metrics m SET status = 'degraded', failures_in_row = 2, failure = 'no_reply', last_asked_at = now()
    FROM gameserver g WHERE g.server_id = m.server_id AND g.game_port < ${FIRST_LIVING}`;
  await bed.start({ intervalS: INTERVAL_S, outside: { query, resolver } });
  await pause(FOR_MS);
  const end = performance.now();

  const longest = (ports: number[]) =>
    Math.max(
      ...ports.flatMap((port) => {
        const times = [...(asked.get(port) ?? []), end];
        return times.slice(1).map((at, place) => at - (times[place] ?? 0));
      }),
    );
  const living = Array.from({ length: LIVING }, (_, place) => FIRST_LIVING + place);
  const dead = Array.from({ length: DEAD }, (_, place) => 2000 + place);
  const turns = dead.map((port) => asked.get(port)?.length ?? 0);
  context.diagnostic(
    `longest between two questions to a living one: ${Math.round(longest(living))} ms; living asked ${living.map((port) => asked.get(port)?.length ?? 0)} times, dead ${turns}`,
  );
  for (const port of living) assert.ok(asked.has(port), `${port} was never asked`);
  assert.ok(longest(living) < INTERVAL_S * 1.8 * 1_000, `${longest(living)}`);
  assert.ok(Math.max(...turns) - Math.min(...turns) <= 1, `${turns}`);
});
