/**
 * Run in a network of its own, three times over: as the site, as the world of the game servers, and as the place of the outpost.
 * Each is joined to the others by a wire; what is cut is the site's way to half of the game servers, which then swallows packets.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import path from "node:path";
import pino from "pino";
import { startCollector } from "#collector/start.ts";
import { readConfig } from "#config";
import { createOutpost } from "#domain/outposts/outposts.ts";
import { startAccountSite } from "#tests/helpers/account-site.ts";
import { pretendA2s } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";
import { valuesOf } from "#tests/helpers/values-of.ts";

const S = 1_000;
const PORT = 27_015;
const GAMES = Array.from({ length: 6 }, (_, n) => `45.76.1.${n + 1}`);
/** Fewer than half, so that nothing says that the fault is ours. */
const CUT = GAMES.slice(0, 3);
const ip = (...args: string[]) => execFileSync("ip", args, { stdio: ["ignore", "ignore", "inherit"] });
const within = (pid: number, ...args: string[]) =>
  execFileSync("nsenter", ["-t", String(pid), "-n", "ip", ...args], { stdio: ["ignore", "ignore", "inherit"] });

/** Another part of this file, in a network of its own. */
async function startPart(part: string): Promise<{ pid: number; child: ChildProcess }> {
  const args = [process.execPath, ...process.execArgv, import.meta.filename, part];
  const child = spawn("unshare", ["--net", ...args], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { pid: child.pid ?? 0, child };
}

/** Waits to be joined, then is every game server. */
async function world(): Promise<void> {
  process.stdout.write("here\n");
  await once(process.stdin, "data");
  for (const address of GAMES) (await pretendA2s(3, PORT, address)).loss = 0;
  process.stdout.write("listening\n");
  setInterval(() => {}, 60 * S);
}

/** Waits to be joined, then passes on to the site what the outpost, which speaks in the clear only to its own machine, says. */
async function elsewhere(): Promise<void> {
  process.stdout.write("here\n");
  const port = Number((await once(process.stdin, "data"))[0]);
  createServer((inner) => {
    const outer = connect(port, "10.9.0.1");
    inner.pipe(outer).pipe(inner);
    for (const each of [inner, outer]) each.on("error", () => inner.destroy() && outer.destroy());
  }).listen(port, "127.0.0.1");
  process.stdout.write("listening\n");
}

/** A wire from us to another network. */
function join(pid: number, name: string, ours: string, theirs: string): void {
  ip("link", "add", name, "type", "veth", "peer", "name", name, "netns", String(pid));
  ip("addr", "add", `${ours}/24`, "dev", name);
  ip("link", "set", name, "up");
  within(pid, "addr", "add", `${theirs}/24`, "dev", name);
  within(pid, "link", "set", name, "up");
}

async function site(): Promise<void> {
  ip("link", "set", "lo", "up");
  const [games, away] = [await startPart("world"), await startPart("elsewhere")];
  for (const { pid } of [games, away]) within(pid, "link", "set", "lo", "up");
  for (const address of GAMES) within(games.pid, "addr", "add", `${address}/32`, "dev", "lo");
  join(games.pid, "game", "45.76.0.1", "45.76.0.2");
  ip("route", "add", "45.76.1.0/24", "via", "45.76.0.2");
  join(away.pid, "site", "10.9.0.1", "10.9.0.2");
  // The outpost's own way to the game servers does not lead past the site.
  within(away.pid, "link", "add", "world", "type", "veth", "peer", "name", "world", "netns", String(games.pid));
  within(away.pid, "addr", "add", "45.77.0.1/24", "dev", "world");
  within(away.pid, "link", "set", "world", "up");
  within(games.pid, "addr", "add", "45.77.0.2/24", "dev", "world");
  within(games.pid, "link", "set", "world", "up");
  within(away.pid, "route", "add", "45.76.1.0/24", "via", "45.77.0.2");
  // Whatever is sent here is gone, and nobody says so.
  ip("link", "add", "nowhere", "type", "veth", "peer", "name", "beyond");
  for (const end of ["nowhere", "beyond"]) ip("link", "set", end, "up");
  const cut = () => {
    for (const address of CUT) {
      ip("neigh", "replace", address, "lladdr", "02:00:00:00:00:01", "nud", "permanent", "dev", "nowhere");
      ip("route", "add", `${address}/32`, "dev", "nowhere", "src", "45.76.0.1");
    }
  };
  const heal = () => {
    for (const address of CUT) ip("route", "del", `${address}/32`);
  };

  const own = await startAccountSite({ HOST: "0.0.0.0", POLL_INTERVAL_S: "5", SITE_URL: "http://127.0.0.1:1" });
  const { sql } = own;
  const port = Number(new URL(own.base).port);
  await sql`delete from gameserver`;
  const [game] = await sql<{ game_id: number }[]>`
    insert into games (game_name, game_acronym, game_slug, tagline, description)
    values ('Cut', 'C', 'cut', '{"en":""}', '{"en":""}') returning game_id`;
  for (const host of GAMES) {
    await sql`insert into gameserver ${valuesOf({ game_id: game?.game_id ?? 0, server_name: host, host, game_port: PORT, adapter: "a2s", visibility: "public" })}`;
  }
  const { id: user_id } = await own.member("boss@example.org");
  const made = await createOutpost(
    own.database.db,
    { user_id, origin: { ip: "127.0.0.1", user_agent: "test" } },
    { name: "Frankfurt" },
  );
  assert.ok(made.ok);
  games.child.stdin?.write("go\n");
  away.child.stdin?.write(`${port}\n`);
  await Promise.all([games, away].map(({ child }) => child.stdout && once(child.stdout, "data")));
  const command = path.join(import.meta.dirname, "../../cli/spawnpoint.ts");
  const outpost = spawn(
    "nsenter",
    ["-t", String(away.pid), "-n", process.execPath, command, "outpost", `http://127.0.0.1:${port}`],
    { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, OUTPOST_TOKEN: made.token, LOG_LEVEL: "warn" } },
  );
  const config = readConfig({ DATABASE_URL: own.database.url, POLL_INTERVAL_S: "5" });
  const collector = await startCollector(config, { log: pino({ level: "silent" }) });

  const statuses = async () => {
    const rows = await sql<{ status: string; n: number }[]>`
      select status, count(*)::int as n from gameserver_live_metrics group by 1`;
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  };
  const offline = async () => (await sql`select from gameserver_status_event where to_status = 'offline'`).length;
  const page = async (path: string) => (await fetch(own.base + path, { headers: { Host: "127.0.0.1:1" } })).text();
  const [first] = await sql<{ server_id: number }[]>`select server_id from gameserver where host = ${CUT[0] ?? ""}`;
  const says = (path: string, words: string, is: boolean) =>
    until(`${path} ${is ? "says" : "does not say"}: ${words}`, async () => (await page(path)).includes(words) === is);

  await until("all online", async () => (await statuses()).online === GAMES.length);
  await until(
    "the outpost sees them",
    async () => (await sql`select from outpost_results where ok`).length === GAMES.length,
  );
  const began = performance.now();
  cut();
  await until("in doubt", async () => (await statuses()).degraded === CUT.length);
  await says(`/servers/${first?.server_id}`, "Reachable from Frankfurt, not from us.", true);
  await says(`/de/servers/${first?.server_id}`, "Von Frankfurt aus erreichbar, von uns aus nicht.", true);
  // Long after they would have been called offline.
  await pause(Math.max(0, 45 * S - (performance.now() - began)));
  assert.deepEqual(await statuses(), { online: GAMES.length - CUT.length, degraded: CUT.length });
  heal();
  await until("all online again", async () => (await statuses()).online === GAMES.length);
  await says(`/servers/${first?.server_id}`, "Reachable from", false);
  assert.equal(await offline(), 0);
  const seconds = Math.round((performance.now() - began) / S);
  // Without the outpost the same cut is an end.
  outpost.kill("SIGTERM");
  await once(outpost, "exit");
  await sql`update outpost_results set asked_at = now() - interval '2 minutes'`;
  cut();
  await until("today's rules", async () => (await statuses()).offline === CUT.length);
  assert.equal(await offline(), CUT.length);
  console.log(`cut for ${seconds} s: 0 offline events with an outpost, ${CUT.length} without it`);
  for (const { child } of [games, away]) child.kill("SIGKILL");
  await collector.stop();
  await own.stop();
  process.exit(0);
}

const parts: Record<string, () => Promise<void>> = { site, world, elsewhere };
await parts[process.argv[2] ?? ""]?.();
