/** The main job: a real player joins a real game server, and every open page shows it. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { joinMinecraft, startMinecraftGameServer } from "../heavy/minecraft-game-server.ts";
import { type Site, startSite } from "./site.ts";

let site: Site;

test.beforeAll(async () => {
  site = await startSite();
});

test.afterAll(async () => {
  await site.stop();
});

const NAME = "Minecraft Anarchy";
/** The place of UserPeak among the cells of a row. */
const PEAK = 3;

test("two dashboards and the game's page follow a Minecraft server through joining, death and return", async ({
  browser,
}) => {
  let game = await startMinecraftGameServer({ maxPlayers: 12 });
  const { port } = game;
  const context = await browser.newContext();
  const other = await browser.newContext();
  const [first, second, page] = [await context.newPage(), await other.newPage(), await other.newPage()];
  await Promise.all([
    first.goto(`${site.url}/dashboard`),
    second.goto(`${site.url}/dashboard`),
    page.goto(`${site.url}/games/minecraft`),
  ]);
  await expect(first.getByText(NAME)).toHaveCount(0);

  // The operator gives it an address: it appears on pages that were open before.
  await site.sql`update gameserver set host = '127.0.0.1', game_port = ${port}, visibility = 'public' where server_name = ${NAME}`;
  const rows = [first, second].map((dashboard) => dashboard.getByRole("row").filter({ hasText: NAME }));
  const card = page.getByRole("article").filter({ hasText: NAME });
  const everywhere = [...rows, card];
  for (const place of everywhere) await expect(place).toContainText("Online");
  for (const place of everywhere) await expect(place).toContainText("0 of 12 players");
  const loads = await watchLoads([first, second, page]);

  const player = await joinMinecraft({ port, username: "Ada" });
  await Promise.all(everywhere.map((place) => expect(place).toContainText("1 of 12 players")));
  for (const row of rows) await expect(row.getByRole("cell").nth(PEAK)).toContainText("1");

  const friend = await joinMinecraft({ port, username: "Grace" });
  await Promise.all(everywhere.map((place) => expect(place).toContainText("2 of 12 players")));
  friend.leave();
  player.leave();
  await Promise.all(everywhere.map((place) => expect(place).toContainText("0 of 12 players")));
  for (const row of rows) await expect(row.getByRole("cell").nth(PEAK)).toContainText("2");

  await game.kill();
  await Promise.all(everywhere.map((place) => expect(place).toContainText("Checking")));
  await Promise.all(everywhere.map((place) => expect(place).toContainText("Offline")));
  for (const place of everywhere) await expect(place).not.toContainText("of 12 players");

  game = await startMinecraftGameServer({ port, maxPlayers: 12 });
  await Promise.all(everywhere.map((place) => expect(place).toContainText("Online")));
  expect(loads(), "no page was loaded again").toEqual([0, 0, 0]);
  await game.kill();
  await Promise.all([context.close(), other.close()]);
});

/** Counts document loads from now on. */
async function watchLoads(pages: Page[]) {
  const counts = pages.map(() => 0);
  for (const [index, page] of pages.entries()) {
    page.on("request", (request) => {
      if (request.isNavigationRequest()) counts[index] = (counts[index] ?? 0) + 1;
    });
  }
  return () => counts;
}

for (const shared of [true, false])
  test(`tabs ${shared ? "share one stream" : "without shared workers have a stream each"}, and each follows what it shows`, async ({
    browser,
  }) => {
    const wire = await startWire(Number(new URL(site.url).port));
    const context = await browser.newContext();
    if (!shared) await context.addInitScript(() => Reflect.deleteProperty(globalThis, "SharedWorker"));
    const change = (players: number) => site.sql`
      update gameserver_live_metrics set status = 'online', status_since = now(), last_asked_at = now(), user_online = ${players},
        user_max_measured = 40, next_poll_at = now() + interval '1 hour', claimed_until = null
      where server_id = (select server_id from gameserver where server_name = ${NAME})`;
    await site.sql`update gameserver set visibility = 'public', lifecycle = 'active', poll_interval_s = 600 where server_name = ${NAME}`;
    await change(3);
    const tabs: Page[] = [];
    for (const path of ["/dashboard", "/games/minecraft", "/dashboard"]) {
      const tab = await context.newPage();
      await tab.goto(`http://127.0.0.1:${wire.port}${path}`);
      tabs.push(tab);
    }
    const [dashboard, game, other] = tabs as [Page, Page, Page];
    const places = [
      dashboard.getByRole("row").filter({ hasText: NAME }),
      game.getByRole("article").filter({ hasText: NAME }),
      other.getByRole("row").filter({ hasText: NAME }),
    ];
    for (const tab of [dashboard, game, other]) await expect(tab.getByText("Live", { exact: true })).toBeVisible();
    for (const place of places) await expect(place).toContainText("3 of 40 players");
    await change(4);
    for (const place of places) await expect(place).toContainText("4 of 40 players");
    expect(wire.streams()).toBe(shared ? 1 : 3);

    await dashboard.close();
    await change(5);
    for (const place of places.slice(1)) await expect(place).toContainText("5 of 40 players");
    // A page that the tab goes to is followed by the stream that is open.
    await other.getByRole("link", { name: NAME }).first().click();
    await expect(other).toHaveURL(/\/servers\//);
    await change(6);
    await expect(other.getByText("6 of 40 players").first()).toBeVisible();
    await expect(game.getByRole("article").filter({ hasText: NAME })).toContainText("6 of 40 players");
    expect(wire.streams()).toBe(shared ? 1 : 3);
    await context.close();
    await wire.end();
  });

test("a page says so when its connection is cut, and ends with what the database says", async ({ page }) => {
  const wire = await startWire(Number(new URL(site.url).port));
  await site.sql`update gameserver set visibility = 'public', lifecycle = 'active' where server_name = 'Aion 1.9 Classic'`;
  await page.goto(`http://127.0.0.1:${wire.port}/dashboard`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  wire.cut();
  await expect(page.getByText(/Connection lost/)).toBeVisible();
  await site.sql`update gameserver set lifecycle = 'maintenance' where server_name = 'Aion 1.9 Classic'`;
  wire.mend();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Aion 1.9 Classic" })).toContainText("Maintenance");
  await wire.end();
});

test("one that is down is asked every five seconds while somebody looks, and the page sees it return", async ({
  page,
}) => {
  const game = await startMinecraftGameServer({ maxPlayers: 12 });
  await game.kill();
  await site.sql`update gameserver set host = '127.0.0.1', game_port = ${game.port}, visibility = 'public', poll_interval_s = 600
    where server_name = ${NAME}`;
  const [row] = await site.sql<{ server_id: number }[]>`
    update gameserver_live_metrics set status = 'offline', status_since = now(), last_asked_at = now(), failures_in_row = 9,
      last_answered_at = now() - interval '1 hour', next_poll_at = now() + interval '1 hour', claimed_until = null
    where server_id = (select server_id from gameserver where server_name = ${NAME}) returning server_id`;
  const at = `/servers/${row?.server_id}`;
  await expect
    .poll(async () => (await page.request.get(site.url + at)).text())
    .toContain("We ask it every 600 seconds.");
  await page.goto(site.url + at);
  await expect(page.getByText("We ask it every 5 seconds while you look.")).toBeVisible();
  const again = await startMinecraftGameServer({ port: game.port, maxPlayers: 12 });
  await expect(page.getByText("Online", { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/We ask it/)).toHaveCount(0);
  await again.kill();
});

/** A wire between browser and site that can be cut: while it is, connections break and new ones are refused. */
async function startWire(sitePort: number) {
  const sockets = new Set<Socket>();
  let whole = true;
  let streams = 0;
  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(sitePort, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("close", () => other.destroy()).on("error", () => other.destroy());
    }
    near.on("data", (sent) => {
      if (sent.toString("latin1").startsWith("GET /live?")) streams += 1;
    });
    near.pipe(far).pipe(near);
  });
  const cut = () => {
    whole = false;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    /** Streams that were opened so far. */
    streams: () => streams,
    mend: () => {
      whole = true;
    },
    end: () => {
      cut();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
