// Small figures that give a place its size: somebody who stands, walks with a staff, keeps watch.
import { ellipse, limbAt, shape } from "../outline.ts";

/** Somebody on foot, `s` pixels tall, standing at (x, y), looking right (`dir` 1) or left. */
export function person(
  x: number,
  y: number,
  s: number,
  dir: 1 | -1 = 1,
  carries: "nothing" | "staff" | "rifle" | "cloak" = "nothing",
): string[] {
  const at = (text: string) => limbAt(text, x, y, s * dir, s, 6);
  const out = [
    ellipse(x + 0.015 * s * dir, y - 0.92 * s, 0.062 * s, 0.075 * s),
    at("0,-.84,.14 .005,-.74,.24 0,-.6,.22 -.005,-.45,.2"),
    at("-.04,-.48,.12 -.07,-.24,.09 -.1,.01,.075"),
    at(".04,-.48,.12 .07,-.24,.09 .07,.01,.075"),
    at("-.1,-.8,.08 -.15,-.62,.07 -.11,-.45,.055"),
  ];
  if (carries === "cloak")
    out.push(shape("-.1,-.85 .09,-.85 .15,-.5 .12,-.08 -.05,-.12 -.24,-.02 -.17,-.5", x, y, s * dir, s));
  if (carries === "staff" || carries === "cloak")
    out.push(at(".1,-.78,.07 .2,-.66,.06 .24,-.6,.05"), at(".25,-1.15,.03 .24,-.6,.032 .22,.02,.03"));
  else if (carries === "rifle")
    out.push(at(".08,-.78,.08 .17,-.64,.07 .05,-.58,.05"), at("-.16,-.5,.07 .05,-.62,.05 .42,-.86,.026"));
  else out.push(at(".1,-.8,.08 .15,-.62,.07 .13,-.45,.055"));
  return out;
}
