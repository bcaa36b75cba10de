/** Sizes that style sheets alone decide: the slideshow, the grid of games, and where the map of the week opens. */
import { expect, test } from "@playwright/test";
import { openAlive } from "./alive.ts";
import { PHONE } from "./phone-looks.ts";
import { type Site, startSite } from "./site.ts";

let site: Site;
test.beforeAll(async () => {
  site = await startSite({ demo: true });
});
test.afterAll(() => site.stop());

test("the slideshow is 700 px high on desks and 45 % of the screen on phones, with all of its words inside", async ({
  browser,
}) => {
  const desk = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await desk.goto(site.url);
  expect((await desk.locator("[aria-roledescription]").boundingBox())?.height).toBe(700);
  await desk.close();
  const phone = await browser.newPage(PHONE);
  for (const [width, height] of [
    [390, 844],
    [360, 640],
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

test("cards of games are 300 to 345 px wide, and eight of them leave no hole", async ({ browser }) => {
  for (const [width, columns] of [
    [1920, 4],
    [1440, 4],
    [1280, 4],
    [1279, 2],
    [1024, 2],
    [768, 2],
    [390, 1],
    [320, 1],
  ] as const) {
    const page = await browser.newPage({
      viewport: { width, height: 800 },
      ...(width < 700 && { ...PHONE, viewport: { width, height: 800 } }),
    });
    await page.goto(site.url);
    const boxes = await page.locator("#games li").evaluateAll((cards) =>
      cards.map((card) => {
        const { top, width } = card.getBoundingClientRect();
        return { top: Math.round(top), width };
      }),
    );
    expect(boxes).toHaveLength(8);
    for (const box of boxes) {
      expect(box.width, `${width} px`).toBeGreaterThanOrEqual(300);
      expect(box.width, `${width} px`).toBeLessThanOrEqual(345);
    }
    const rows = [...Map.groupBy(boxes, ({ top }) => top).values()].map(({ length }) => length);
    expect(rows, `${width} px`).toEqual(Array(8 / columns).fill(columns));
    await page.close();
  }
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
