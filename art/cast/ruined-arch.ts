// A broken arch of great blocks on a ridge, with what is left of its colonnade.
import { type Point, polygon, shape } from "../outline.ts";
import { seeded } from "../random.ts";

/** Outlines of the ruin about `x`, standing on `ground`; the arch is nine units of `s` pixels high. */
export function ruinedArch(x: number, ground: (x: number) => number, s: number): string[] {
  const chance = seeded(88);
  const out: string[] = [];
  const y = ground(x) + 0.2 * s;
  const pier = (at: number, height: number, width: number, broken: boolean) => {
    const foot = Math.max(y, ground(x + at * s) + 0.4 * s);
    const top = Math.min(y, ground(x + at * s)) - height * s;
    out.push(shape("-.7,.3 -.62,-.5 .62,-.5 .7,.3", x + at * s, foot - 0.5 * s, width * s * 1.1, s));
    for (let edge = foot; edge > top; ) {
      const course = (0.62 + chance() * 0.3) * s;
      const half = (width * s * (0.96 + chance() * 0.12)) / 2;
      const off = (chance() - 0.5) * 0.12 * s;
      const [chipL, chipR] = [chance() < 0.3 ? 0.16 * s : 0, chance() < 0.3 ? 0.2 * s : 0];
      const middle = x + at * s + off;
      const last = broken && edge - course <= top;
      out.push(
        polygon([
          [middle - half, edge + 0.4 * s],
          [middle - half, edge - course + chipL + (last ? course * 0.7 : 0)],
          [middle - half + chipL, edge - course - (last ? 0.3 * s : 0)],
          [middle + half - chipR, edge - course + (last ? 0.25 * s : 0)],
          [middle + half, edge - course + chipR + (last ? course * 0.5 : 0)],
          [middle + half, edge + 0.4 * s],
        ]),
      );
      edge -= course;
    }
  };
  const spring = y - 4.6 * s;
  pier(-3, 4.4, 1.9, false);
  pier(3, 4.4, 1.9, false);
  out.push(shape("-1.25,0 -1.15,-.5 1.15,-.5 1.25,0", x - 3 * s, spring + 0.25 * s, s));
  out.push(shape("-1.25,0 -1.15,-.5 1.15,-.5 1.25,0", x + 3 * s, spring + 0.25 * s, s));
  const stone = (from: number, to: number, inner: number, outer: number) => {
    const p = (degrees: number, r: number): Point => {
      const a = (degrees * Math.PI) / 180;
      return [x + Math.cos(a) * r * s, spring - Math.sin(a) * r * 1.06 * s];
    };
    out.push(polygon([p(from, inner), p(from, outer), p(to, outer), p(to, inner)]));
  };
  const stones = 13;
  const span = 180 / stones;
  for (let i = 0; i < stones; i++) {
    if (i === 5 || i === 6) continue;
    stone(i * span - 0.3, (i + 1) * span + 0.3, 2.05 + chance() * 0.14, 3.85 + chance() * 0.34);
  }
  stone(5 * span, 5.5 * span, 2.1, 3.1);
  stone(6.6 * span, 7 * span, 2.2, 3.5);
  // The keystone and a course of the arch lie where they fell.
  out.push(shape("-.6,.5 -.5,-.5 .35,-.75 .8,-.1 .75,.5", x - 0.6 * s, y - 0.1 * s, s));
  out.push(shape("-.5,.5 -.7,-.1 .1,-.5 .6,.1 .5,.5", x + 0.9 * s, y, s));
  pier(-7.2, 3, 1.35, true);
  pier(7.5, 5.6, 1.4, true);
  const fallen = x - 10.4 * s;
  out.push(shape("-1.6,.6 -1.9,-.1 1.3,-1.5 1.7,-.7", fallen, ground(fallen) + 0.2 * s, s));
  return out;
}
