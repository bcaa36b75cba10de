/** Every page of the map for everybody: axe finds nothing, in both themes, wide and narrow, and nothing scrolls sideways. */
import { expect, test } from "@playwright/test";
import { findFaults, NARROW, openPage, WIDE } from "./access-looks.ts";
import { listPages, type Who } from "./access-map.ts";
import { type AccessSite, startAccessSite } from "./access-site.ts";
import { isItsTurn } from "./turn.ts";

let site: AccessSite;

test.beforeAll(async () => {
  site = await startAccessSite();
});

test.afterAll(async () => {
  await site?.stop();
});

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
      for (const fault of await findFaults(page, widths)) faults.push(`${address}: ${fault}`);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}
