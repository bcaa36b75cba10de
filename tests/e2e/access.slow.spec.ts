/**
 * Every page of the route map for everyone, and what can be opened on it: axe finds nothing in both themes, wide and narrow; pages
 * fit tablets, 400 % zoom and wide letters.
 */
import { expect, type Page, test } from "@playwright/test";
import { findFaults, NARROW, openPage, WIDE } from "./access-looks.ts";
import { listPages, type Who } from "./access-map.ts";
import { type AccessSite, startAccessSite } from "./access-site.ts";
import { STATES } from "./access-states.ts";
import { isItsTurn } from "./turn.ts";

let site: AccessSite;

test.beforeAll(async () => {
  site = await startAccessSite();
});

test.afterAll(async () => {
  await site?.stop();
});

/** A screen of 1280 × 1024 px at 400 % (WCAG 1.4.10). */
const ZOOMED = { width: 320, height: 256 };

/** What people set who read wide letters best (WCAG 1.4.12). */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }`;

const ROLES: Who[] = ["nobody", "member", "admin"];
/** Pages that the map counts to everybody's, but which show something only to members. */
const FOR_MEMBERS = ["/logout"];
/** In German, too: the texts are longer. */
const GERMAN = ["/de", "/de/dashboard", "/de/contact"];

for (const who of ROLES) {
  test(`every page, as ${who}`, async ({ browser }) => {
    const context = await site.browserOf(browser, who, { reducedMotion: "reduce", locale: "en-GB" });
    // It stands above every page of the demo, and gets its own look.
    await context.addInitScript(() => sessionStorage.setItem("demoBanner", "closed"));
    const page = await context.newPage();
    const mapped = (await listPages(site.values)).filter((each) => each.who === who).map(({ address }) => address);
    const addresses =
      who === "nobody"
        ? [...mapped.filter((address) => !FOR_MEMBERS.includes(address)), ...GERMAN]
        : who === "member"
          ? [...mapped, ...FOR_MEMBERS, "/"]
          : mapped;
    const faults: string[] = [];
    for (const [at, address] of addresses.entries()) {
      const widths = [WIDE, NARROW].filter((_, index) => isItsTurn(at + index, 2));
      faults.push(...(await openPage(page, site.url, address)));
      const found = await findFaults(page, [...widths, 768]);
      if (!GERMAN.includes(address)) found.push(...(await findCramped(page)));
      faults.push(...found.map((fault) => `${address}: ${fault}`));
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}

for (const who of ROLES) {
  test(`what opens, is refused or is lost, as ${who}`, async ({ browser }) => {
    const context = await site.browserOf(browser, who, { reducedMotion: "reduce", locale: "en-GB" });
    context.setDefaultTimeout(8_000);
    // It lies over the end of every page of the demo, and gets its own look.
    await context.addInitScript(() => sessionStorage.setItem("demoBanner", "closed"));
    const page = await context.newPage();
    const faults: string[] = [];
    for (const { name, at, act, widths = [WIDE, NARROW] } of STATES.filter((state) => state.who === who)) {
      const address = at(site);
      faults.push(...(await openPage(page, site.url, address, widths[0])));
      try {
        await act(page, site);
      } catch (error) {
        faults.push(`${name}: could not be reached: ${String(error).slice(0, 300)}`);
        continue;
      }
      for (const fault of await findFaults(page, widths)) faults.push(`${name}: ${fault}`);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** What doesn't fit at 400 % zoom, or with wide letters. */
async function findCramped(page: Page): Promise<string[]> {
  await page.setViewportSize(ZOOMED);
  const found = (await page.evaluate(sideways)).map((fault) => `400 %: ${fault}`);
  found.push(...(await page.evaluate(coveredByBar)).map((fault) => `400 %: ${fault}`));
  await spread(page);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    found.push(...(await page.evaluate(sideways)).map((fault) => `wide letters, ${width} px: ${fault}`));
    found.push(...(await page.evaluate(cutOff)).map((fault) => `wide letters, ${width} px: ${fault}`));
  }
  return found;
}

/** Styles made by script are none that the policy of the site forbids. */
async function spread(page: Page): Promise<void> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, SPACING);
}

/** Runs in the browser. */
function sideways(): string[] {
  const { scrollWidth } = document.documentElement;
  if (scrollWidth <= innerWidth) return [];
  const wide = [...document.body.querySelectorAll("*")].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility(),
  );
  const names = wide.slice(0, 4).map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class")}`);
  return [`scrolls sideways: ${scrollWidth} px (${names.join(", ")})`];
}

/** Runs in the browser: what stays in place while one scrolls leaves more than half of the window to the page. */
function coveredByBar(): string[] {
  const kept = [...document.body.querySelectorAll("*")].filter((element) => {
    const { position } = getComputedStyle(element);
    return (position === "fixed" || position === "sticky") && element.checkVisibility();
  });
  const tallest = Math.max(0, ...kept.map((element) => element.getBoundingClientRect().height));
  return tallest > innerHeight / 2 ? [`${tallest} of ${innerHeight} px stay covered`] : [];
}

/** Runs in the browser: boxes that hide what is too long for them, but for those that say so by three dots or scroll. */
function cutOff(): string[] {
  const faults: string[] = [];
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    const style = getComputedStyle(element);
    const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (!text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { width, height } = element.getBoundingClientRect();
    // For screen readers alone.
    if (width <= 1 || height <= 1) continue;
    const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
    const across =
      hides(style.overflowX) && style.textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + 1;
    const down = hides(style.overflowY) && element.scrollHeight > element.clientHeight + 2;
    if (across || down)
      faults.push(
        `${element.tagName.toLowerCase()}.${element.getAttribute("class")} cuts off "${element.textContent?.trim().slice(0, 30)}"`,
      );
  }
  return faults;
}
