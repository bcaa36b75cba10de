/** Menus and dialogs while they are open, forms that were refused, pages that were lost: axe finds nothing there either. */
import { expect, test } from "@playwright/test";
import { findFaults, NARROW, openPage, WIDE } from "./access-looks.ts";
import type { Who } from "./access-map.ts";
import { type AccessSite, startAccessSite } from "./access-site.ts";
import { STATES } from "./access-states.ts";

let site: AccessSite;

test.beforeAll(async () => {
  site = await startAccessSite();
});

test.afterAll(async () => {
  await site?.stop();
});

const ROLES: Who[] = ["nobody", "member", "admin"];

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
