/** Opens a page and waits until it answers to script: a visitor's page fetches its scripts once it is on the screen. */
import type { Page } from "@playwright/test";

/** React marks the elements that it has taken over. */
export async function openAlive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((name) => name.startsWith("__react")),
  );
}
