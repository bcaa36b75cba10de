/** What a phone asks of single pages; phone-sweep.slow.spec.ts measures every page there is. */
import { expect, test } from "@playwright/test";
import { type AccessSite, startAccessSite } from "./access-site.ts";
import { holdScripts, openAlive } from "./alive.ts";
import { PHONE } from "./phone-looks.ts";

let site: AccessSite;

test.beforeAll(async () => {
  site = await startAccessSite({ demo: false });
});

test.afterAll(async () => {
  await site?.stop();
});

test("a form says in our words what it lacks, and leads there, below the bars", async ({ browser }) => {
  const posts: string[] = [];
  for (const [who, address, act, lacks] of [
    ["nobody", "/login", "Login", ["Email required", "Password required"]],
    ["nobody", "/de/login", "Anmelden", ["E-Mail erforderlich", "Passwort erforderlich"]],
    ["nobody", "/contact", "Submit", ["Please tell us your name.", "Please write a message."]],
    ["admin", "/admin/gameservers/create", "Create", ["Choose a game.", "Server Name required"]],
    ["admin", "/de/admin/games/create", "Anlegen", ["Name erforderlich"]],
  ] as const) {
    const context = await site.browserOf(browser, who, { ...PHONE, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
    await openAlive(page, site.url + address);
    await page.locator("main").getByRole("button", { name: act, exact: true }).first().click();
    for (const text of lacks) await expect(page.getByText(text).first()).toBeVisible();
    const first = page.locator("main [aria-invalid=true]").first();
    await expect(first, address).toBeFocused();
    await expect(first).toHaveAccessibleDescription(new RegExp(lacks[0]));
    const covered = await first.evaluate((field) => {
      const { left, top, width, bottom } = field.getBoundingClientRect();
      const label = document.querySelector(`label[for="${field.id}"]`)?.getBoundingClientRect();
      const isOwn = (y: number) =>
        field.parentElement?.parentElement?.contains(document.elementFromPoint(left + width / 3, y));
      return bottom > innerHeight || !label || label.top < 60 || !isOwn(top + 2) || !isOwn(bottom - 2);
    });
    expect(covered, `${address}: what was led to is in sight, and its label`).toBe(false);
    // Of a list, the letters choose.
    await page.keyboard.type("aion@example.org");
    await expect(page.getByText(lacks[0], { exact: true })).toHaveCount(0);
    await context.close();
  }
  expect(posts, "nothing was sent").toEqual([]);
});

test("with letters of twice the size every button of a page is on the screen", async ({ browser }) => {
  const context = await browser.newContext({
    ...PHONE,
    viewport: { width: 360, height: 780 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const [{ server_id } = { server_id: 0 }] = await site.sql<{ server_id: number }[]>`
    update gameserver set visibility = 'public', host = '127.0.0.1', game_port = 25599, query_port = 25600
    where server_name = 'Valheim Modded' returning server_id`;
  await expect.poll(async () => (await fetch(`${site.url}/servers/${server_id}`)).status).toBe(200);
  for (const address of [`/de/servers/${server_id}`, "/de/status", "/de/following", "/de"]) {
    await openAlive(page, site.url + address);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(":root { font-size: 200% }");
      document.adoptedStyleSheets = [sheet];
    });
    if (address.includes("servers")) await expect(page.getByRole("link", { name: /^Beitreten/ }).last()).toBeVisible();
    const beside = await page.evaluate(() =>
      [...document.querySelectorAll("main :is(a, button, input, textarea), main p")]
        .filter(
          (element) => element.checkVisibility() && element.closest("[role=group], table, search, form[role]") === null,
        )
        .filter((element) => element.getBoundingClientRect().right > screen.width + 1)
        .map((element) => element.textContent || element.getAttribute("name")),
    );
    expect(beside, address).toEqual([]);
  }
  await context.close();
});

test("what script brings to the login page moves nothing", async ({ browser }) => {
  const context = await browser.newContext({ ...PHONE, reducedMotion: "reduce" });
  const page = await context.newPage();
  const arrive = await holdScripts(page);
  await page.goto(`${site.url}/login/`, { waitUntil: "commit" });
  const place = () =>
    page
      .locator("#login form")
      .first()
      .evaluate((form) => form.getBoundingClientRect().top + scrollY);
  await page.waitForFunction(async () => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
    await document.fonts.ready;
    return sheets.length > 0 && sheets.every(({ sheet }) => sheet !== null) && document.fonts.status === "loaded";
  });
  // Loaded is not yet laid out, on a busy machine.
  let before = await place();
  await expect(async () => {
    const earlier = before;
    await page.waitForTimeout(250);
    before = await place();
    expect(before).toBe(earlier);
  }).toPass();
  arrive();
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  expect(await place()).toBe(before);
  await context.close();
});

test("who reads the terms or the policy beside a form finds what they had typed", async ({ browser }) => {
  const context = await browser.newContext({ ...PHONE, locale: "en-GB" });
  const page = await context.newPage();
  for (const [address, field, link, to] of [
    ["/contact", "main textarea", /^Privacy/, "/privacy-policy"],
    ["/login/#register", "#register input[name=email]", /^terms/i, "/terms-of-service"],
  ] as const) {
    await openAlive(page, site.url + address);
    await page.locator(field).fill("typed@example.org");
    const opened = context.waitForEvent("page");
    await page.locator("main").getByRole("link", { name: link }).click();
    await (await opened).waitForURL(site.url + to);
    await expect(page.locator(field)).toHaveValue("typed@example.org");
    await (await opened).close();
  }
  await context.close();
});

test("a link that is chosen without a network leaves the page and what was typed, and leads on when there is one", async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, locale: "en-GB" });
  const page = await context.newPage();
  await openAlive(page, `${site.url}/contact`);
  await page.locator("main textarea").fill("A long message");
  await context.setOffline(true);
  await page.locator("footer").getByRole("link", { name: "Terms of Service" }).click();
  await expect(page.getByText("The page could not be loaded: the connection was lost.")).toBeVisible();
  await expect(page.locator("main textarea")).toHaveValue("A long message");
  expect(new URL(page.url()).pathname).toBe("/contact");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForURL(`${site.url}/terms-of-service`);
  await context.close();
});

test("what was typed is there again for whoever followed a link and came back; what was sent is not", async ({
  browser,
}) => {
  const context = await site.browserOf(browser, "member", { ...PHONE, reducedMotion: "reduce" });
  const page = await context.newPage();
  const main = page.locator("main");
  const leaveAndComeBack = async () => {
    const address = page.url();
    await page.locator("header").getByRole("link", { name: "Spawnpoint" }).click();
    await expect(page).toHaveURL(`${site.url}/`);
    await page.goBack();
    await expect(page).toHaveURL(address);
  };

  await openAlive(page, `${site.url}/contact`);
  const opened = Date.now();
  await main.getByLabel("Name").fill("Grace Hopper");
  await main.getByLabel("Message").fill("The harbour light is out.");
  await main.getByLabel("This is a privacy request").check();
  await main.locator("select[name=region]").selectOption("europe");
  await leaveAndComeBack();
  await expect(main.getByLabel("Name")).toHaveValue("Grace Hopper");
  await expect(main.getByLabel("Message")).toHaveValue("The harbour light is out.");
  await expect(main.locator("select[name=region]")).toHaveValue("europe");
  await main.getByLabel("This is a privacy request").uncheck();
  // Refused for want of an address, and left then.
  await main.getByRole("button", { name: "Submit" }).click();
  await leaveAndComeBack();
  await expect(main.getByLabel("Message")).toHaveValue("The harbour light is out.");
  await main.getByLabel("Email").fill("grace@example.org");
  // Who sends a form within two seconds is taken for a program.
  await page.waitForTimeout(Math.max(2_100, 2_100 - (Date.now() - opened)));
  await main.getByRole("button", { name: "Submit" }).click();
  await expect(page).toHaveURL(/\/contact\?sent/);
  await main.getByRole("link", { name: "another" }).click();
  await expect(main.getByLabel("Message")).toHaveValue("");
  await leaveAndComeBack();
  await expect(main.getByLabel("Message")).toHaveValue("");

  await openAlive(page, `${site.url}/user/settings/profile/`);
  const before = await main.getByLabel("User Name").inputValue();
  await main.getByLabel("User Name").fill("Half a name");
  await main.locator("[name=player_names]").fill("Bob");
  await leaveAndComeBack();
  await expect(main.getByLabel("User Name")).toHaveValue("Half a name");
  await expect(main.locator("[name=player_names]")).toHaveValue("Bob");
  await main.getByLabel("User Name").fill(before);
  await leaveAndComeBack();
  await expect(main.getByLabel("User Name")).toHaveValue(before);
  await context.close();
});

test("an answer that somebody was writing is there again when they come back from looking something up", async ({
  browser,
}) => {
  const [{ contact_id } = { contact_id: 0 }] = await site.sql<{ contact_id: number }[]>`
    select contact_id from contacts order by contact_id limit 1`;
  const context = await site.browserOf(browser, "admin", { ...PHONE, reducedMotion: "reduce" });
  const page = await context.newPage();
  const answer = page.locator("main textarea[name=text]");
  await openAlive(page, `${site.url}/admin/messages/${contact_id}`);
  await answer.fill("The lamp is on its way.");
  await page.locator("header").getByRole("link", { name: "Spawnpoint" }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await page.goBack();
  await expect(answer).toHaveValue("The lamp is on its way.");
  await page.getByRole("button", { name: "Send the answer" }).click();
  await expect(page.locator("main p").getByText("The lamp is on its way.")).toBeVisible();
  await expect(answer).toHaveValue("");
  await page.locator("header").getByRole("link", { name: "Spawnpoint" }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await page.goBack();
  await expect(answer).toHaveValue("");
  await context.close();
});
