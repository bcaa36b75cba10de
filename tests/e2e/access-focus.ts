/** Walks through a page by the Tab key, as somebody without a mouse does, and says what is wrong on the way. */
import type { Page } from "@playwright/test";

type Stop = { name: string; at: number; faults: string[] };

/** What is wrong: a stop that is missed, comes in another order, does not show its focus, or lies under something. */
export async function walkByTab(page: Page): Promise<string[]> {
  await page.evaluate(prepare);
  const expected = await page.evaluate(() => window.walk.names());
  const faults: string[] = [];
  const seen: number[] = [];
  // One more than there are, and then it must be over.
  for (let press = 0; press <= expected.length + 1; press += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => window.walk.here());
    if (stop === null) break;
    if (seen.includes(stop.at)) break;
    seen.push(stop.at);
    faults.push(...stop.faults.map((fault) => `${stop.name}: ${fault}`));
  }
  const missed = expected.filter((_, at) => !seen.includes(at));
  if (missed.length > 0) faults.push(`never reached: ${missed.join(", ")}`);
  if (seen.some((at, place) => place > 0 && at < (seen[place - 1] ?? 0)))
    faults.push(`another order: ${seen.join(" ")}`);
  if (expected.length < 5) faults.push(`only ${expected.length} stops were found at all`);
  return faults;
}

declare global {
  interface Window {
    walk: { names(): string[]; here(): Stop | null };
  }
}

/** Runs in the browser: notes what can be reached, and how it looks without the focus. */
function prepare(): void {
  const SELECTOR = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const stops = [...document.querySelectorAll<HTMLElement>(SELECTOR)].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(":disabled") &&
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest("[inert]"),
  );
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()} “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}”`;
  const paint = (element: Element, pseudo?: string) => {
    const style = getComputedStyle(element, pseudo);
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, backgroundColor, borderColor } = style;
    const outline = outlineStyle === "none" ? "none" : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
    return [outline, boxShadow, backgroundColor, borderColor].join("|");
  };
  /** A card may show the focus of the link inside, a field that of its input. */
  const looksOf = (element: Element): string =>
    [element, element.parentElement, element.parentElement?.parentElement]
      .filter((each) => each !== null && each !== undefined)
      .flatMap((each) => [paint(each), paint(each, "::before"), paint(each, "::after")])
      .join("\n");
  const before = stops.map(looksOf);

  window.walk = {
    names: () => stops.map(nameOf),
    here() {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const at = stops.indexOf(element);
      if (at < 0) return { name: nameOf(element), at, faults: ["was not expected"] };
      const faults: string[] = [];
      if (looksOf(element) === before[at]) faults.push("does not show its focus");
      const box = [...element.getClientRects()].find((rect) => rect.width > 0 && rect.height > 0);
      if (!box) return { name: nameOf(element), at, faults: [...faults, "has no place"] };
      const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
      // A card may be taller than the window; its upper part must be in it.
      for (const y of [box.top + Math.min(box.height, 24) / 2, (box.top + Math.min(box.bottom, innerHeight)) / 2]) {
        const top = document.elementFromPoint(x, y);
        const own = top && (element.contains(top) || top.contains(element) || top.closest("label")?.contains(element));
        if (!own)
          faults.push(
            `lies under ${top ? nameOf(top) : "the edge of the window"} at ${Math.round(x)}, ${Math.round(y)}`,
          );
      }
      return { name: nameOf(element), at, faults };
    },
  };
}
