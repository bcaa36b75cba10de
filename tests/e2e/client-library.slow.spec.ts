/** The client library in real browsers: by one script tag, and with one session in two tabs for an hour. */
import { expect, type Page, test } from "@playwright/test";
import { seedDemoContent } from "#demo/demo-content.ts";
import type { Client } from "../../client/src/index.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../helpers/account-site.ts";

declare const spawnpoint: Client;

let site: AccountSite;
test.beforeAll(async () => {
  site = await startAccountSite();
  await seedDemoContent(site.database.db);
  await site.sql`update gameserver set visibility = 'public'`;
});
test.afterAll(() => site?.stop());

/** Opens a page of nothing but this, at the site's address. */
async function open(page: Page, html: string) {
  await page.route("**/plain", (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(`${site.base}/plain`);
}

test("the script tag of the quick start fills the page", async ({ page }) => {
  await page.goto(`${site.base}/developers`);
  const code = (await page.locator("[data-quick-start=pages]").textContent()) ?? "";
  await open(page, code);
  await expect(page.locator("#players")).toHaveText(/^\d+$/);
});

test("two tabs with one session stay signed in for an hour, and only one of them renews it", async ({ context }) => {
  await site.member("tabs@example.org");
  const tabs = [await context.newPage(), await context.newPage()] as const;
  const refreshes: { from: number; to: number; status: number }[] = [];
  context.on("requestfinished", async (request) => {
    if (!request.url().endsWith("/session/refresh")) return;
    const { startTime, responseEnd } = request.timing();
    const response = await request.response();
    refreshes.push({ from: startTime, to: startTime + responseEnd, status: response?.status() ?? 0 });
  });
  await context.clock.install();
  for (const tab of tabs) {
    await open(tab, `<script type="module" src="/client.js"></script>`);
    await tab.waitForFunction("typeof spawnpoint === 'object'");
  }
  const error = await tabs[0].evaluate(
    async ([email, password]) => (await spawnpoint.auth.signInWithPassword({ email, password })).error,
    ["tabs@example.org", PASSWORD] as const,
  );
  expect(error).toBeNull();
  for (let second = 0; second < 3_600; second += 30) {
    await context.clock.runFor(30_000);
    // Both ask in the same moment, whoever of them renews it just now.
    const answers = await Promise.all(
      tabs.map((tab) => tab.evaluate(async () => (await spawnpoint.auth.getSession()).data.session !== null)),
    );
    expect(answers, `after ${second + 30} s`).toEqual([true, true]);
  }
  const users = await Promise.all(
    tabs.map((tab) => tab.evaluate(async () => (await spawnpoint.auth.getUser()).data.user?.email)),
  );
  expect(users).toEqual(["tabs@example.org", "tabs@example.org"]);
  // A token is good for 15 minutes, and is renewed when two are left.
  expect(refreshes.length).toBeGreaterThanOrEqual(4);
  expect(refreshes.length).toBeLessThanOrEqual(6);
  expect(refreshes.every(({ status }) => status === 200)).toBe(true);
  const inOrder = refreshes.toSorted((one, other) => one.from - other.from);
  for (const [index, { from }] of inOrder.entries())
    if (index > 0) expect(from).toBeGreaterThanOrEqual(inOrder[index - 1]?.to ?? 0);
});

test("a link to set a new password, opened on the site, is told as well", async ({ context }) => {
  const email = "forgets@example.org";
  await site.member(email);
  await site.browser().post("/forgot-password", { email });
  const tab = await context.newPage();
  await open(tab, `<script type="module" src="/client.js"></script>`);
  await tab.waitForFunction("typeof spawnpoint === 'object'");
  await tab.evaluate(() => {
    const events: string[] = [];
    Object.assign(globalThis, { events });
    spawnpoint.auth.onAuthStateChange((event) => events.push(event));
  });
  await (await context.newPage()).goto(site.base + (await site.linkTo(email)));
  await expect.poll(() => tab.evaluate("events")).toEqual(["INITIAL_SESSION", "PASSWORD_RECOVERY"]);
});
