/** When a page answers to script: a visitor's page fetches its scripts once it is on the screen. */
import type { ConsoleMessage, Page } from "@playwright/test";

/** Opens a page and waits until it answers to script. */
export async function openAlive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await untilAlive(page);
}

/** React marks the elements that it has taken over; what script adds by itself is there two frames later. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      // A page without script is all that it will be.
      (document.readyState === "complete" && !document.querySelector("script[type=module]")) ||
      Object.keys(document.querySelector("main") ?? {}).some((name) => name.startsWith("__react")),
    null,
    // Not by frames, of which a page among many others may get none for long.
    { polling: 50 },
  );
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Until all that the page still fetches is there: charts are fetched when one comes near them. */
export async function untilLoaded(page: Page): Promise<void> {
  const loading = page.locator("[aria-busy=true], [data-loading]");
  while ((await loading.count()) > 0) {
    await page.evaluate(() => document.querySelector("[aria-busy=true]")?.scrollIntoView());
    await loading.first().waitFor({ state: "detached" });
  }
}

/** From now on the page's scripts wait on their way until the function that this resolves to is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  return arrive;
}

/** Whether the browser complained; not of the service worker, which journeys block (`playwright.config.ts`). */
export const isTrouble = (message: ConsoleMessage): boolean =>
  ["error", "warning"].includes(message.type()) && !/^Service Worker registration blocked/.test(message.text());
