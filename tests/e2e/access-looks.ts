/** Looks at a page in both themes, wide and narrow: axe finds nothing, and nothing scrolls sideways. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const axe = createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js");
const SOURCE = readFileSync(axe, "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What another theme can change: the page is the same but for its colours. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

export const WIDE = 1280;
export const NARROW = 320;

type Axe = {
  run(
    at: Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
};

/** Opens a page. What is wrong: it is not the one that was asked for. */
export async function openPage(page: Page, site: string, address: string, width = WIDE): Promise<string[]> {
  await page.setViewportSize({ width, height: 800 });
  // An address with a hash would be the same page otherwise.
  if (address.includes("#")) await page.goto("about:blank");
  const answer = await page.goto(site + address);
  const faults: string[] = [];
  if (!answer || answer.status() >= 500) faults.push(`${address}: status ${answer?.status()}`);
  const { pathname } = new URL(page.url());
  if (pathname.replace(/\/$/, "") !== address.replace(/[?#].*/, "").replace(/\/$/, ""))
    faults.push(`${address}: leads to ${pathname}`);
  return faults;
}

/** What is wrong with the page as it stands: one line each, none when all is well. */
export async function findFaults(page: Page, widths: readonly number[] = [WIDE, NARROW]): Promise<string[]> {
  const faults: string[] = [];
  // A page that is being read again is dimmed for that moment, and a chart far below is loaded once it comes near.
  const loading = page.locator("[data-loading], [aria-busy=true]");
  const top = await page.evaluate(() => scrollY);
  await loading.evaluateAll((parts) => parts[0]?.scrollIntoView());
  await expect(loading).toHaveCount(0);
  await page.evaluate((y) => scrollTo(0, y), top);
  await page.evaluate(SOURCE);
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === WIDE ? 900 : 640 });
    for (const theme of ["dark", "light"] as const) {
      const runOnly = theme === "dark" ? { type: "tag", values: TAGS } : { type: "rule", values: OF_COLOURS };
      const found = await page.evaluate(look, { theme, runOnly });
      faults.push(...found.map((fault) => `${theme}, ${width} px: ${fault}`));
    }
  }
  return faults;
}

/** Runs in the browser. */
async function look({ theme, runOnly }: { theme: string; runOnly: object }): Promise<string[]> {
  document.documentElement.dataset.theme = theme;
  scrollTo(0, 0);
  // What is on its way from one colour to the other has neither. Asking for the animations starts them.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) animation.cancel();
    else animation.finish();
  }
  const { axe } = window as unknown as { axe: Axe };
  const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
  const faults = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target }) => target.join(" ")).join("; ")} (${nodes[0]?.failureSummary?.replace(/\s+/g, " ")})`,
  );
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility(),
    );
    const names = wide
      .slice(0, 4)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class")}`);
    faults.push(`scrolls sideways: ${scrollWidth} px (${names.join(", ")})`);
  }
  return faults;
}
