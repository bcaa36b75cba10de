/** A web machine whose cable is pulled, and one that loses its way to the database alone; both come back by themselves. */
import { setTimeout as pause } from "node:timers/promises";
import { type Claims, seconds } from "./claims.ts";
import { startEditing } from "./delivery.ts";
import { follow } from "./follower.ts";
import { PAGE_LOOPS, startLoad, tellTally } from "./load.ts";
import { until } from "./programs.ts";
import { type Site, untilReady } from "./site.ts";

const FOLLOWERS = 30;
const AWAY_MS = 25_000;
const LIMIT_MS = 90_000;

export async function checkCutOff(site: Site, claims: Claims): Promise<void> {
  const edit = await startEditing(site, await site.admin());
  await pullCable(site, claims, edit);
  await loseDatabase(site, claims, edit);
}

type Edit = (by: number, name: string) => Promise<void>;

async function pullCable(site: Site, claims: Claims, edit: Edit): Promise<void> {
  const [, web] = site.webs;
  if (!web) throw new Error("there are three");
  const followers = Array.from({ length: FOLLOWERS }, () => follow(site.visitor(), site.door));
  await until("all follow", 60_000, () => followers.every((one) => one.isOpen()));
  const load = await startLoad(site, "watcher@example.org");
  await pause(1_000);

  web.machine.cutOff();
  const began = performance.now();
  const noticed = await until("the balancer sees it", 30_000, async () => {
    return (await site.haproxy.states()).get(`web/${web.machine.name}`)?.startsWith("DOWN") ?? false;
  });
  await edit(0, "Changed while one is cut off");
  const all = () =>
    followers.every(({ rows }) => [...rows.values()].some(({ version }) => version === "Changed while one is cut off"));
  await until("every browser has what was changed meanwhile", LIMIT_MS, all);
  const streamsMs = performance.now() - began;
  const cut = followers.filter((one) => one.losses() > 0).length;
  await pause(Math.max(0, AWAY_MS - (performance.now() - began)));
  web.machine.mend();
  const readyMs = await untilReady(web, LIMIT_MS);
  await until(
    "the balancer sees it again",
    15_000,
    async () => (await site.haproxy.states()).get(`web/${web.machine.name}`) === "UP",
  );
  await edit(0, "Changed after it came back");
  const back = follow(site.visitor(), web.door);
  const current = await until("a stream at it tells the newest", 10_000, () =>
    [...back.rows.values()].some(({ version }) => version === "Changed after it came back"),
  );
  const differs = await differences(site, [...followers, back]);
  await load.stop();
  for (const one of [...followers, back]) one.stop();

  claims.note(
    `while it is cut off: pages ${tellTally(load.pages)}; members ${tellTally(load.members)}; writes ${tellTally(load.writes)}`,
  );
  claims.note(`${cut} of ${FOLLOWERS} browsers were at it; the balancer looked away after ${seconds(noticed)}`);
  claims.hold(
    "a web machine's cable is pulled: its browsers go elsewhere, and have what was changed meanwhile, within 30 s",
    streamsMs <= 30_000,
    `all ${FOLLOWERS} after ${seconds(streamsMs)}`,
  );
  claims.hold(
    `the machine is back by itself within 30 s after ${AWAY_MS / 1000} s without a cable, and its streams are current`,
    readyMs <= 30_000 && current <= 5_000,
    `ready after ${seconds(readyMs)}, a new stream at it current after ${seconds(current)}`,
  );
  claims.hold("every browser ends with what the database says", differs === 0, `${differs} of ${FOLLOWERS + 1} differ`);
  claims.hold(
    "visitors' pages while it is cut off: none fails but what was just being answered there",
    load.pages.failures.length <= PAGE_LOOPS / site.webs.length,
    tellTally(load.pages),
  );
}

async function loseDatabase(site: Site, claims: Claims, edit: Edit): Promise<void> {
  const web = site.webs[2];
  if (!web) throw new Error("there are three");
  const followers = Array.from({ length: 10 }, () => follow(site.visitor(), web.door));
  await until("all follow", 60_000, () => followers.every((one) => one.isOpen()));
  web.machine.loseWayTo(site.entry);
  const began = performance.now();
  const noticed = await until("the balancer sees it", 30_000, async () => {
    return (await site.haproxy.states()).get(`web/${web.machine.name}`)?.startsWith("DOWN") ?? false;
  });
  await edit(0, "Changed while it is blind");
  const reader = site.visitor();
  let pages = 0;
  let failed = 0;
  while (performance.now() - began < AWAY_MS) {
    const { status } = await reader.get(web.door, "/").catch(() => ({ status: 0 }));
    pages += 1;
    if (status !== 200) failed += 1;
    await pause(100);
  }
  web.machine.findWayTo(site.entry);
  const mended = performance.now();
  await until("its streams have what was changed meanwhile", LIMIT_MS, () =>
    followers.every(({ rows }) => [...rows.values()].some(({ version }) => version === "Changed while it is blind")),
  );
  const currentMs = performance.now() - mended;
  await untilReady(web, LIMIT_MS);
  const readyMs = performance.now() - mended;
  await edit(0, "Changed after it sees again");
  const live = await until("it hears of changes again", LIMIT_MS, () =>
    followers.every(({ rows }) => [...rows.values()].some(({ version }) => version === "Changed after it sees again")),
  );
  await until(
    "the balancer sees it",
    30_000,
    async () => (await site.haproxy.states()).get(`web/${web.machine.name}`) === "UP",
  );
  const differs = await differences(site, followers);
  for (const one of followers) one.stop();
  claims.hold(
    "a web machine that alone loses its way to the database shows pages on, and nobody is sent to it",
    failed === 0 && noticed < 10_000,
    `${pages} pages, ${failed} failed; the balancer looked away after ${seconds(noticed)}`,
  );
  claims.hold(
    `its streams are current by themselves within 30 s after ${AWAY_MS / 1000} s without a database, and live again`,
    currentMs <= 30_000 && live <= 5_000 && differs === 0,
    `current after ${seconds(currentMs)}, ready after ${seconds(readyMs)}, the next change after ${seconds(live)}, ${differs} differ`,
  );
}

/** How many browsers show anything else than the database says, once it has stood still for a moment; tried for 15 s. */
export async function differences(
  site: Site,
  followers: { rows: ReturnType<typeof follow>["rows"] }[],
): Promise<number> {
  let differing = followers.length;
  for (let attempt = 0; attempt < 60 && differing > 0; attempt += 1) {
    const stored = await site.database.sql<{ server_id: number; user_online: number | null }[]>`
      SELECT server_id, user_online FROM gameserver_live_metrics JOIN gameserver USING (server_id)
      WHERE visibility = 'public' AND adapter = 'a2s' AND lifecycle = 'active' AND status = 'online'`;
    differing = followers.filter(({ rows }) =>
      stored.some(({ server_id, user_online }) => rows.get(server_id)?.user_online !== user_online),
    ).length;
    if (differing > 0) await pause(250);
  }
  return differing;
}
