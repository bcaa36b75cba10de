/** A sweep over every page of the map as phones show it: nothing wider than the screen, and everything that is pressed inside it. */
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { listPages, type Who } from "./access-map.ts";
import { type AccessSite, startAccessSite } from "./access-site.ts";
import { makeMuch, makeNone } from "./phone-content.ts";
import { lookOnPhones, PHONE, PHONES } from "./phone-looks.ts";
import { isItsTurn, TURN_TEXT } from "./turn.ts";

const LANES = 3;
const LANGUAGES = ["", "/de"] as const;

type Stop = { who: Who; address: string };

let site: AccessSite;

test.beforeAll(async () => {
  site = await startAccessSite({ demo: false });
});

test.afterAll(async () => {
  await site?.stop();
});

/** Pages that look otherwise with a link of a mail, or after an act. */
const moreLooks = ({ tokens, values }: AccessSite): Stop[] => [
  { who: "nobody", address: `/verify-email?token=${tokens.verify}` },
  { who: "nobody", address: `/reset-password?token=${tokens.reset}` },
  { who: "nobody", address: `/keep-account?token=${tokens.keep}` },
  { who: "nobody", address: "/contact?sent" },
  { who: "nobody", address: `/dashboard?game=${values.slug}&players=1` },
  { who: "member", address: "/" },
  { who: "member", address: "/logout" },
  { who: "admin", address: "/" },
];

test("nothing on any page is wider than a phone", async ({ browser }) => {
  const { values } = site;
  const withData = (): Stop[] => [
    ...["/", "/dashboard", `/games/${values.slug}`].map((address): Stop => ({ who: "nobody", address })),
    ...["dashboard", "games", "gameservers", "messages", "people/blocked", "settings/invitations"].map(
      (part): Stop => ({ who: "admin", address: `/admin/${part}` }),
    ),
  ];
  const contexts = new Map<string, BrowserContext>();
  // Signed in by the form, one after the other.
  for (const who of ["nobody", "member", "admin"] as const)
    contexts.set(who, await site.browserOf(browser, who, { ...PHONE, reducedMotion: "reduce", locale: "en-GB" }));
  const faults: string[] = [];
  let looks = 0;
  let refusals = 0;

  /** Walks every stop in both languages, some at a time. */
  async function sweep(data: string, stops: Stop[], refuse = false): Promise<void> {
    const queue = stops.flatMap((stop, at) =>
      LANGUAGES.filter((_, index) => isItsTurn(at + index, LANGUAGES.length)).map((language) => ({
        ...stop,
        language,
      })),
    );
    const walk = async () => {
      const pages = new Map<Who, Page>();
      for (let stop = queue.shift(); stop; stop = queue.shift()) {
        const { who, language } = stop;
        const address = language + (language && stop.address === "/" ? "" : stop.address);
        const page = pages.get(who) ?? (await contexts.get(who)?.newPage());
        if (!page) throw new Error(`nobody is ${who}`);
        pages.set(who, page);
        const found = await open(page, address);
        found.push(...(await lookOnPhones(page)));
        looks += PHONES.length;
        if (refuse) {
          for (const refused of await refuseForms(page)) {
            found.push(...refused);
            refusals += 1;
          }
        }
        faults.push(...found.map((fault) => `${data}, ${who}, ${address}, ${fault}`));
      }
      for (const page of pages.values()) await page.close();
    };
    await Promise.all(Array.from({ length: LANES }, walk));
  }

  await sweep("few", withData());
  await makeMuch(site);
  await expect(async () => {
    expect(await (await fetch(`${site.url}/dashboard`)).text()).toContain("100,000");
  }).toPass();
  const mapped = (await listPages(values)).filter(({ address }) => address !== "/logout");
  await sweep("much", [...mapped, ...moreLooks(site)], true);
  await makeNone(site);
  await sweep("none", withData());
  await site.sql`update games set published = false`;
  await expect(async () => {
    expect(await (await fetch(`${site.url}/de`)).text()).toContain("Der erste Gameserver ist unterwegs");
  }).toPass();
  await sweep("no games", [{ who: "nobody", address: "/" }]);
  for (const context of contexts.values()) await context.close();

  const pages = mapped.length + moreLooks(site).length;
  console.log(
    `phone sweep: ${pages} pages x ${LANGUAGES.length} languages x ${PHONES.length} widths, ${withData().length} of them also with little and no data, ` +
      `and ${refusals} forms with errors = ${looks + refusals * PHONES.length} looks${TURN_TEXT}, ${faults.length} findings`,
  );
  expect(faults).toEqual([]);
  expect(refusals, "forms that said what is wrong").toBeGreaterThan(TURN_TEXT ? 15 : 30);
});

/** Opens a page on the narrowest phone. What is wrong: it is not the one that was asked for. */
async function open(page: Page, address: string): Promise<string[]> {
  await page.setViewportSize(PHONE.viewport);
  const answer = await page.goto(site.url + address, { waitUntil: "domcontentloaded" });
  const faults: string[] = [];
  if (!(await page.evaluate(settle))) faults.push(": something on it never comes");
  if (!answer || answer.status() >= 500) faults.push(`: status ${answer?.status()}`);
  const { pathname } = new URL(page.url());
  if (pathname.replace(/\/$/, "") !== address.replace(/[?#].*/, "").replace(/\/$/, ""))
    faults.push(`: leads to ${pathname}`);
  return faults;
}

/**
 * Runs in the browser: until the fonts are there, and the charts, which are fetched when one comes near them. False: never.
 * By itself, because what Playwright waits with is put into each page anew, and that costs more than most pages.
 */
async function settle(): Promise<boolean> {
  await document.fonts.ready;
  const end = performance.now() + 20_000;
  while (document.querySelector("[aria-busy=true], [data-loading]")) {
    if (performance.now() > end) return false;
    document.querySelector("[aria-busy=true]")?.scrollIntoView();
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return true;
}

/** Sends each form of the page with nothing in its fields. What is wrong while it says so: one list for each that did. */
async function refuseForms(page: Page): Promise<string[][]> {
  const here = () => page.url().replace(/#.*/, "");
  const address = here();
  const found: string[][] = [];
  const count = await page.evaluate(refuse, null);
  for (let at = 0; at < count; at += 1) {
    if (here() !== address) await page.goto(address, { waitUntil: "domcontentloaded" });
    if ((await page.evaluate(refuse, at)) === 0) continue;
    found.push((await lookOnPhones(page)).map((fault) => `form ${at + 1} refused, ${fault}`));
  }
  return found;
}

/**
 * Runs in the browser: empties a form, sends it, and waits for what it says. Without a number: how many forms there are that one
 * types into. 0: nothing was refused.
 */
async function refuse(at: number | null): Promise<number> {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const fieldsOf = (form: HTMLFormElement) =>
    [...form.elements].filter(
      (each): each is HTMLInputElement | HTMLTextAreaElement =>
        each instanceof HTMLTextAreaElement ||
        (each instanceof HTMLInputElement && ["text", "email", "password", "url"].includes(each.type)),
    );
  const forms = [...document.querySelectorAll<HTMLFormElement>("main form")].filter(
    (form) => form.method === "post" && fieldsOf(form).length > 0,
  );
  if (at === null || forms.length === 0) return forms.length;
  const form = forms[at];
  if (!form) return 0;
  // Before script has taken it over, the browser itself would send it.
  while (!Object.keys(form).some((name) => name.startsWith("__react"))) await nextFrame();
  // One of two tabs.
  if (!form.checkVisibility()) location.hash = form.closest("section[id]")?.id ?? "";
  const said = () =>
    [...document.querySelectorAll("main :is([aria-invalid=true], [role=alert])")].filter((each) =>
      each.checkVisibility({ visibilityProperty: true }),
    );
  for (const field of fieldsOf(form)) {
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
    own?.set?.call(field, "");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const before = said();
  form.noValidate = true;
  form.requestSubmit();
  // A form that may be empty says nothing.
  for (const end = performance.now() + 1_500; performance.now() < end; ) {
    await nextFrame();
    if (said().some((each) => !before.includes(each))) return 1;
  }
  return 0;
}
