/** Preloaded into a process (`node --import`): its clock runs ahead by the milliseconds in the file TEST_CLOCK_AHEAD. */
import { readFileSync } from "node:fs";

const LOOK_MS = 20;
const file = process.env.TEST_CLOCK_AHEAD ?? "";
const real = Date;
let ahead = 0;

const look = () => {
  ahead = Number(readFileSync(file, "utf8"));
};
const now = () => real.now() + ahead;
look();
setInterval(look, LOOK_MS).unref();

globalThis.Date = new Proxy(real, {
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  apply: () => new real(now()).toString(),
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
});
