/** Two languages as people meet them: sent to their own once, free to change, with and without script. */
import { expect, test } from "@playwright/test";
import { openAlive } from "./alive.ts";
import { type Site, startSite } from "./site.ts";

let site: Site;

test.beforeAll(async () => {
  site = await startSite();
  await site.sql`update gameserver set visibility = 'public' where server_name = 'Valheim Vanilla'`;
});

test.afterAll(async () => {
  await site.stop();
});

for (const javaScriptEnabled of [true, false]) {
  test(`somebody with a German browser gets German, and English on wish, ${javaScriptEnabled ? "with" : "without"} script`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ locale: "de-DE", javaScriptEnabled });
    const page = await context.newPage();
    const html = page.locator("html");
    await page.goto(site.url);
    await expect(page).toHaveURL(`${site.url}/de`);
    await expect(html).toHaveAttribute("lang", "de");

    await page.getByRole("link", { name: "Wer ist online?" }).click();
    await expect(page).toHaveURL(`${site.url}/de/dashboard`);
    await expect(page.getByRole("columnheader", { name: "Spielerrekord" })).toBeVisible();
    await page.getByRole("link", { name: "Valheim Vanilla" }).click();
    await expect(page.getByRole("heading", { name: "So legst du los" })).toBeVisible();

    await page.getByRole("contentinfo").getByRole("link", { name: "English" }).click();
    await expect(page).toHaveURL(/\/servers\/\d+$/);
    await expect(html).toHaveAttribute("lang", "en");
    await expect(page.getByRole("heading", { name: "How to get started" })).toBeVisible();
    await expect(page.getByText("So legst du los")).toHaveCount(0);

    await page.goto(site.url);
    await expect(page).toHaveURL(`${site.url}/`);
    await expect(html).toHaveAttribute("lang", "en");
    await page.goto(`${site.url}/de/dashboard`);
    await expect(html).toHaveAttribute("lang", "de");
    await context.close();
  });
}

test("a German page comes alive without a word of English, and stays German while one moves about", async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  await openAlive(page, `${site.url}/de`);
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.getByRole("navigation", { name: "Hauptmenü" }).getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.getByRole("link", { name: "Valheim Vanilla" }).click();
  await expect(page.getByRole("heading", { name: "Woher wir das wissen" })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/de`);
  await expect(page.getByRole("heading", { name: "Server-Status" })).toBeVisible();
  expect(loads, "no page was loaded whole").toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});
