import { limbAt } from "../outline.ts";

/** The giant, facing left; (x, y) is the ground under its belly, about 13 by 8 units of `s` pixels. */
export function sauropod(x: number, y: number, s: number, dir = -1): string[] {
  const m = (text: string) => limbAt(text, x, y, s * dir, s, 12);
  return [
    m(
      "-7.4,-1.2,.06 -6.2,-1.15,.2 -4.8,-1.7,.42 -3.4,-2.35,.85 -2.0,-2.75,1.55 -.7,-2.85,2.0 .7,-2.75,1.95 1.8,-3.05,1.5 2.6,-3.95,.95 3.15,-5.15,.66 3.6,-6.35,.52 4.1,-7.2,.44 4.6,-7.48,.34",
    ),
    m("4.25,-7.34,.3 4.62,-7.56,.48 5.1,-7.5,.5 5.5,-7.3,.36 5.8,-7.16,.26 5.9,-7.12,.04"),
    m("-1.5,-2.6,1.3 -1.75,-1.5,.95 -1.62,-.6,.6 -1.68,.15,.66"),
    m("-.7,-2.4,1.1 -.6,-1.3,.74 -.42,-.5,.52 -.42,.0,.58"),
    m("1.5,-2.6,1.1 1.62,-1.4,.8 1.5,-.6,.56 1.52,.15,.62"),
    m(".85,-2.4,.9 .72,-1.3,.66 .95,-.5,.48 1.0,.0,.54"),
  ];
}

/** Two of them, small and far, heading right. */
export function herd(x: number, y: number, s: number): string[] {
  return [...sauropod(x, y, s, 1), ...sauropod(x + 9 * s, y + 4, s * 0.7, 1)];
}
