/** What a browser makes of the texts for search engines: nothing runs, nothing is refused, and they follow the page. */
import { expect, test } from "@playwright/test";
import { isTrouble } from "./alive.ts";
import { type Site, startSite } from "./site.ts";

const HOSTILE = "</script><script>alert(1)</script>";
let site: Site;

test.beforeAll(async () => {
  site = await startSite();
  await site.sql`update gameserver set visibility = 'public', server_name = ${HOSTILE} where server_name = 'Valheim Vanilla'`;
});

test.afterAll(async () => {
  await site.stop();
});

test("the texts for search engines break no rule of the page, and are those of the page that is shown", async ({
  page,
}) => {
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (isTrouble(message)) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("dialog", (dialog) => {
    troubles.push(dialog.message());
    return dialog.dismiss();
  });
  const things = page.locator('script[type="application/ld+json"]');
  const shared = (name: string) => page.locator(`meta[property="og:${name}"]`);

  await page.goto(`${site.url}/games/valheim`);
  await expect(things).toHaveCount(1);
  await page.getByRole("link", { name: HOSTILE, exact: true }).first().click();
  await expect(page).toHaveURL(/\/servers\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(HOSTILE);
  await expect(things).toHaveCount(1);
  expect(JSON.parse((await things.textContent()) ?? "")["@graph"]).toContainEqual(
    expect.objectContaining({ "@type": "GameServer", name: HOSTILE, url: page.url() }),
  );
  await expect(shared("url")).toHaveAttribute("content", page.url());
  for (const name of ["title", "description", "image"]) await expect(shared(name)).toHaveCount(1);

  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(HOSTILE);
  await expect(things).toHaveCount(1);
  expect(troubles).toEqual([]);
});
