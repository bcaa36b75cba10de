// Seeded chance: the same seed gives the same picture on every machine.

/** A generator of numbers in [0, 1) (mulberry32), fixed by its seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function lattice(seed: number, i: number): number {
  let h = Math.imul(i ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2147483648 - 1;
}

/** Smooth one-dimensional noise in -1..1, one feature per unit of x. */
function smoothNoise(seed: number): (x: number) => number {
  return (x) => {
    const i = Math.floor(x);
    const f = x - i;
    const s = f * f * f * (f * (f * 6 - 15) + 10);
    return lattice(seed, i) * (1 - s) + lattice(seed, i + 1) * s;
  };
}

/** Several octaves of smooth noise, about -1..1; `roughness` is how much of each finer octave remains (0..1). */
export function fractalNoise(seed: number, octaves: number, roughness: number): (x: number) => number {
  const layers = Array.from({ length: octaves }, (_, o) => smoothNoise(seed * 31 + o * 7 + 1));
  const total = layers.reduce((sum, _, o) => sum + roughness ** o, 0);
  return (x) => layers.reduce((sum, noise, o) => sum + noise(x * 2 ** o + o * 17.3) * roughness ** o, 0) / total;
}
