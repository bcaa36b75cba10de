/** Every form × every way in which no answer comes: the form stays with what was typed, says so, and can be sent again. */
import { type BrowserContext, expect, type Locator, type Page, type Route, test } from "@playwright/test";
import type { Who } from "./access-map.ts";
import { openAlive, untilAlive } from "./alive.ts";
import { sendAgain } from "./form-again.ts";
import { listForms, listFormsOfSource } from "./form-list.ts";
import { type FormSite, startFormSite } from "./form-site.ts";
import { meet, type Trouble } from "./form-trouble.ts";
import { linkInMail } from "./outbox.ts";
import type { SiteForm } from "./site-form.ts";
import { isItsTurn, TURN_TEXT } from "./turn.ts";

/** So many pages at once are opened or walked: each wants a processor. */
const TOGETHER = 6;
const TROUBLES: readonly Trouble[] = ["aborted", "502", "70 KB too much", "database read-only", "database hung"];

let site: FormSite;

test.beforeAll(async () => {
  site = await startFormSite();
});

test.afterAll(async () => {
  await site?.stop();
});

type Opened = { page: Page; forms: SiteForm[] };

test("no form loses what was typed when no answer comes", async ({ browser }) => {
  const findings: string[] = [];
  let cells = 0;
  const named = ({ source, who, at }: SiteForm) => `${source} (${who} ${at})`;
  const order = listForms(site).map(named);
  /** Lets all of them run into the same troubles, each page by itself. */
  const walk = (pages: readonly Opened[], ...troubles: Trouble[]) =>
    inLanes(TOGETHER, pages, async ({ page, forms }) => {
      for (const form of forms)
        for (const trouble of troubles) {
          if (!isItsTurn(order.indexOf(named(form)) + TROUBLES.indexOf(trouble), 2)) continue;
          cells += 1;
          const wrong = await meet(page, form, trouble, site.picture).catch((error) => [String(error).slice(0, 300)]);
          findings.push(...wrong.map((what) => `${named(form)}, ${trouble}: ${what}`));
        }
    });
  const walkAll = async (contexts: Partial<Record<Who, BrowserContext>>) => {
    const here = listForms(site).filter(({ who }) => contexts[who]);
    const pages = [...Map.groupBy(here, (form) => `${form.who} ${form.at}`).values()];
    const opened: Opened[] = [];
    await inLanes(TOGETHER, pages, async (forms) => {
      const context = forms[0] && contexts[forms[0].who];
      if (context) opened.push(await open(context, forms));
    });
    await walk(opened, "aborted", "502", "70 KB too much");
    await site.readOnly();
    await walk(opened, "database read-only");
    await site.writable();
    site.hang();
    await walk(opened, "database hung");
    await site.heal();
    await Promise.all(opened.map(({ page }) => page.close()));
  };

  const member = await site.browserOf(browser, "member", { locale: "en-GB" });
  site.tokens.changeEmail = await askForNewAddress(member);
  const known = new Set(listForms(site).map(({ source }) => source));
  expect(
    listFormsOfSource().filter((source) => !known.has(source)),
    "forms that this walk does not know",
  ).toEqual([]);
  expect(
    [...known].filter((source) => !listFormsOfSource().includes(source)),
    "forms that are no more",
  ).toEqual([]);

  // The form for the first admin is there while there is none.
  await site.sql`update roles set role = 'moderator' where role = 'admin'`;
  await walkAll({ nobody: await browser.newContext({ locale: "en-GB" }) });
  await site.sql`update roles set role = 'admin' where role = 'moderator'`;
  await site.makeKey();
  await walkAll({ member, admin: await site.browserOf(browser, "admin", { locale: "en-GB" }) });
  const whole = `${order.length} forms x ${TROUBLES.length} troubles`;
  console.log(`form walk: ${whole}, ${cells} cells${TURN_TEXT}, ${findings.length} findings`);
  expect(findings).toEqual([]);
});

test("what was typed is taken when the trouble is over", async ({ browser }) => {
  expect(await sendAgain(site, browser)).toEqual([]);
});

test("a link chosen while a form is under way waits for its answer", async ({ browser }) => {
  const page = await (await site.browserOf(browser, "admin", { locale: "en-GB" })).newPage();
  const tagline = page.locator("[name=tagline_en]");
  const waits = page.getByText("Your form is still being sent.");
  const settings = `${site.url}/admin/settings`;
  const toSettings = page.getByRole("main").locator("a[href$='/admin/settings']").first();
  const keys = page.getByRole("main").locator("a[href$='/settings/keys']");
  const stored = async () =>
    (await site.sql`select setting_value ->> 'en' as is from site_settings where setting_key = 'tagline'`)[0]?.is;
  /** Sends on a slow line: what becomes of it is up to the function that this resolves to. */
  async function sendSlowly(button: Locator): Promise<(becomes: "arrives" | "is lost") => Promise<void>> {
    const held = Promise.withResolvers<"arrives" | "is lost">();
    const handled = Promise.withResolvers<void>();
    const underWay = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      if (route.request().method() !== "POST") return route.fallback();
      underWay.resolve();
      await ((await held.promise) === "arrives" ? route.continue() : route.abort("connectionreset"));
      handled.resolve();
    };
    await page.route("**/*.data*", hold);
    await button.click();
    await underWay.promise;
    return async (becomes) => {
      held.resolve(becomes);
      await handled.promise;
      await page.unroute("**/*.data*", hold);
    };
  }
  async function saveSlowly(text: string) {
    await tagline.fill(text);
    return sendSlowly(page.getByRole("main").locator("button[type=submit]").first());
  }

  await openAlive(page, `${settings}/invitations`);
  await toSettings.click();
  await test.step("saved, then led on", async () => {
    const answer = await saveSlowly("Waited for");
    await keys.click();
    await expect(waits).toBeVisible();
    expect(page.url()).toBe(settings);
    await answer("arrives");
    await page.waitForURL("**/settings/keys");
    await expect(waits).toBeHidden();
    expect(await stored()).toBe("Waited for");
  });
  await test.step("back waits as well", async () => {
    await toSettings.click();
    await expect(tagline).toHaveValue("Waited for");
    const answer = await saveSlowly("Waited for on the way back");
    await page.evaluate(() => history.back());
    await expect(waits).toBeVisible();
    expect(page.url()).toBe(settings);
    await answer("arrives");
    await page.waitForURL("**/settings/keys");
    expect(await stored()).toBe("Waited for on the way back");
  });
  await test.step("not saved: stays, with what was typed", async () => {
    await toSettings.click();
    await expect(tagline).toHaveValue("Waited for on the way back");
    const answer = await saveSlowly("Lost on its way");
    await keys.click();
    await expect(waits).toBeVisible();
    await answer("is lost");
    await expect(page.getByRole("alert")).toContainText("Error saving the settings!");
    await expect(waits).toBeHidden();
    expect(page.url()).toBe(settings);
    await expect(tagline).toHaveValue("Lost on its way");
  });
  await test.step("whoever does not want to wait leaves", async () => {
    const answer = await saveSlowly("Left behind");
    await keys.click();
    await page.getByRole("button", { name: "Leave now" }).click();
    await page.waitForURL("**/settings/keys");
    await answer("is lost");
    expect(await stored()).toBe("Waited for on the way back");
  });
  await test.step("what fails after its page was left is told there", async () => {
    await page.goto(`${site.url}/de/admin/games/order`);
    await untilAlive(page);
    const answer = await sendSlowly(page.getByRole("main").locator("[name=move]:not([aria-disabled])").first());
    await page.getByRole("main").locator("a[href$='/admin/games']").first().click();
    await page.waitForURL("**/de/admin/games");
    await answer("is lost");
    await expect(page.getByRole("alert")).toContainText("Fehler beim Speichern der Reihenfolge!");
    await page.getByRole("button", { name: "Zurück zum Formular" }).click();
    await page.waitForURL("**/de/admin/games/order");
    await expect(page.getByRole("alert")).toBeHidden();
  });
  await page.context().close();
});

/** Does the work for each, so many at once. */
async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/** Opens the page of these forms. */
async function open(context: BrowserContext, forms: SiteForm[]): Promise<Opened> {
  const page = await context.newPage();
  // Beside all the others it may take a while.
  page.setDefaultTimeout(60_000);
  const [first] = forms;
  await page.goto(site.url + first?.at);
  await untilAlive(page).catch((error) => {
    throw new Error(`${first?.at} does not come to life`, { cause: error });
  });
  await first?.reach?.(page);
  return { page, forms };
}

/** The path of the link by which the member's new address is confirmed. */
async function askForNewAddress(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${site.url}/user/settings/account`);
  await untilAlive(page);
  await page.locator("main [name=email]").fill("moved@example.org");
  await page.locator("main form:has([name=email]) [type=submit]").click();
  const { pathname, search } = new URL(await linkInMail(site.dataDir, "moved@example.org", /./));
  await page.close();
  return pathname + search;
}
