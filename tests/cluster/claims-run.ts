/** A program, in namespaces of its own: builds the site in the folder that it is given, checks every claim, tears it down. */
import { rmSync } from "node:fs";
import { startClaims } from "./claims.ts";
import { checkCollectors } from "./collectors.ts";
import { checkCutOff } from "./cut-off.ts";
import { checkDelivery } from "./delivery.ts";
import { checkFailover } from "./failover.ts";
import { checkMembers } from "./members.ts";
import { checkRollingRestart } from "./restart.ts";
import { buildSite } from "./site.ts";

const folder = process.argv[2] ?? "";
// In namespaces of our own we are the first process; anywhere else this would lay its network over the machine's.
if (process.pid !== 1 || folder === "") throw new Error("this is started by tests/cluster/run.ts");
// Whoever started us is gone: so are we, and with us all namespaces and what runs in them.
const leave = () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
};
process.stdin.on("end", leave).on("error", leave).resume();

const claims = startClaims();
const began = performance.now();
/** Some of the parts below, by name with commas between. */
const only = process.env.ONLY?.split(",");

const site = await buildSite(folder, (line) => console.log(line)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
console.log(`built in ${Math.round((performance.now() - began) / 1000)} s\n`);
let heard = site.haproxy.output().split("\n").length;
const parts = {
  members: checkMembers,
  delivery: checkDelivery,
  collectors: checkCollectors,
  restart: checkRollingRestart,
  "cut off": checkCutOff,
  failover: checkFailover,
};
for (const [name, check] of Object.entries(parts)) {
  if (only && !only.includes(name)) continue;
  const started = performance.now();
  await check(site, claims).catch((error: unknown) => {
    claims.hold(name, false, error instanceof Error ? (error.stack ?? error.message) : String(error));
    for (const { machine, output } of [...site.webs, ...site.collectors, site.haproxy])
      console.log(`--- ${machine.name}\n${output().slice(-1500)}`);
  });
  const said = site.haproxy
    .output()
    .split("\n")
    .slice(heard)
    .filter((line) => /^Server .* is DOWN/.test(line));
  for (const line of said) claims.note(line.slice(0, 160));
  heard = site.haproxy.output().split("\n").length;
  claims.note(`(${name}: ${Math.round((performance.now() - started) / 1000)} s)\n`);
}
await site.stop();
const { passed, failed } = claims.counts();
console.log(`all in ${Math.round((performance.now() - began) / 1000)} s`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
