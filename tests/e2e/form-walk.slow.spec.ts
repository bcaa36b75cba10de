/** Every form of the route map × a lost connection and a proxy's 502: the form keeps what was typed and says what happened. */
import { type BrowserContext, expect, type Locator, type Page, type Route, test } from "@playwright/test";
import { listPages, type Who } from "./access-map.ts";
import { openAlive, untilAlive } from "./alive.ts";
import { type FormSite, startFormSite } from "./form-site.ts";
import { prepareForms } from "./forms.ts";
import { PHONE } from "./phone-looks.ts";
import { isItsTurn, TURN_TEXT } from "./turn.ts";

/** Pages open at the same time: each wants a processor. */
const LANES = 4;
const PROXY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
const TROUBLES: Record<string, (route: Route) => Promise<void>> = {
  "a lost connection": (route) => route.abort("connectionreset"),
  "a 502": (route) => route.fulfill({ status: 502, contentType: "text/html", body: PROXY_PAGE }),
};

let site: FormSite;

test.beforeAll(async () => {
  site = await startFormSite();
});

test.afterAll(async () => {
  await site?.stop();
});

/** `press`: a target that shows `shows`, which isn't there when the page opens. */
type Stop = { who: Who; address: string; press?: string; shows?: string };

/** Forms that need more than the address in the route map. */
function moreStops({ values, ids, tokens }: FormSite): Stop[] {
  const security = "/user/settings/security";
  return [
    { who: "nobody", address: "/login/#register" },
    { who: "nobody", address: `/verify-email?token=${tokens.verify}` },
    { who: "nobody", address: `/reset-password?token=${tokens.reset}` },
    { who: "nobody", address: `/keep-account?token=${tokens.keep}` },
    { who: "nobody", address: `/following/end?mail=${tokens.endMails}` },
    { who: "member", address: "/news", press: "[popovertarget=avatar-menu]", shows: "#avatar-menu form" },
    { who: "member", address: "/following" },
    {
      who: "member",
      address: "/user/settings/profile/",
      press: "[popovertarget=avatar-editor-menu]",
      shows: "[value=remove-avatar]",
    },
    { who: "member", address: security, press: "[value=totp-start]", shows: "[value=totp-confirm]" },
    { who: "member", address: "/user/reauthenticate", press: "main [value=mail]", shows: "main [name=code]" },
    {
      who: "admin",
      address: "/admin/games/create",
      press: "main [name=catalogue_id] >> nth=0",
      shows: "main [name=catalogue_id]:checked",
    },
    {
      who: "admin",
      address: `/admin/games/${ids.lastGame}/picture`,
      press: "main [name=chosen][value=desert]",
      shows: "[name=chosen]:checked",
    },
    { who: "admin", address: `/admin/gameservers/paste?batch=${ids.batch}` },
    {
      who: "admin",
      address: "/admin/media",
      press: "main button[aria-label^='Remove picture'] >> nth=0",
      shows: "form:has([name=media_id])",
    },
    { who: "admin", address: "/admin/notifications?part=dead" },
    { who: "admin", address: `/admin/people/${ids.banned}` },
    { who: "admin", address: `/admin/gameservers/${values.serverId}/heartbeat` },
    ...["legal", "contact"].map((step): Stop => ({ who: "admin", address: `/admin/setup?step=${step}` })),
  ];
}

test("no form loses what was typed when no answer comes", async ({ browser }) => {
  const findings: string[] = [];
  const walked = new Set<string>();
  const walk = async (context: BrowserContext, { who, address, press, shows }: Stop) => {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await prepareForms(page);
    await page.goto(site.url + address);
    await untilAlive(page);
    if (press && shows) {
      await page.locator(press).click();
      await page.locator(shows).first().waitFor();
    }
    for (const form of await page.evaluate(() => window.forms.list())) {
      if (walked.has(`${who} ${form}`)) continue;
      walked.add(`${who} ${form}`);
      for (const trouble of Object.keys(TROUBLES)) {
        const wrong = await meet(page, form, trouble).catch((error) => [String(error).slice(0, 300)]);
        findings.push(...wrong.map((what) => `${who} ${address}, ${form}, ${trouble}: ${what}`));
      }
    }
    await page.close();
  };
  const walkAll = async (who: Who, context: BrowserContext, addresses: string[]) => {
    const mapped = addresses.map((address): Stop => ({ who, address }));
    const stops = [...moreStops(site).filter((stop) => stop.who === who), ...mapped];
    const left = stops.filter((_, index) => isItsTurn(index, 2)).values();
    const lane = async () => {
      for (const stop of left) await walk(context, stop);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await context.close();
  };
  const mapped = await listPages(site.values);
  for (const who of ["nobody", "member", "admin"] as const) {
    // The form for the first admin is there while there is none.
    if (who === "nobody") await site.sql`update roles set role = 'moderator' where role = 'admin'`;
    if (who === "admin") {
      await site.makeKey();
      // The script of an unread message marks it as read, and its form for that goes.
      await site.sql`update contacts set read_at = now()`;
    }
    const addresses = mapped.filter((page) => page.who === who).map(({ address }) => address);
    if (who === "nobody") addresses.push(`/setup/${site.tokens.setup}`);
    await walkAll(who, await site.browserOf(browser, who, { locale: "en-GB" }), addresses);
    if (who === "nobody") await site.sql`update roles set role = 'admin' where role = 'moderator'`;
  }
  console.log(`form walk: ${walked.size} forms x ${Object.keys(TROUBLES).length} troubles${TURN_TEXT}`);
  expect(findings).toEqual([]);
  expect(walked.size).toBeGreaterThan(TURN_TEXT ? 35 : 70);
});

/** Sends a form into a trouble. What is wrong then, in words. */
async function meet(page: Page, form: string, trouble: string): Promise<string[]> {
  await page.evaluate((name) => window.forms.fill(name), form);
  const typed = await page.evaluate((name) => window.forms.read(name), form);
  const before = new URL(page.url()).pathname;
  // The live page posts as well.
  const fail = (route: Route) =>
    route.request().method() !== "POST" || new URL(route.request().url()).pathname.startsWith("/live/")
      ? route.fallback()
      : TROUBLES[trouble]?.(route);
  await page.route("**", fail);
  await page.evaluate((name) => window.forms.send(name), form);
  const said = await page
    .waitForFunction((name) => window.forms.alert(name), form, { polling: 50, timeout: 20_000 })
    .then((handle) => handle.jsonValue())
    .catch(() => null);
  await page.unroute("**", fail);
  if (said === null) return [`says nothing on ${page.url()}`];
  const wrong: string[] = [];
  if (new URL(page.url()).pathname !== before) wrong.push(`leads to ${page.url()}`);
  const after = await page.evaluate((name) => window.forms.read(name), form);
  // A list that is ordered shows the new order.
  if (JSON.stringify(after.toSorted()) !== JSON.stringify(typed.toSorted()))
    wrong.push(`typed ${JSON.stringify(typed).slice(0, 300)}, then ${JSON.stringify(after).slice(0, 300)}`);
  if (await page.getByText("Unexpected Application Error!").isVisible()) wrong.push("shows the error page");
  if (/is lost[.:]|JSON|Failed to fetch/i.test(said)) wrong.push(`says ${said}`);
  await page
    .waitForFunction((name) => !window.forms.isBusy(name), form, { polling: 50 })
    .catch(() => wrong.push("its button goes on loading"));
  return wrong;
}

test("a form can be sent again when the connection is back, and one that is too large keeps what was typed", async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, locale: "de-DE" });
  const page = await context.newPage();
  await prepareForms(page);
  await openAlive(page, `${site.url}/de/contact`);
  const message = page.locator("main textarea");
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.locator("main [name=email]").fill("walk@example.org");
  const send = page.locator("main form [type=submit]").first();
  await message.evaluate((field) => field.removeAttribute("maxlength"));
  await message.fill("x".repeat(70_000));
  await send.click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(message).toHaveValue(/^x{70000}$/);
  await message.fill("Eine Lampe am Hafen");
  await context.setOffline(true);
  await send.click();
  const again = page.getByRole("alert").getByRole("button", { name: "Noch einmal versuchen" });
  await expect(again).toBeVisible();
  await context.setOffline(false);
  // A form that is sent within two seconds is taken for a program's.
  await page.waitForTimeout(2_100);
  await again.click();
  const stored = () => site.sql`select message from contacts where email = 'walk@example.org'`;
  await expect.poll(async () => (await stored())[0]?.message).toBe("Eine Lampe am Hafen");
  await context.close();
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
