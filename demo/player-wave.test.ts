import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PlayerWave, playersAt } from "./player-wave.ts";

const HALF_MINUTE_MS = 30_000;
const DAY_MS = 86_400_000;
/** A Monday, 00:00 UTC. */
const MONDAY = Date.UTC(2026, 10, 16);

const waves: PlayerWave[] = [1, 2, 3, 77].flatMap((seed) =>
  [
    { max: 500, busy: 0.9 },
    { max: 60, busy: 0.7 },
    { max: 10, busy: 0.6 },
  ].map((size) => ({ seed, utcOffsetMinutes: 60, ...size })),
);

/** The mean of players in an hour of the day, over days from a Monday on. */
function meanAround(wave: PlayerWave, localHour: number, days: number[]): number {
  const counts = days.flatMap((day) =>
    Array.from({ length: 60 }, (_, minute) =>
      playersAt(wave, MONDAY + day * DAY_MS + (localHour * 60 - wave.utcOffsetMinutes + minute) * 60_000),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0) / counts.length;
}

describe("pretend players", () => {
  it("are whole, never below 0 and never above the maximum, and at most three come or go in half a minute", () => {
    for (const wave of waves) {
      let before = playersAt(wave, MONDAY);
      // Eight days, so that every hour of the week and both ends of the weekend are in it.
      for (let at = MONDAY; at < MONDAY + 8 * DAY_MS; at += HALF_MINUTE_MS) {
        const now = playersAt(wave, at);
        assert.ok(Number.isInteger(now) && now >= 0 && now <= wave.max, `${now} of ${wave.max}`);
        assert.ok(Math.abs(now - before) <= 3, `${before} to ${now} at ${new Date(at).toISOString()}`);
        before = now;
      }
    }
  });

  it("are more in the evening than in the morning", () => {
    for (const wave of waves) {
      const evening = meanAround(wave, 20, [0, 1, 2, 3]);
      const morning = meanAround(wave, 6, [0, 1, 2, 3]);
      assert.ok(evening > 2 * morning, `${evening} in the evening, ${morning} in the morning`);
    }
  });

  it("are the same for the same seed and moment, and others for another seed", () => {
    const [first] = waves;
    assert.ok(first);
    const day = Array.from({ length: 200 }, (_, step) => MONDAY + step * 400_000);
    const counts = (wave: PlayerWave) => day.map((at) => playersAt(wave, at));
    assert.deepEqual(counts(first), counts({ ...first }));
    assert.notDeepEqual(counts(first), counts({ ...first, seed: first.seed + 1 }));
  });
});
