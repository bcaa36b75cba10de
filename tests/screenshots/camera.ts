/**
 * Takes the pictures: opens a page once on a desk and once on an emulated phone, brings it into its state, and shoots it at each
 * width in both themes.
 */
import { availableParallelism } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { Who } from "../e2e/access-map.ts";
import type { AccessSite } from "../e2e/access-site.ts";
import { untilLoaded } from "../e2e/alive.ts";
import { PHONE } from "../e2e/phone-looks.ts";

const WIDTHS = [1440, 768, 360] as const;
export type Theme = "dark" | "light";

export type Shot = {
  /** File name without its ending: a group, two dashes, a name. */
  name: string;
  who: Who;
  address: string;
  act?: (page: Page, site: AccessSite) => Promise<void>;
  /** Where not all: widths with their themes. */
  at?: At;
  /** Also what is seen of it before anybody scrolls. */
  firstView?: true;
  /** What lies over the page: shown as it stands on the screen, without what is further down. */
  onScreen?: true;
};

const BOTH: readonly Theme[] = ["dark", "light"];
const HEIGHT: Record<number, number> = { 1440: 900, 768: 1024, 360: 740 };
/** Nobody looks further down, and Chromium's own limit is 16,384. */
const TALLEST = 10_000;
const LIMIT_MS = 45_000;
/** In a narrow window of a desk nothing is seen of what a phone does to a page that is too wide for it. */
const isPhone = (width: number) => width < 600;

type At = readonly (readonly [width: number, themes: readonly Theme[]])[];

/** Every width, in both themes. */
export const ALL: At = WIDTHS.map((width) => [width, BOTH] as const);

/**
 * Takes them all, once everybody is signed in, as many at a time as there are cores. What could not be
 * reached comes back, one line each.
 */
export async function takePictures(
  browser: Browser,
  site: AccessSite,
  shots: readonly Shot[],
  folder: string,
): Promise<string[]> {
  const missed: string[] = [];
  const queue = [...shots];
  // Signed in one after the other, by the form.
  for (const who of new Set(shots.map((shot) => shot.who))) await (await open(browser, site, who)).close();
  await Promise.all(
    Array.from({ length: Math.max(2, availableParallelism()) }, async () => {
      // One browser for each of them, which keeps what it has fetched.
      const browsers = new Map<string, BrowserContext>();
      for (let shot = queue.shift(); shot; shot = queue.shift()) {
        const at = shot.at ?? ALL;
        for (const phone of [false, true]) {
          const ofKind = at.filter(([width]) => isPhone(width) === phone);
          if (ofKind.length === 0) continue;
          const key = `${shot.who} ${shot.address.startsWith("/de")} ${phone}`;
          const context = browsers.get(key) ?? (await open(browser, site, shot.who, phone));
          browsers.set(key, context);
          const page = await context.newPage();
          try {
            await Promise.race([take(page, site, { ...shot, at: ofKind }, folder), overdue()]);
          } catch (error) {
            missed.push(`${shot.name}${phone ? " on a phone" : ""}: ${String(error).slice(0, 300)}`);
          }
          await page.close();
        }
      }
      for (const context of browsers.values()) await context.close();
    }),
  );
  return missed;
}

/** What runs in the page has no limit of its own. */
async function overdue(): Promise<never> {
  await setTimeout(LIMIT_MS, undefined, { ref: false });
  throw new Error("took too long");
}

async function open(browser: Browser, site: AccessSite, who: Who, phone = false): Promise<BrowserContext> {
  const context = await site.browserOf(browser, who, {
    reducedMotion: "reduce",
    locale: "en-GB",
    ...(phone ? PHONE : {}),
  });
  context.setDefaultTimeout(15_000);
  // It stands above every page of the demo, and has a picture of its own.
  await context.addInitScript(() => sessionStorage.setItem("demoBanner", "closed"));
  return context;
}

async function take(page: Page, site: AccessSite, shot: Shot & { at: At }, folder: string): Promise<void> {
  const { at } = shot;
  const resize = (width: number) => page.setViewportSize({ width, height: HEIGHT[width] ?? 900 });
  await resize(at[0]?.[0] ?? WIDTHS[0]);
  await page.goto(site.url + shot.address);
  await page.evaluate(() => document.fonts.ready);
  // What is held back for a picture begins later.
  await untilLoaded(page);
  await page.evaluate(closeBanner);
  await page.evaluate(() => scrollTo(0, 0));
  await shot.act?.(page, site);
  // Where a form led to.
  const place = await page.evaluate(() => scrollY);
  for (const [width, themes] of at) {
    await resize(width);
    await page.evaluate(bringPictures);
    for (const theme of themes) {
      await page.evaluate(wear, theme);
      const height = Math.min(TALLEST, await page.evaluate(() => document.documentElement.scrollHeight));
      await page.screenshot({
        path: path.join(folder, `${shot.name}--${width}-${theme}.jpg`),
        type: "jpeg",
        quality: 86,
        ...(shot.onScreen ? {} : { fullPage: true, clip: { x: 0, y: 0, width, height } }),
      });
      if (!shot.firstView) continue;
      await page.evaluate(showFirstView, place);
      await page.screenshot({
        path: path.join(folder, `${shot.name}-first--${width}-${theme}.jpg`),
        type: "jpeg",
        quality: 86,
      });
      await page.evaluate(closeBanner);
    }
  }
}

/** Runs in the browser: what would be fetched on scrolling is fetched now. One that fails has its placeholder to show. */
async function bringPictures(): Promise<void> {
  for (const picture of document.images) picture.loading = "eager";
  await Promise.race([
    Promise.all([...document.images].map((picture) => picture.decode().catch(() => {}))),
    new Promise((resolve) => window.setTimeout(resolve, 3_000)),
  ]);
}

/** Runs in the browser: as it stands when it has opened, with the banner that nobody has closed yet. */
async function showFirstView(place: number): Promise<void> {
  const before = document.documentElement.scrollHeight;
  delete document.documentElement.dataset.demoBanner;
  scrollTo(0, place && place + document.documentElement.scrollHeight - before);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Runs in the browser. */
function closeBanner(): void {
  document.documentElement.dataset.demoBanner = "closed";
}

/** Runs in the browser: changes the theme, without the way from one colour to the other. */
async function wear(theme: string): Promise<void> {
  document.documentElement.dataset.theme = theme;
  scrollTo(0, 0);
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  }
  // Charts draw themselves anew.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}
