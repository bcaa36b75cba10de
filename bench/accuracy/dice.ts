/** Chance that is the same for the same seed. */

export type Dice = ReturnType<typeof createDice>;

/** Dice by Mulberry32 (Tommy Ettinger, public domain algorithm): 32 bits of state are plenty for a day of questions. */
export function createDice(seed: number) {
  let state = seed >>> 0;
  /** From 0 up to 1. */
  function roll(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    roll,
    happens: (chance: number): boolean => roll() < chance,
    between: (least: number, most: number): number => least + roll() * (most - least),
    /** Short ones as often as long ones: even in the logarithm. */
    length: (least: number, most: number): number => least * (most / least) ** roll(),
    /** A pause before what happens once in `mean` on average. */
    pause: (mean: number): number => -mean * Math.log(1 - roll()),
    pick<T>(from: readonly [T, ...T[]]): T {
      return from[Math.floor(roll() * from.length)] ?? from[0];
    },
  };
}
