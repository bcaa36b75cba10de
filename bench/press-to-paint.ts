/**
 * N6: a phone on a site with 5,000 game servers: from a press to the next picture that is painted ("interaction to next paint"), as
 * the browser's own Event Timing tells it, for each kind of act the 75th percentile of seven.
 * The phone's processor is a quarter as fast as the machine that the figures are for, whatever machine this runs on: a fixed
 * piece of work (rows built and laid out) is timed first, and the browser is slowed by as much as that comes out faster.
 */
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { openAlive } from "#tests/e2e/alive.ts";
import { findChromium, installChromium } from "#tests/helpers/chromium.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { addManyGameServers, LARGEST_GAME } from "#tests/helpers/many-game-servers.ts";
import { percentile, spreadOf } from "./instruments/pairs.ts";
import { brief, type Row } from "./instruments/row.ts";
import { startSite } from "./instruments/site-process.ts";

const SERVERS = 5_000;
const PRESSES = 7;
const PHONE = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
/** The processor of Lighthouse's phone. */
const SLOWER = 4;
/** What the fixed work takes where bare `node:http` answers 20,000 home pages a second, ms. */
const YARDSTICK_MS = 4.4;
const YARDSTICK_TRIES = 60;
/** So long after a press nothing that it began is still under way. */
const SETTLED_MS = 900;
/** Slower than the pause after which a search is asked for: letters come while the rows of those before are made. */
const BETWEEN_LETTERS_MS = 330;

type Press = (page: Page, n: number) => Promise<void>;

const star: Press = (page, n) =>
  page
    .locator("tbody button[aria-pressed]")
    .nth(n % 6)
    .tap();
const copy: Press = (page, n) =>
  page
    .locator('tbody button[aria-label^="Copy address"]')
    .nth(n % 5)
    .tap();
const hasPlayers: Press = (page) => page.locator("label:has(input[name=players])").tap();
const turnPage: Press = (page, n) => page.getByRole("link", { name: n % 2 ? "Previous" : "Next" }).tap();
/** One link of a list after the other; the way back is none of what is measured. */
const openFrom =
  (links: string): Press =>
  (page, n) =>
    page
      .locator(links)
      .nth(n % 5)
      .tap();

const ACTS: { what: string; path: string; press: Press; leaves?: boolean }[] = [
  { what: "home: a star", path: "/", press: star },
  { what: "home: “Has players”", path: "/", press: hasPlayers },
  { what: "home: copy an address", path: "/", press: copy },
  { what: "home: the menu", path: "/", press: (page) => page.locator("header button[popovertarget=site-menu]").tap() },
  { what: "home: open a game", path: "/", press: openFrom("#games li a"), leaves: true },
  { what: "dashboard: a star", path: "/dashboard", press: star },
  { what: "dashboard: “Has players”", path: "/dashboard", press: hasPlayers },
  { what: "dashboard: turn the page", path: "/dashboard", press: turnPage },
  { what: "dashboard: copy an address", path: "/dashboard", press: copy },
  { what: "dashboard: open a game server", path: "/dashboard", press: openFrom("tbody th a"), leaves: true },
  { what: "a game with 250: turn the page", path: `/games/${LARGEST_GAME}`, press: turnPage },
  { what: "all games: open one", path: "/games", press: openFrom(`main li a[href*="/games/"]`), leaves: true },
];

/** @returns a row for each act, and one for the letters of a search */
export async function measure(tell: (row: Row) => void): Promise<Row[]> {
  const executablePath = findChromium() ?? installChromium();
  if (executablePath === null) throw new Error("It needs a Chromium, and none could be found or installed.");
  const database = await createTestDatabase();
  await addManyGameServers(database, { servers: SERVERS });
  const site = await startSite({ database });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  const say = (row: Row) => {
    console.log(`${row.what}: ${brief(row.value)} ms (${row.ours})`);
    tell(row);
  };
  try {
    const rate = await findSlowdown(browser);
    console.log(`the browser is slowed by ${brief(rate)}`);
    for (const { what, path, press, leaves = false } of ACTS) {
      const phone = await openPhone(browser, site.url + path, rate);
      for (let n = 0; n < PRESSES; n += 1) {
        await phone.press(() => press(phone.page, n));
        if (!leaves) continue;
        const isHere = (url: URL) => url.pathname === path;
        await phone.page.waitForURL((url) => !isHere(url), { timeout: 60_000 });
        await phone.page.goBack();
        await phone.page.waitForURL(isHere, { timeout: 60_000 });
        await phone.page.waitForTimeout(SETTLED_MS);
      }
      say(rowOf(what, phone.presses, rate));
      await phone.close();
    }
    for (const path of ["/", "/dashboard"]) {
      const phone = await openPhone(browser, site.url + path, rate);
      await phone.page.locator("input[name=q]").tap();
      await phone.page.waitForTimeout(SETTLED_MS);
      for (const letter of "harbour") {
        await phone.press(async () => phone.page.keyboard.press(letter), BETWEEN_LETTERS_MS);
      }
      say(rowOf(`${path === "/" ? "home" : "dashboard"}: a letter in the search`, phone.presses, rate));
      await phone.close();
    }
    return [];
  } finally {
    await browser.close();
    await site.stop();
    await database.drop();
  }
}

/** How many times slower the browser has to be to be the phone; 1 where it is as slow already. */
async function findSlowdown(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  const fastest = await page.evaluate(async (tries) => {
    let best = Number.POSITIVE_INFINITY;
    for (let n = 0; n < tries; n += 1) {
      const began = performance.now();
      const list = document.createElement("ul");
      for (let row = 0; row < 200; row += 1) {
        const item = list.appendChild(document.createElement("li"));
        item.style.cssText = "display: grid; grid-template-columns: 1fr auto; padding: 8px";
        for (const text of [`Game server ${row} in the harbour`, `${row} / 60`]) {
          item.appendChild(document.createElement("span")).textContent = text;
        }
      }
      document.body.append(list);
      void list.offsetHeight;
      best = Math.min(best, performance.now() - began);
      list.remove();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return best;
  }, YARDSTICK_TRIES);
  await page.close();
  return Math.max(1, (SLOWER * YARDSTICK_MS) / fastest);
}

type Pressed = {
  /** From the press to the next paint, ms; what Event Timing does not tell is below its least, 16 ms. */
  paint: number;
  /** The longest that the page was busy in one go afterwards: so long the next press might have to wait. */
  busy: number;
};

/** A phone on which the page is alive and at rest. */
async function openPhone(browser: Browser, url: string, rate: number) {
  const context = await browser.newContext(PHONE);
  await context.addInitScript(watchPresses);
  const page = await context.newPage();
  const devtools: CDPSession = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate });
  await openAlive(page, url);
  await page.waitForTimeout(3 * SETTLED_MS);
  const presses: Pressed[] = [];
  return {
    page,
    presses,
    close: () => context.close(),
    async press(act: () => Promise<void>, settled = SETTLED_MS) {
      const before = await page.evaluate(() => watchedPresses.take());
      await act();
      await page.waitForTimeout(settled);
      const now = await page.evaluate(() => watchedPresses.take());
      // A press that met nothing would be the fastest of all.
      if (now.count <= before.count) throw new Error(`The browser has seen no press at ${page.url()}.`);
      presses.push({ paint: Math.max(16, ...now.paints), busy: Math.max(0, ...now.busy) });
    },
  };
}

declare const watchedPresses: { take(): { count: number; paints: number[]; busy: number[] } };

/** Runs in the page, before anything of its own. */
function watchPresses() {
  let paints: number[] = [];
  let busy: number[] = [];
  const onEvents = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
      if (entry.interactionId > 0) paints.push(entry.duration);
    }
  });
  onEvents.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  const onTasks = new PerformanceObserver((list) => busy.push(...list.getEntries().map(({ duration }) => duration)));
  onTasks.observe({ type: "longtask" });
  Object.assign(globalThis, {
    watchedPresses: {
      take() {
        const taken = {
          count: (performance as unknown as { interactionCount: number }).interactionCount,
          paints,
          busy,
        };
        paints = [];
        busy = [];
        return taken;
      },
    },
  });
}

function rowOf(what: string, presses: readonly Pressed[], rate: number): Row {
  const paints = presses.map(({ paint }) => paint);
  const busy = percentile(
    presses.map(({ busy }) => busy),
    0.75,
  );
  return {
    claim: "N6",
    what: `press to paint on a phone, ${SERVERS} game servers; ${what}: p75 of ${presses.length}`,
    ours: `${brief(percentile(paints, 0.5))} ms median; busy afterwards ${brief(busy)} ms (slowed ×${brief(rate)})`,
    value: percentile(paints, 0.75),
    unit: " ms",
    spread: spreadOf(paints),
    floor: 200,
    goal: 100,
    better: "less",
  };
}
