/** All web machines restarted one after the other under load, as an upgrade does it. */
import { type Claims, seconds } from "./claims.ts";
import { follow } from "./follower.ts";
import { startLoad, tellTally } from "./load.ts";
import { until } from "./programs.ts";
import { type Site, untilReady } from "./site.ts";

const FOLLOWERS = 30;

export async function checkRollingRestart(site: Site, claims: Claims): Promise<void> {
  const load = await startLoad(site, "reader@example.org");
  const followers = Array.from({ length: FOLLOWERS }, () => follow(site.visitor(), site.door));
  await until("all follow", 60_000, () => followers.every((one) => one.isOpen()));
  const probe = site.visitor();
  const stops: number[] = [];
  let readinessFirst = 0;
  for (const web of site.webs) {
    const stopping = web.stop();
    // It may take the signal late on a busy machine, but it may not refuse anybody before it has said so.
    await until("not ready", 10_000, async () => (await probe.get(web.door, "/readyz")).status === 503);
    if ((await probe.get(web.door, "/")).status === 200) readinessFirst += 1;
    stops.push(await stopping);
    web.start();
    await untilReady(web);
    await until("the balancer sees it", 60_000, async () => {
      return (await site.haproxy.states()).get(`web/${web.machine.name}`) === "UP";
    });
  }
  await until("all follow again", 60_000, () => followers.every((one) => one.isOpen()));
  await load.stop();
  const farewells = followers.reduce((sum, one) => sum + one.farewells(), 0);
  const losses = followers.reduce((sum, one) => sum + one.losses(), 0);
  for (const one of followers) one.stop();

  claims.hold(
    "a machine that stops says so first, and answers on",
    readinessFirst === site.webs.length,
    `${readinessFirst} of 3 gave 503 for /readyz and 200 for /; gone after ${stops.map(seconds).join(", ")}`,
  );
  const all = [load.pages, load.members, load.writes];
  claims.hold(
    "rolling restart of all web machines under load: no request fails",
    all.every(({ failures, requests }) => failures.length === 0 && requests > 20),
    `pages ${tellTally(load.pages)}; members ${tellTally(load.members)}; writes ${tellTally(load.writes)}`,
  );
  claims.hold(
    "streams are told to come back, none is cut",
    losses === 0 && farewells >= FOLLOWERS,
    `${FOLLOWERS} browsers, ${farewells} farewells, ${losses} cuts`,
  );
}
