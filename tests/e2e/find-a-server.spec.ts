/** A player looks for a game server: filters, a favourite, the address in the clipboard; with script, and without. */
import { expect, type Page, test } from "@playwright/test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import { findFaults } from "./access-looks.ts";
import { holdScripts, isTrouble, openAlive, untilAlive } from "./alive.ts";
import { PHONE } from "./phone-looks.ts";

let site: AccountSite;

test.beforeAll(async () => {
  site = await startAccountSite();
  const { sql } = site.database;
  await seedDemoContent(site.database.db);
  await sql`update gameserver set visibility = 'hidden'`;
  await sql`update gameserver set visibility = 'public', host = 'play.example.org'
    where server_name in ('Valheim Vanilla', 'Valheim Modded', 'Minecraft Anarchy', 'Aion 1.9 Classic')`;
  await setPlayers({ "Valheim Vanilla": 3, "Minecraft Anarchy": 8, "Valheim Modded": 0 });
});

test.afterAll(async () => {
  await site.stop();
});

async function setPlayers(players: Record<string, number>) {
  for (const [name, online] of Object.entries(players))
    await site.database
      .sql`update gameserver_live_metrics set status = 'online', user_online = ${online}, user_max_measured = 20,
      last_asked_at = now() + interval '1 hour' where server_id = (select server_id from gameserver where server_name = ${name})`;
}

const names = (page: Page) => page.locator("main tbody th a");

test("a filter works at once and stands in the address; rows stay where they are; a star and an address are kept", async ({
  browser,
}) => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const asked: string[] = [];
  const troubles: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  page.on("console", (message) => isTrouble(message) && troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(error.message));

  await openAlive(page, `${site.base}/dashboard?utm_source=x`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(names(page)).toHaveText(["Minecraft Anarchy", "Valheim Vanilla", "Valheim Modded", "Aion 1.9 Classic"]);
  // Somebody else fills up: the figure changes, the rows stay.
  await setPlayers({ "Valheim Modded": 19 });
  await expect(page.getByRole("row", { name: /Valheim Modded/ })).toContainText("19 of 20 players");
  await expect(names(page)).toHaveText(["Minecraft Anarchy", "Valheim Vanilla", "Valheim Modded", "Aion 1.9 Classic"]);

  const before = asked.length;
  await page.getByRole("combobox", { name: "Game", exact: true }).selectOption("valheim");
  await expect(names(page)).toHaveText(["Valheim Modded", "Valheim Vanilla"]);
  await expect(page).toHaveURL(`${site.base}/dashboard?game=valheim`);
  await page.getByRole("checkbox", { name: "Favourites" }).press("Space");
  await expect(page.getByText("No favourites yet")).toBeVisible();
  await expect(page).toHaveURL(`${site.base}/dashboard?game=valheim&favourites=1`);
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(names(page)).toHaveCount(4);
  await expect(page).toHaveURL(`${site.base}/dashboard`);
  // An empty list of favourites is nobody's to answer but the browser's.
  expect(
    asked.slice(before).filter((path) => path.endsWith(".data")),
    "each change asked for its rows, once",
  ).toHaveLength(3);

  const star = page.getByRole("button", { name: "Favourite: Valheim Vanilla" });
  await star.click();
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Copy address of Valheim Vanilla" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("play.example.org:2456");
  await expect(page.getByRole("link", { name: "Join Valheim Vanilla" })).toHaveAttribute(
    "href",
    /^steam:.*play\.example/,
  );

  // Kept for the next visit, by home as well, and by the address.
  await openAlive(page, `${site.base}/?favourites=1`);
  await expect(names(page)).toHaveText(["Valheim Vanilla"]);
  await page.getByRole("link", { name: "Valheim Vanilla" }).first().click();
  await expect(page).toHaveURL(/\/servers\/\d+$/);
  await page.goBack();
  await expect(names(page)).toHaveText(["Valheim Vanilla"]);
  // What somebody else wrote there is no reason to fall over.
  await page.evaluate(() => localStorage.setItem("spawnpoint-favourites", '{"no":[]'));
  await page.reload();
  await expect(page.getByText("No favourites yet")).toBeVisible();
  expect(troubles).toEqual([]);
  await context.close();
});

test("whoever presses a link right after a filter goes where the link leads", async ({ page }) => {
  await openAlive(page, `${site.base}/dashboard`);
  const first = String(await names(page).first().textContent());
  // Within one frame, as on a phone that has much to do.
  await page.evaluate(() => {
    document.querySelector<HTMLElement>("input[name=players]")?.click();
    document.querySelector<HTMLElement>("main tbody th a")?.click();
  });
  await expect(page).toHaveURL(/\/servers\/\d+$/);
  await expect(page.locator("h1")).toHaveText(first);
  await page.goBack();
  await expect(page).toHaveURL(`${site.base}/dashboard`);
  await expect(page.getByRole("checkbox", { name: "Has players" })).not.toBeChecked();
});

test("what is chosen before the scripts are there counts once they are", async ({ browser }) => {
  await setPlayers({ "Valheim Vanilla": 3, "Valheim Modded": 5 });
  const page = await (await browser.newContext()).newPage();
  const arrive = await holdScripts(page);
  await page.goto(`${site.base}/dashboard`, { waitUntil: "commit" });
  await page.getByRole("combobox", { name: "Game", exact: true }).selectOption("valheim");
  await page.getByRole("checkbox", { name: "Has players" }).check({ force: true });
  await expect(names(page)).toHaveCount(4);
  arrive();
  await expect(names(page)).toHaveText(["Valheim Modded", "Valheim Vanilla"]);
  await expect(page).toHaveURL(`${site.base}/dashboard?game=valheim&players=1`);
  await expect(page.getByRole("checkbox", { name: "Has players" })).toBeChecked();
  await page.context().close();
});

test("a member's address and an unknown one lead to the site's own answer, and back again", async ({ page }) => {
  await openAlive(page, `${site.base}/dashboard`);
  for (const [path, becomes] of [
    ["/user/settings/profile", /\/login\/?\?/],
    ["/no/such/page", /\/no\/such\/page$/],
  ] as const) {
    // What a link of the frame does: the router of the page is asked, no new document.
    await page.evaluate((to) => {
      void Object(Reflect.get(window, "__reactRouterDataRouter")).navigate(to);
    }, path);
    await expect(page).toHaveURL(becomes);
    await expect(page.locator("h1")).toBeVisible();
    if (path.startsWith("/no")) {
      // A page without the site's scripts: the theme is turned all the same, and stays so.
      await untilAlive(page);
      await page.getByRole("button", { name: "Switch between dark and light" }).click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    }
    await page.goBack();
    await expect(page).toHaveURL(`${site.base}/dashboard`);
    await expect(names(page)).toHaveCount(4);
    await untilAlive(page);
  }
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("the two buttons of a game server stand side by side on the narrowest phone, in both languages", async ({
  browser,
}) => {
  const page = await (await browser.newContext(PHONE)).newPage();
  for (const path of ["/dashboard", "/de/dashboard"]) {
    await page.goto(site.base + path);
    const apart = await page.locator("tbody tr").evaluateAll((rows) =>
      rows.flatMap((row) => {
        const [left, right] = [...row.querySelectorAll("td:last-child :is(a, button)")].map((one) =>
          one.getBoundingClientRect(),
        );
        return left && right && left.top === right.top ? [right.left - left.right] : [];
      }),
    );
    expect(apart.length).toBeGreaterThan(0);
    expect(Math.min(...apart), path).toBeGreaterThanOrEqual(4);
  }
});

test("a phone: address and password from a card, a text for a friend, and the page that the friend gets", async ({
  browser,
}) => {
  const { sql } = site.database;
  const setPassword = (access: string) => sql`
    update gameserver set password = 'hearth and home', password_access = ${access},
      access_note = '{"en": "There is a whitelist."}'::text::jsonb where server_name = 'Valheim Vanilla'`;
  await setPassword("public");
  const context = await browser.newContext({ ...PHONE, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.addInitScript(() => {
    const shared = { how: "none", pages: [] as ShareData[] };
    Object.assign(window, { shared });
    // The browser's own way to share: it is there, closed by the one who asked, or refused.
    Object.assign(navigator, {
      canShare: () => shared.how !== "none",
      share: async (page: ShareData) => {
        shared.pages.push(page);
        if (shared.how !== "done") throw new DOMException("", shared.how);
      },
    });
  });
  const shareBy = (how: string) =>
    page.evaluate((how) => Object.assign((window as unknown as { shared: object }).shared, { how }), how);

  await openAlive(page, `${site.base}/games/valheim`);
  const card = page.locator("article").filter({ hasText: "Valheim Vanilla" });
  await card.getByRole("button", { name: "Copy address of Valheim Vanilla" }).tap();
  expect(await copied()).toBe("play.example.org:2456");
  await card.getByRole("button", { name: "Copy password of Valheim Vanilla" }).tap();
  expect(await copied()).toBe("hearth and home");
  await expect(card.getByRole("status").filter({ hasText: "Copied" })).toHaveCount(2);
  await expect(card.getByText("There is a whitelist.")).toBeVisible();

  const send = card.getByRole("link", { name: "Send to a friend: Valheim Vanilla" });
  const dialog = page.getByRole("dialog", { name: "Send to a friend" });
  const text = "Come and play on Valheim Vanilla (Valheim).\nAddress: play.example.org:2456\nPassword: hearth and home";
  for (const how of ["done", "AbortError"]) {
    await shareBy(how);
    await send.tap();
    await expect(dialog).toHaveCount(0);
  }
  const [id] = await sql<
    { server_id: number }[]
  >`select server_id from gameserver where server_name = 'Valheim Vanilla'`;
  const link = `${site.base}/join/${id?.server_id}`;
  expect(await page.evaluate(() => (window as unknown as { shared: { pages: ShareData[] } }).shared.pages[0])).toEqual({
    title: "Valheim Vanilla",
    text,
    url: link,
  });
  await shareBy("NotAllowedError");
  await send.tap();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(send).toBeFocused();
  await shareBy("none");
  await send.press("Enter");
  await expect(dialog.getByRole("img", { name: "QR code that leads to Valheim Vanilla" })).toBeVisible();
  expect(await findFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Copy text with the link" }).click();
  expect(await copied()).toBe(`${text}\n${link}`);
  await page.keyboard.press("Escape");

  // The friend, who has no account: one thumb reaches Join and Copy.
  const friend = await (await browser.newContext(PHONE)).newPage();
  await openAlive(friend, link);
  await expect(friend.getByRole("heading", { level: 1, name: "Valheim Vanilla" })).toBeVisible();
  await expect(friend.getByRole("link", { name: "Join Valheim Vanilla" })).toHaveAttribute(
    "href",
    "steam://run/892970//+connect%20play.example.org:2456",
  );
  for (const way of [
    friend.getByRole("link", { name: "Join Valheim Vanilla" }),
    friend.getByRole("button", { name: "Copy address of Valheim Vanilla" }),
    friend.getByRole("button", { name: "Copy password of Valheim Vanilla" }),
  ])
    await expect(way).toBeInViewport({ ratio: 1 });
  await setPlayers({ "Valheim Vanilla": 7 });
  await expect(friend.getByText("7 of 20 players")).toBeAttached();
  expect(await findFaults(friend)).toEqual([]);
  await friend.getByRole("link", { name: "How to get Valheim" }).click();
  await expect(friend).toHaveURL(/\/servers\/\d+#how-to$/);

  // From now on the password is for members: it leaves the page that is open, and no text that is sent has it.
  await expect(friend.getByText("hearth and home")).toBeVisible();
  await setPassword("members");
  await expect(friend.getByText("hearth and home")).toHaveCount(0);
  await friend.goto(link);
  await expect(friend.getByRole("link", { name: "Log in to see it" })).toBeVisible();
  const { at: browserOfMember } = await site.signedIn("member@example.org");
  const cookies = [...browserOfMember.cookies].map(([name, value]) => ({ name, value, url: site.base }));
  await friend.context().addCookies(cookies);
  await openAlive(friend, link);
  await expect(friend.getByText("hearth and home")).toBeVisible();
  await friend.setViewportSize({ width: 1280, height: 800 });
  await friend.getByRole("link", { name: "Send to a friend: Valheim Vanilla" }).click();
  await expect(friend.getByRole("dialog").getByText("The password is not in it")).toBeVisible();
  await expect(friend.getByRole("dialog").locator("pre")).not.toContainText("hearth");
  await friend.context().close();
  await context.close();

  const plain = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${site.base}/games/valheim`);
  await still.getByRole("link", { name: "Send to a friend: Valheim Vanilla" }).click();
  await expect(still).toHaveURL(link);
  await expect(still.getByText("play.example.org:2456")).toBeVisible();
  await expect(still.getByRole("link", { name: "Join Valheim Vanilla" })).toBeVisible();
  await expect(still.getByRole("link", { name: /^Send to a friend/ })).toBeHidden();
  await plain.close();
});

test("among many: one field finds it by its name; search, order and page stand in the address; rows stay where they are", async ({
  browser,
}) => {
  const { sql } = site.database;
  await sql`insert into gameserver (game_id, server_name, user_max, visibility, server_locations, adapter, host, game_port, sort_order)
    select (select game_id from games where game_slug = 'aion'), 'Harbour ' || lpad(n::text, 3, '0'), 50, 'public', '{Finland}', 'a2s',
      'harbour.example.org', 7000 + n, 1000 + n from generate_series(1, 120) n`;
  await sql`insert into gameserver_live_metrics (server_id, status, user_online, user_max_measured, last_asked_at)
    select server_id, 'online', 200 - (sort_order - 1000), 250, now() + interval '1 hour' from gameserver where server_name like 'Harbour %'
    on conflict (server_id) do update set status = excluded.status, user_online = excluded.user_online,
      user_max_measured = excluded.user_max_measured, last_asked_at = excluded.last_asked_at`;
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const field = page.getByRole("searchbox", { name: "Search by name, game or place" });
  const count = page.getByRole("status").filter({ hasText: "game server" });

  await openAlive(page, `${site.base}/dashboard`);
  await expect(names(page)).toHaveCount(50);
  await expect(count).toHaveText("124 game servers, most players first · Page 1 of 3");
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(/\?page=2#servers-title$/);
  await expect(names(page).first()).toHaveText("Harbour 051");
  await expect(count).toHaveText("124 game servers, most players first · Page 2 of 3");
  await expect(page.locator("p:focus")).toContainText("Page 2 of 3");

  await field.tap();
  await field.pressSequentially("finland 07");
  await expect(page).toHaveURL(/\/dashboard\?q=finland\+07$/);
  await expect(count).toHaveText("12 of 124 game servers");
  await expect(names(page).first()).toHaveText("Harbour 007");
  await expect(field).toBeFocused();
  await page.getByRole("combobox", { name: "Order" }).selectOption("name");
  await expect(page).toHaveURL(/\?q=finland\+07&sort=name$/);
  await page.getByRole("checkbox", { name: "Has players" }).press("Space");
  await expect(page).toHaveURL(/players=1/);
  await page.reload();
  await expect(field).toHaveValue("finland 07");
  await expect(page.getByRole("combobox", { name: "Order" })).toHaveValue("name");
  await expect(names(page)).toHaveCount(12);

  // There and back: where it leads is asked for anew, and the list is as it was left.
  await names(page).first().click();
  await expect(page).toHaveURL(/\/servers\/\d+$/);
  await page.goBack();
  await expect(field).toHaveValue("finland 07");
  await expect(names(page)).toHaveCount(12);
  await page.goBack();
  await expect(names(page)).toHaveCount(50);
  await expect(field).toHaveValue("");
  await page.goForward();
  await expect(field).toHaveValue("finland 07");

  // No result says what to do.
  await field.fill("nirgendwo \u05e9\u05dc\u05d5\u05dd %");
  await expect(page.getByText("No game server is called that here.")).toBeVisible();
  await expect(count).toHaveText("0 of 124 game servers");
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "Search without the other filters" }).tap();
  await expect(page).not.toHaveURL(/players=1/);
  await page.getByRole("link", { name: "Clear filters" }).tap();
  await expect(page).toHaveURL(`${site.base}/dashboard`);
  await expect(field).toHaveValue("");

  // Favourites by their ids, which the address does not show.
  const star = page.getByRole("button", { name: "Favourite: Harbour 003" });
  await star.tap();
  await page.getByRole("checkbox", { name: "Favourites" }).press("Space");
  await expect(names(page)).toHaveText(["Harbour 003"]);
  await expect(page).toHaveURL(`${site.base}/dashboard?favourites=1`);
  await page.reload();
  await expect(names(page)).toHaveText(["Harbour 003"]);
  await expect(page).toHaveURL(`${site.base}/dashboard?favourites=1`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await sql`update gameserver_live_metrics set user_online = 211 where server_id = (select server_id from gameserver where server_name = 'Harbour 003')`;
  await expect(page.getByRole("row", { name: /Harbour 003/ })).toContainText("211 of 250 players");
  await page.getByRole("link", { name: "Clear filters" }).tap();
  await expect(names(page)).toHaveCount(50);

  // Somebody saves another game server: the page is fetched anew, and no row moves, although others have filled up since.
  const before = await names(page).allTextContents();
  expect(before.slice(0, 3)).toEqual(["Harbour 003", "Harbour 001", "Harbour 002"]);
  await sql`update gameserver_live_metrics set user_online = 249 where server_id = (select server_id from gameserver where server_name = 'Harbour 110')`;
  await sql`update gameserver set server_name = 'Harbour two' where server_name = 'Harbour 002'`;
  await expect(names(page).nth(2)).toHaveText("Harbour two");
  await expect(page).toHaveURL(`${site.base}/dashboard`);
  expect(await names(page).allTextContents()).toEqual(before.with(2, "Harbour two"));
  await sql`update gameserver_live_metrics set user_online = 198 where server_id = (select server_id from gameserver where server_name = 'Harbour 050')`;
  await expect(page.getByRole("row", { name: /Harbour 050/ })).toContainText("198 of 250 players");
  await page.reload();
  await expect(names(page).first()).toHaveText("Harbour 110");

  // A game of which there are many: the same list on its own page.
  await openAlive(page, `${site.base}/de/games/aion?q=harbour&sort=peak`);
  await expect(page.getByRole("searchbox", { name: "Nach Name, Spiel oder Ort suchen" })).toHaveValue("harbour");
  await expect(names(page)).toHaveCount(50);
  await expect(page.getByRole("combobox", { name: "Spiel", exact: true })).toHaveCount(0);
  expect(await findFaults(page)).toEqual([]);
  await context.close();

  const plain = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${site.base}/`);
  await still.getByRole("searchbox").fill("Harbour 110");
  await still.getByRole("button", { name: "Show" }).click();
  await expect(names(still)).toHaveText(["Harbour 110"]);
  await still.goto(`${site.base}/dashboard?page=2`);
  await still.getByRole("link", { name: "Next page" }).click();
  await expect(names(still)).toHaveCount(24);
  await plain.close();
});

test("many games: in order, under their letters, and nothing under the bar", async ({ browser }) => {
  const { sql } = site.database;
  await sql`insert into games (game_name, game_acronym, game_slug, tagline, description, sort_order, published)
    select case n when 1 then '7 Islands' when 2 then 'Überfahrt' when 3 then '¡Harbour!' else 'Pretend Game ' || n end, 'PG' || n,
      'pretend-' || n, '{"en": "A land of its own"}', '{"en": "Nobody plays it."}', 100 + n, true from generate_series(1, 60) n`;
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  const links = page.locator("main section a");
  await expect(async () => {
    await page.goto(`${site.base}/games`);
    await expect(links).toHaveCount(68, { timeout: 1 });
  }).toPass();
  const gamesOf = (letter: string) => page.getByRole("region", { name: letter, exact: true }).getByRole("link");
  await expect(gamesOf("0–9")).toHaveText([/^¡Harbour!/, /^7 Islands/]);
  await expect(gamesOf("U")).toHaveText([/^Überfahrt/]);
  const pretend = await gamesOf("P").locator("span:first-child").allTextContents();
  expect(pretend.slice(0, 7).at(-1)).toBe("Pretend Game 10");
  // The bar is fixed, and what is led to by a letter stands below it, too.
  const isCovered = (what: ReturnType<typeof page.getByRole>) =>
    what.evaluate((heading) => {
      const bar = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
      return bar === 0 || heading.getBoundingClientRect().top < bar;
    });
  expect(await isCovered(page.getByRole("heading", { level: 1 }))).toBe(false);
  await page.getByRole("navigation", { name: "Games by their first letter" }).getByRole("link", { name: "U" }).tap();
  await expect(gamesOf("U")).toBeInViewport();
  expect(await isCovered(page.getByRole("heading", { name: "U", exact: true }))).toBe(false);
  const apart = await gamesOf("P").evaluateAll(([one, other]) =>
    one && other ? other.getBoundingClientRect().top - one.getBoundingClientRect().bottom : 0,
  );
  expect(apart, "px between two games").toBeGreaterThan(4);
  await context.close();
});
