/** Without a mouse, without motion, without script: everything can be reached, stands still, and works; sizes that style sheets set. */
import { expect, type Page, test } from "@playwright/test";
import { walkByTab } from "./access-focus.ts";
import { listPages } from "./access-map.ts";
import { type AccessSite, PASSWORD, startAccessSite } from "./access-site.ts";
import { openAlive } from "./alive.ts";
import { PHONE } from "./phone-looks.ts";

let site: AccessSite;

test.beforeAll(async () => {
  site = await startAccessSite();
});

test.afterAll(async () => {
  await site?.stop();
});

const focused = (page: Page) => page.locator(":focus");

for (const size of [
  { width: 1280, height: 720 },
  { width: 320, height: 568 },
]) {
  test(`Tab reaches everything, in order, visibly and never under the bar, at ${size.width} px`, async ({ page }) => {
    await page.setViewportSize(size);
    const faults: string[] = [];
    for (const address of ["/", "/dashboard", "/games/minecraft", "/login", "/contact"]) {
      await openAlive(page, site.url + address);
      for (const fault of await walkByTab(page)) faults.push(`${address}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });
}

test("members and admins get everywhere by Tab, too", async ({ browser }) => {
  const faults: string[] = [];
  const { gameId, serverId } = site.values;
  for (const [who, addresses] of [
    ["member", ["/user/settings/profile", "/user/settings/security"]],
    ["admin", [`/admin/games/${gameId}/guide`, `/admin/gameservers/${serverId}/edit`, "/admin/gameservers"]],
  ] as const) {
    const context = await site.browserOf(browser, who, { viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    for (const address of addresses) {
      await openAlive(page, site.url + address);
      for (const fault of await walkByTab(page)) faults.push(`${address}: ${fault}`);
    }
    await context.close();
  }
  expect(faults).toEqual([]);
});

test("the first Tab offers the way past the bar", async ({ page }) => {
  await page.goto(`${site.url}/dashboard`);
  await page.keyboard.press("Tab");
  await expect(focused(page)).toHaveText("Skip to the page");
  await expect(focused(page)).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  expect(await focused(page).evaluate((element) => element.closest("main") !== null)).toBe(true);
});

test("Esc closes menus and dialogs, and the focus goes back to what opened them", async ({ browser }) => {
  const context = await site.browserOf(browser, "member", { viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(`${site.url}/user/settings/profile`);
  const closes = async (opener: ReturnType<Page["locator"]>, opened: ReturnType<Page["locator"]>) => {
    await opener.focus();
    await page.keyboard.press("Enter");
    await expect(opened).toBeVisible();
    await page.keyboard.press("Tab");
    expect(await opened.evaluate((element) => element.contains(document.activeElement)), "Tab leads into it").toBe(
      true,
    );
    await page.keyboard.press("Escape");
    await expect(opened).toBeHidden();
    await expect(opener).toBeFocused();
  };
  await closes(page.getByRole("button", { name: "Games" }), page.locator("#games-menu"));
  await closes(page.getByRole("button", { name: "Your account" }), page.locator("#avatar-menu"));

  const avatar = page.getByRole("button", { name: "Change your avatar" });
  const upload = page.getByRole("button", { name: "Upload Avatar" });
  const dialog = page.getByRole("dialog", { name: "Upload Avatar" });
  await avatar.focus();
  await page.keyboard.press("Enter");
  await upload.focus();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const at = document.activeElement;
      return at !== null && at !== document.body && at.closest("dialog") === null;
    });
    expect(outside, "the focus stays in the dialog").toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(await page.evaluate(() => document.activeElement !== document.body), "the focus is not lost").toBe(true);

  await page.setViewportSize({ width: 320, height: 640 });
  await closes(page.getByRole("button", { name: "Menu", exact: true }), page.locator("#site-menu"));
  await context.close();
});

test("what goes away under the focus leaves it near, and what a form was answered has it", async ({ browser }) => {
  const context = await site.browserOf(browser, "admin", { viewport: { width: 1024, height: 720 }, locale: "en-GB" });
  const page = await context.newPage();
  const press = async (name: string | RegExp) => {
    await page.locator("main").getByRole("button", { name }).last().focus();
    await page.keyboard.press("Enter");
  };
  const answer = (text: RegExp) => page.locator("[data-answer]").filter({ hasText: text });

  // A form that is a new one after it was sent, and a row that is gone, without a word that says so.
  await openAlive(page, `${site.url}/admin/settings/invitations`);
  await press("Make an invitation");
  await expect(answer(/\w{4}-\w{4}/)).toBeFocused();
  await expect(answer(/\w{4}-\w{4}/)).toBeInViewport();
  await press(/^Withdraw/);
  await expect(page.locator("section:focus")).toBeInViewport();
  await openAlive(page, `${site.url}/admin/notifications/rules`);
  await page.getByLabel("News", { exact: true }).check();
  await press("Add rule");
  await expect(answer(/rule is there/)).toBeFocused();
  await press(/^Remove/);
  await expect(answer(/rule is removed/)).toBeFocused();
  await openAlive(page, `${site.url}/user/settings/profile`);
  await press("Save");
  await expect(page).toHaveURL(/saved=/);
  expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);

  // What is moved to the end by its button is held there.
  await openAlive(page, `${site.url}/admin/games/order`);
  const rows = page.locator("main li");
  const down = rows.nth((await rows.count()) - 2).getByRole("button", { name: /down$/ });
  const name = (await down.getAttribute("aria-label")) ?? "";
  await down.focus();
  await page.keyboard.press("Enter");
  const moved = page.getByRole("button", { name, exact: true });
  await expect(rows.last().getByRole("button", { name, exact: true })).toBeFocused();
  await expect(moved).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Enter");
  await expect(moved).toBeFocused();

  // A tablet has room for the words of the site.
  await page.setViewportSize({ width: 768, height: 1024 });
  await openAlive(page, `${site.url}/admin/people`);
  const word = page.getByRole("cell", { name: "Moderator", exact: true }).first();
  expect(
    await word.evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell.firstElementChild ?? cell);
      return range.getClientRects().length;
    }),
  ).toBe(1);
  await context.close();
});

test("the pictures can be paused, and turned by the arrow keys", async ({ page }) => {
  await page.clock.install();
  await page.goto(site.url);
  const current = page.getByRole("button", { name: /^Picture \d of/ }).and(page.locator("[aria-current]"));
  await expect(current).toHaveAccessibleName(/^Picture 1/);
  // Effects that run once the page stands may come after the first look at the clock.
  await expect(async () => {
    await page.clock.fastForward(4_100);
    await expect(current).not.toHaveAccessibleName(/^Picture 1/, { timeout: 200 });
  }).toPass();
  await page.getByRole("button", { name: "Pause the pictures" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Play the pictures" })).toBeFocused();
  await page.getByRole("button", { name: /^Picture 1 of/ }).press("Enter");
  await page.clock.fastForward(20_000);
  await expect(current).toHaveAccessibleName(/^Picture 1/);
  await page.keyboard.press("ArrowRight");
  await expect(current).toHaveAccessibleName(/^Picture 2/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(current).toHaveAccessibleName(/^Picture 3/);
});

/** Counts what moves for longer than a blink while a game server's players change under an open page. */
async function motionOfAChange(page: Page): Promise<number> {
  await page.goto(`${site.url}/dashboard`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.evaluate(() => {
    const moving = { seen: 0, changes: 0 };
    Object.assign(window, { moving });
    const observer = new MutationObserver(() => {
      moving.changes += document.querySelectorAll("[data-turn]").length;
      const long = document.getAnimations().filter((each) => Number(each.effect?.getComputedTiming().endTime) > 50);
      moving.seen = Math.max(moving.seen, long.length);
    });
    observer.observe(document.querySelector("main") ?? document.body, { subtree: true, childList: true });
  });
  const moving = () => page.evaluate(() => (window as unknown as { moving: { seen: number; changes: number } }).moving);
  await expect(async () => {
    await site.sql`update gameserver_live_metrics set user_online = (coalesce(user_online, 0) + 1) % 5`;
    expect((await moving()).changes).toBeGreaterThan(0);
  }).toPass({ intervals: [500] });
  return (await moving()).seen;
}

test("who wants less motion sees numbers change and pictures stand, without any", async ({ browser }) => {
  const still = await browser.newContext({ reducedMotion: "reduce" });
  const page = await still.newPage();
  expect(await motionOfAChange(page)).toBe(0);
  await page.clock.install();
  await page.goto(site.url);
  await expect(page.getByRole("button", { name: "Play the pictures" })).toBeVisible();
  await page.clock.fastForward(60_000);
  await expect(page.getByRole("button", { name: /^Picture 1 of/ })).toHaveAttribute("aria-current");
  await still.close();

  const lively = await browser.newContext({ reducedMotion: "no-preference" });
  expect(await motionOfAChange(await lively.newPage()), "others see it move").toBeGreaterThan(0);
  await lively.close();
});

test("in the reader's own colours one sees what is chosen, and where one is", async ({ browser }) => {
  const context = await site.browserOf(browser, "admin", {
    viewport: { width: 1280, height: 800 },
    forcedColors: "active",
    locale: "en-GB",
  });
  const page = await context.newPage();
  const groundOf = (element: ReturnType<Page["locator"]>) =>
    element.evaluate((each) => getComputedStyle(each).backgroundColor);
  const among = async (chosen: ReturnType<Page["locator"]>, other: ReturnType<Page["locator"]>) => {
    expect(await groundOf(chosen.first())).not.toBe(await groundOf(other.first()));
    // Text with the page's ground behind each line could not be read on it.
    await expect(chosen.first()).toHaveCSS("forced-color-adjust", "none");
  };
  await openAlive(page, `${site.url}/user/settings/security`);
  const settings = page.getByRole("navigation", { name: "Settings" });
  await among(settings.getByRole("link", { name: "Security" }), settings.getByRole("link", { name: "Profile" }));
  await openAlive(page, `${site.url}/admin/games`);
  await among(
    page.locator("nav a[aria-current=page]").filter({ hasText: "Games" }),
    page.locator("nav a:not([aria-current])").filter({ hasText: "Media" }),
  );
  await openAlive(page, `${site.url}/dashboard`);
  const players = page.locator("label").filter({ hasText: "Has players" });
  const before = await groundOf(players);
  await players.click();
  await expect.poll(() => groundOf(players)).not.toBe(before);
  await openAlive(page, `${site.url}/servers/${site.values.serverId}`);
  await page.getByRole("button", { name: /^Tell me/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("On this device", { exact: true }).click();
  await among(dialog.getByText("On this device", { exact: true }), dialog.getByText("By email", { exact: true }));
  expect(await dialog.evaluate((each) => getComputedStyle(each).borderTopStyle)).toBe("solid");
  await context.close();
});

test("without script every public page has its text and its ways on", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "en-GB" });
  const page = await context.newPage();
  const addresses = (await listPages(site.values)).filter(({ who }) => who === "nobody").map(({ address }) => address);
  const links = new Set<string>();
  for (const address of addresses) {
    await page.goto(site.url + address);
    await expect(page.getByRole("heading", { level: 1 }), address).toHaveText(/\S/);
    await expect(page.locator("main"), address).toHaveText(/\S.{40,}/s);
    // The other language has a journey of its own.
    const ways = page.locator("a[href^='/']:not([hreflang])");
    for (const href of await ways.evaluateAll((all) => all.map((each) => each.getAttribute("href")))) {
      links.add(String(href).replace(/#.*/, ""));
    }
  }
  const broken: string[] = [];
  for (const link of links) {
    const { status } = await fetch(site.url + link);
    if (status !== 200) broken.push(`${link}: ${status}`);
  }
  expect(broken).toEqual([]);
  expect(links.size).toBeGreaterThan(20);

  await page.goto(site.url);
  await page.getByRole("button", { name: "Games" }).click();
  await page.locator("#games-menu").getByRole("link", { name: "Valheim" }).click();
  await expect(page).toHaveURL(`${site.url}/games/valheim`);
  await context.close();
});

test("without script one signs in and out, and writes to the people who run the site", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "en-GB" });
  const page = await context.newPage();
  await page.goto(`${site.url}/contact`);
  const opened = Date.now();
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByLabel("Email").fill("grace@example.org");
  await page.getByLabel("Message").fill("The harbour light is out.");

  const other = await context.newPage();
  await other.goto(`${site.url}/login/?next=/dashboard`);
  const form = other.locator("#login");
  await form.getByLabel("Email").fill("member@example.org");
  await form.getByLabel("Password", { exact: true }).fill("not the password");
  await form.getByRole("button", { name: "Login" }).click();
  await expect(other.getByText(/^Login failed\./)).toBeVisible();
  await expect(form.getByLabel("Email"), "what was typed is kept").toHaveValue("member@example.org");
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Login" }).click();
  await expect(other).toHaveURL(`${site.url}/dashboard`);
  await other.getByRole("button", { name: "Your account" }).click();
  await other.getByRole("button", { name: "Log out" }).click();
  await expect(other.getByRole("link", { name: "Login" })).toBeVisible();

  // Who sends a form within two seconds is taken for a program.
  await page.waitForTimeout(Math.max(0, 2_100 - (Date.now() - opened)));
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page).toHaveURL(/\/contact\?sent/);
  const [kept] = await site.sql`select name, message from contacts where email = 'grace@example.org'`;
  expect(kept).toEqual({ name: "Grace Hopper", message: "The harbour light is out." });
  await context.close();
});

test("the slideshow is 700 px high on desks and 45 % of the screen on phones, with its heading inside", async ({
  browser,
}) => {
  const desk = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await desk.goto(site.url);
  expect((await desk.locator("[aria-roledescription]").boundingBox())?.height).toBe(700);
  await desk.close();
  const phone = await browser.newPage(PHONE);
  for (const [width, height] of [
    [390, 844],
    [320, 568],
  ] as const) {
    await phone.setViewportSize({ width, height });
    await phone.goto(site.url);
    const show = phone.locator("[aria-roledescription]");
    const box = await show.boundingBox();
    expect(box?.height, `${width} × ${height}`).toBeCloseTo(0.45 * height, 0);
    const heading = await show.getByRole("heading").boundingBox();
    expect(heading?.y ?? 0, `${width} × ${height}`).toBeGreaterThanOrEqual(box?.y ?? 0);
  }
  await phone.close();
});

test("the map of the week opens at the evening on a phone", async ({ browser }) => {
  const page = await browser.newPage({ ...PHONE, viewport: { width: 390, height: 844 } });
  await openAlive(page, `${site.url}/servers/1`);
  const map = page.getByRole("region", { name: /Players on average/ });
  await map.scrollIntoViewIfNeeded();
  await expect(map.getByRole("columnheader", { name: "20", exact: true })).toBeInViewport();
  await expect(map.getByRole("columnheader", { name: "03", exact: true })).not.toBeInViewport();
  await page.close();
});
