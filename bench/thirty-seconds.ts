/**
 * N5, the 30-second rule: from the address of the site, on a phone with an empty cache behind a slow line (1.6 Mbit/s, 150 ms,
 * a processor a quarter as fast), until the address of a game server is in the clipboard; by touch and by keyboard, for each
 * of the eight games that ship. An act is a tap or a press of Enter; walking to a place by Tab is not.
 */
import { type Browser, chromium, type Page } from "@playwright/test";
import { FIRST_GAMES } from "#content/first-games.ts";
import { findChromium, installChromium } from "#tests/helpers/chromium.ts";
import { percentile, spreadOf } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";
import { startSite } from "./instruments/site-process.ts";

/** The line and the processor of Lighthouse's phone. Bytes a second, ms. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER = 4;
const HOST = "play.example.org";
const MOST_TABS = 150;

const WAYS = {
  touch: { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  keyboard: { viewport: { width: 1280, height: 800 } },
} as const;
type Way = keyof typeof WAYS;

export async function measure(): Promise<Row[]> {
  const executablePath = findChromium() ?? installChromium();
  if (executablePath === null) throw new Error("It needs a Chromium, and none could be found or installed.");
  const site = await startSite();
  const { sql } = site.database;
  await sql`update gameserver set visibility = 'public', lifecycle = 'active', host = ${HOST}, game_port = coalesce(game_port, 7777)`;
  await sql`update gameserver_live_metrics set status = 'online', user_online = 3, last_asked_at = now() + interval '1 day'`;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  try {
    const rows: Row[] = [];
    for (const way of Object.keys(WAYS) as Way[]) {
      const took: number[] = [];
      const acts: number[] = [];
      for (const { game_slug } of FIRST_GAMES) {
        const found = await findAddress(browser, `http://127.0.0.1:${site.port}`, game_slug, way);
        console.log(`${way}, ${game_slug}: ${found.seconds.toFixed(1)} s, ${found.acts} acts`);
        took.push(found.seconds);
        acts.push(found.acts);
      }
      const what = `cold home on a slow phone to an address in the clipboard, by ${way}, the slowest of eight games`;
      rows.push({
        claim: "N5",
        what,
        ours: `${percentile(took, 0.5).toFixed(1)} s median`,
        value: Math.max(...took),
        unit: " s",
        spread: spreadOf(took),
        floor: 15,
        goal: 8,
        better: "less",
      });
      rows.push({
        claim: "N5",
        what: `acts of it, by ${way}`,
        ours: `${percentile(acts, 0.5)} median`,
        value: Math.max(...acts),
        unit: "",
        floor: 3,
        goal: 2,
        better: "less",
      });
    }
    return rows;
  } finally {
    await browser.close();
    await site.stop();
  }
}

/** One person, from typing the site's address on. */
async function findAddress(browser: Browser, url: string, slug: string, way: Way) {
  const context = await browser.newContext({ ...WAYS[way], permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", LINE);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  let acts = 0;
  const act = async (selector: string) => {
    acts += 1;
    if (way === "touch") await page.locator(selector).first().tap({ timeout: 60_000 });
    else await pressAt(page, selector);
  };
  const copied = () =>
    page.waitForFunction(
      async (host) => (await navigator.clipboard.readText().catch(() => "")).startsWith(host),
      HOST,
      { timeout: 60_000, polling: 50 },
    );
  try {
    const began = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    await act(`main a[href="/games/${slug}"]`);
    await page.waitForURL(`**/games/${slug}`, { waitUntil: "commit", timeout: 60_000 });
    // The home page copies addresses, too: only when it is gone is the next button that of the game.
    await page.locator("#games").waitFor({ state: "detached", timeout: 60_000 });
    await act('main button[aria-label^="Copy address"]');
    await copied();
    return { seconds: (performance.now() - began) / 1000, acts };
  } finally {
    await context.close();
  }
}

/** Walks there by Tab, as people without a pointer do, and presses Enter. */
async function pressAt(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor({ timeout: 60_000 });
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector)) {
      await page.keyboard.press("Enter");
      return;
    }
  }
  throw new Error(`No Tab leads to ${selector}`);
}
