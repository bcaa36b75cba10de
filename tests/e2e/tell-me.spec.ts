/** Somebody on a phone finds a game server down, presses one button, and can end all of it again. The push service is made up. */
import { expect, type Page, test } from "@playwright/test";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { openAlive } from "./alive.ts";
import { makeUpPush } from "./made-up-push.ts";
import { PHONE } from "./phone-looks.ts";
import { logIn, type Site, startSite } from "./site.ts";

const NAME = "Minecraft Anarchy";
const PASSWORD = "a lamp in the harbour";
let site: Site;

test.beforeAll(async () => {
  site = await startSite();
  // Nobody listens there, so that whoever asks it finds it down.
  await site.sql`update gameserver set visibility = 'public', host = '127.0.0.1', game_port = 25599, query_port = null
    where server_name = ${NAME}`;
  await site.sql`update gameserver_live_metrics set status = 'offline', status_since = now(), last_asked_at = now()
    where server_id = (select server_id from gameserver where server_name = ${NAME})`;
});

test.afterAll(async () => {
  await site?.stop();
});

const follows = () =>
  site.sql<{ kind: string; threshold: number | null }[]>`select kind, threshold from follows order by 1`;
const kinds = async () => (await follows()).map(({ kind }) => kind);

async function openServer(page: Page, language = ""): Promise<void> {
  const [server] = await site.sql<
    { server_id: number }[]
  >`select server_id from gameserver where server_name = ${NAME}`;
  const address = `${site.url}${language}/servers/${server?.server_id}`;
  // The site hears of what the database was told a moment later: until then nobody but admins may see the page.
  await expect.poll(async () => (await fetch(address)).status).toBe(200);
  await openAlive(page, address);
}

test("one press on a phone, without an account: told when it is back, and everything ended and brought back", async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, viewport: { width: 360, height: 780 }, locale: "en-GB" });
  await context.addInitScript(makeUpPush, "granted" as const);
  const page = await context.newPage();
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await openServer(page);
  const button = page.getByRole("button", { name: /: Minecraft Anarchy$/ }).filter({ hasText: /Tell me|We will/ });
  await expect(button).toHaveText("Tell me when it is back");
  expect(loaded.filter((url) => /tell-me-panel|\/push\//.test(url))).toEqual([]);

  await button.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("status")).toHaveText("Done. We will tell you.");
  await expect(dialog.getByRole("switch", { name: "it is back up" })).toBeChecked();
  expect(await kinds()).toEqual(["server_up"]);

  // By keyboard: another thing, with its number, and taken back by one press.
  await dialog.getByRole("button", { name: "More people" }).press("Enter");
  await dialog.getByRole("switch", { name: "at least 6 people are on" }).press("Space");
  await expect.poll(follows).toEqual([
    { kind: "players_reached", threshold: 6 },
    { kind: "server_up", threshold: null },
  ]);
  await dialog.getByRole("button", { name: "More people" }).press("Enter");
  await expect.poll(async () => (await follows()).map(({ threshold }) => threshold)).toEqual([7, null]);
  await expect(dialog.getByRole("status")).toHaveText("Done. We will tell you.");
  await dialog.getByRole("button", { name: "Undo" }).press("Enter");
  await expect.poll(kinds).toEqual(["server_up"]);
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await expect(button).toHaveText("We will tell you");

  // "Back" closes what lies over the page and stays on it; after that it leads to where one came from.
  const here = page.url();
  for (const close of [() => page.goBack(), () => page.keyboard.press("Escape"), () => page.goBack()]) {
    const before = loaded.length;
    await button.click();
    await expect(dialog).toBeVisible();
    expect(loaded.slice(before).filter((url) => /\.data/.test(url))).toEqual([]);
    await close();
    await expect(dialog).toBeHidden();
    expect(page.url()).toBe(here);
  }
  await button.click();
  await dialog.getByRole("link").last().click();
  await expect(page).toHaveURL(`${site.url}/following`);
  await page.goBack();
  await expect(page).toHaveURL(here);
  await page.goBack();
  await expect(page).toHaveURL("about:blank");
  await page.goto(here);

  // As links from elsewhere come: opened, and nobody is asked anything.
  await page.goto(`${page.url()}#tell-me`);
  await page.reload();
  await expect(dialog.getByRole("switch", { name: "it is back up" })).toBeChecked();

  await page.goto(`${site.url}/following`);
  const row = page.getByRole("listitem").filter({ hasText: NAME });
  await expect(row).toContainText("when it is back up");
  await row.getByRole("button").click();
  await expect(row).toContainText("Ended");
  expect(await kinds()).toEqual([]);
  await row.getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(kinds).toEqual(["server_up"]);
  await page.getByRole("button", { name: "End everything here" }).click();
  await expect(page.getByText("Everything here is ended.")).toBeVisible();
  expect(await site.sql`select from notification_targets where kind = 'push'`).toHaveLength(0);
  await context.close();
});

test("after logging out, the browser shows nothing of what the member followed there and can be set up again", async ({
  browser,
}) => {
  const email = "ada@example.org";
  const passwordHash = await hashPassword(PASSWORD);
  await createUser(site.db, { email, passwordHash, locale: "en", emailVerified: true });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB" });
  await context.addInitScript(makeUpPush, "granted" as const);
  const page = await context.newPage();
  await logIn(context, site.url, email, PASSWORD);

  const button = page.getByRole("button", { name: /: Minecraft Anarchy$/ }).filter({ hasText: /Tell me|We will/ });
  const dialog = page.getByRole("dialog");
  await openServer(page);
  await button.click();
  await expect(dialog.getByRole("status")).toHaveText("Done. We will tell you.");
  await page.keyboard.press("Escape");
  await expect(button).toHaveText("We will tell you");
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  expect(await site.sql`select from notification_targets where kind = 'push'`).toHaveLength(0);

  await openServer(page);
  await expect(button).toHaveText("Tell me when it is back");
  await page.goto(`${page.url()}#tell-me`);
  await expect(dialog.getByRole("switch", { name: "it is back up" })).not.toBeChecked();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await page.goto(`${site.url}/following`);
  await expect(page.getByRole("heading", { name: "On this device" })).toBeVisible();
  await expect(page.getByRole("link", { name: "To the game servers" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);

  await openServer(page);
  await button.click();
  await expect(dialog.getByRole("status")).toHaveText("Done. We will tell you.");
  expect(await kinds()).toEqual(["server_up"]);
  await site.sql`delete from notification_targets`;
  await context.close();
});

test("who says no to the browser is told how to undo it, and nothing is kept", async ({ browser }) => {
  const context = await browser.newContext({ locale: "de-DE" });
  await context.addInitScript(makeUpPush, "denied" as const);
  const page = await context.newPage();
  await openServer(page, "/de");
  await page.getByRole("button", { name: /^Sag mir, wenn er zurück ist/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toContainText("Dein Browser erlaubt uns keine Benachrichtigungen.");
  await expect(dialog.getByRole("switch")).toHaveCount(0);
  expect(await kinds()).toEqual([]);
  await context.close();
});

test("where the service is away or off, who opens it hears so before anybody asks them for a permission", async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, viewport: { width: 360, height: 780 }, locale: "en-GB" });
  await context.addInitScript(makeUpPush, "granted" as const);
  const page = await context.newPage();
  let says = "away";
  await page.route("**/push/key", (route) => {
    if (says === "") return route.continue();
    return route.fulfill({ status: says === "off" ? 404 : 503, json: { error: says } });
  });
  const dialog = page.getByRole("dialog");
  const permission = () => page.evaluate(() => Notification.permission);
  await openServer(page);
  await page.goto(`${page.url()}#tell-me`);
  await expect(dialog.getByRole("alert")).toContainText("We cannot be reached just now.");
  says = "";
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(dialog.getByRole("switch").first()).not.toBeChecked();
  expect(await permission()).toBe("default");

  says = "off";
  await page.reload();
  await expect(dialog.getByRole("alert")).toContainText("This site sends no notifications to devices just now.");
  await expect(dialog.getByRole("switch")).toHaveCount(0);
  expect(await permission()).toBe("default");
  await context.close();
});

test("offline, a press says so and the page stays; the next one, online again, opens", async ({ browser }) => {
  const context = await browser.newContext({ ...PHONE, viewport: { width: 360, height: 780 }, locale: "en-GB" });
  await context.addInitScript(makeUpPush, "granted" as const);
  const page = await context.newPage();
  await openServer(page);
  const button = page.getByRole("button", { name: "Tell me when it is back: Minecraft Anarchy" });
  const share = page.getByRole("link", { name: /^Send to a friend/ }).first();
  await expect(button).toBeVisible();
  await context.setOffline(true);
  await button.click();
  await expect(page.getByText("This could not be loaded: the connection was lost.")).toBeVisible();
  await share.click();
  await expect(page.getByText("You are still where you were.")).toBeVisible();
  await expect(page.locator("h1")).toHaveText(NAME);

  await context.setOffline(false);
  // Where the browser remembers the loss, this press loads the page again, and the next one opens.
  await expect(async () => {
    if (!(await page.getByRole("dialog").isVisible())) await button.click({ timeout: 5_000 });
    await expect(page.getByRole("dialog").getByRole("status")).toHaveText("Done. We will tell you.", {
      timeout: 5_000,
    });
  }).toPass();
  await expect(page.getByText("This could not be loaded")).toBeHidden();
  await context.close();
});
