/** Every form × every way in which no answer comes: the form stays with what was typed, says so, and can be sent again. */
import { type BrowserContext, expect, type Page, type Route, test } from "@playwright/test";
import { untilAlive } from "./alive.ts";
import { listForms, listFormsOfSource, type SiteForm } from "./form-list.ts";
import { type FormSite, startFormSite } from "./form-site.ts";
import { linkInMail } from "./outbox.ts";

const TROUBLES = ["aborted", "502", "too large", "database hung"] as const;
type Trouble = (typeof TROUBLES)[number];

/** What a proxy says when the site behind it is gone. */
const PROXY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
const STATUS: Record<Trouble, number | null> = {
  aborted: null,
  "502": 502,
  "too large": 413,
  "database hung": 503,
};
/** Every address but those that say otherwise takes 64 KB. */
const TOO_MUCH = 70 * 1024;
const TOGETHER = 8;

let site: FormSite;

test.beforeAll(async () => {
  test.setTimeout(60_000);
  site = await startFormSite();
});

test.afterAll(async () => {
  await site?.stop();
});

type Opened = { page: Page; forms: SiteForm[] };

test("no form loses what was typed when no answer comes", async ({ browser }) => {
  test.setTimeout(600_000);
  // The form for the first admin is there while there is none; nobody is signed in yet.
  const visitor = await browser.newContext({ locale: "en-GB" });
  await site.sql`update roles set role = 'moderator' where role = 'admin'`;
  const setup = await open(
    visitor,
    listForms(site).filter(({ at }) => at.startsWith("/setup/")),
  );
  await site.sql`update roles set role = 'admin' where role = 'moderator'`;
  await site.makeKey();
  const contexts: Record<string, BrowserContext> = {
    nobody: visitor,
    member: await site.browserOf(browser, "member", { locale: "en-GB" }),
    admin: await site.browserOf(browser, "admin", { locale: "en-GB" }),
  };
  site.tokens.changeEmail = await askForNewAddress(contexts.member as BrowserContext);
  const forms = listForms(site);

  const known = new Set(forms.map(({ source }) => source));
  expect(
    listFormsOfSource().filter((source) => !known.has(source)),
    "forms that this walk does not know",
  ).toEqual([]);
  expect(
    [...known].filter((source) => !listFormsOfSource().includes(source)),
    "forms that are no more",
  ).toEqual([]);

  const pages = Map.groupBy(
    forms.filter(({ at }) => !at.startsWith("/setup/")),
    ({ who, at }) => `${who} ${at}`,
  );
  const findings: string[] = [];
  let cells = 0;
  const walk = async (opened: Opened[], troubles: readonly Trouble[]) => {
    await Promise.all(
      opened.map(async (each) => {
        for (const form of each.forms)
          for (const trouble of troubles) {
            cells += 1;
            const wrong = await meet(each, form, trouble).catch((error) => [String(error).slice(0, 300)]);
            findings.push(...wrong.map((what) => `${form.source} (${form.who} ${form.at}), ${trouble}: ${what}`));
          }
      }),
    );
  };
  const waiting = [...pages.values()];
  for (let first = true; waiting.length > 0; first = false) {
    const opened = first ? [setup] : [];
    opened.push(
      ...(await Promise.all(
        waiting.splice(0, TOGETHER).map((own) => open(contexts[own[0]?.who ?? ""] as BrowserContext, own)),
      )),
    );
    await walk(opened, ["aborted", "502", "too large"]);
    site.hang();
    await walk(opened, ["database hung"]);
    await site.heal();
    await Promise.all(opened.map(({ page }) => page.close()));
  }
  console.log(
    `form walk: ${forms.length} forms x ${TROUBLES.length} troubles = ${cells} cells, ${findings.length} findings`,
  );
  expect(findings).toEqual([]);
});

/** What stands between the browser and the site fails: the connection, or a proxy. */
function fail(route: Route, trouble: "aborted" | "502"): Promise<void> {
  if (route.request().method() !== "POST") return route.fallback();
  if (trouble === "aborted") return route.abort("connectionreset");
  return route.fulfill({ status: 502, contentType: "text/html", body: PROXY_PAGE });
}

/** Opens the page of these forms. */
async function open(context: BrowserContext, forms: SiteForm[]): Promise<Opened> {
  const page = await context.newPage();
  const [first] = forms;
  await page.goto(site.url + first?.at);
  await untilAlive(page);
  await first?.reach?.(page);
  return { page, forms };
}

/** Lets one form run into one trouble. What is wrong then, in words; none when all is well. */
async function meet({ page }: Opened, form: SiteForm, trouble: Trouble): Promise<string[]> {
  const much = trouble === "too large" ? (form.most ?? 0) + TOO_MUCH : 0;
  const wanted = { words: form.words, status: STATUS[trouble], ...(much > 0 && form.tooMuch) };
  const button = page.locator(form.button).first();
  await button.waitFor({ state: "attached", timeout: 8_000 });
  const file = await button.evaluate((element) => {
    const { form } = element as HTMLButtonElement;
    const input = form?.querySelector<HTMLInputElement>("input[type=file]");
    input?.setAttribute("data-walked", "");
    return input?.name;
  });
  if (file) {
    const buffer = much > 0 ? Buffer.alloc(much, site.picture) : site.picture;
    await page.locator("input[data-walked]").setInputFiles({ name: "walk.png", mimeType: "image/png", buffer });
    await page.evaluate(() => document.querySelector("[data-walked]")?.removeAttribute("data-walked"));
  }
  await button.evaluate(fillIn, { fields: form.fields ?? {}, much: file ? 0 : much, few: form.few ?? false });
  const typed = await button.evaluate(readForm);
  const answer =
    STATUS[trouble] === null
      ? null
      : page.waitForResponse((response) => response.request().method() === "POST", { timeout: 15_000 });
  answer?.catch(() => {});
  if (trouble === "aborted" || trouble === "502") await page.route("**", (route) => fail(route, trouble));
  const { pathname } = new URL(page.url());
  await button.evaluate((element) => {
    for (const old of document.querySelectorAll("[role=alert]")) old.setAttribute("data-before", "");
    (element as HTMLButtonElement).click();
  });
  const wrong: string[] = [];
  const told = await page
    .waitForFunction(
      findAlert,
      { selector: form.button, words: wanted.words, again: much > 0 && form.tooMuch !== undefined },
      { timeout: 15_000, polling: 50 },
    )
    .then((handle) => handle.jsonValue())
    .catch(() => null);
  if (trouble === "aborted" || trouble === "502") await page.unroute("**");
  if (told === null) {
    const shown = (await page.locator("body").innerText()).replace(/\s+/g, " ").slice(0, 200);
    const alerts = await page.locator("[role=alert]").allInnerTexts();
    return [`no alert "${wanted.words}", but ${JSON.stringify(alerts)} on ${page.url()}: ${shown}`];
  }
  const status = (await answer)?.status() ?? null;
  if (status !== wanted.status) wrong.push(`status ${status}, not ${wanted.status}`);
  if (new URL(page.url()).pathname !== pathname) wrong.push(`leads to ${page.url()}`);
  const after = await button.evaluate(readForm);
  if (form.moves) for (const held of [after, typed]) held.sort();
  if (JSON.stringify(after) !== JSON.stringify(typed))
    wrong.push(`typed ${JSON.stringify(typed).slice(0, 300)}, then ${JSON.stringify(after).slice(0, 300)}`);
  if (await page.getByText("Unexpected Application Error!").isVisible()) wrong.push("the error page is shown");
  if (/^\s*\{/.test(await page.locator("body").innerText())) wrong.push("JSON is shown");
  if (/is lost[.:]|JSON|Failed to fetch/i.test(told)) wrong.push(`says ${told}`);
  await button
    .and(page.locator(":not([aria-busy=true])"))
    .waitFor({ state: "attached", timeout: 5_000 })
    .catch(() => wrong.push("its button goes on loading"));
  return wrong;
}

/** Runs in the browser: writes something recognisable wherever a person could, and what is too much into one field. */
function fillIn(
  button: Element,
  { fields, much, few }: { fields: Record<string, string>; much: number; few: boolean },
): void {
  const { form } = button as HTMLButtonElement;
  if (!form) throw new Error("the button sends no form");
  form.closest("details")?.setAttribute("open", "");
  form.noValidate = true;
  form.querySelector("[data-too-much]")?.remove();
  let left = much;
  let written = 0;
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement && field.value === "") field.selectedIndex = field.options.length - 1;
    const isInput = field instanceof HTMLInputElement;
    if (!isInput && !(field instanceof HTMLTextAreaElement)) continue;
    if (field.disabled || field.readOnly || field.closest("[aria-hidden=true]")) continue;
    const write = (value: string) => {
      const prototype = isInput ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
      Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const given = fields[field.name];
    const { type } = field;
    if (given !== undefined) write(given);
    else if (type === "email") write("walk@example.org");
    else if (type === "password") write("a walk beside the lamp");
    else if (type === "text" || type === "textarea") {
      const free = !(isInput && field.pattern) && !/host|port|address|slug|url|mail|version|options/.test(field.name);
      if (free && !(few && written++ > 0)) {
        const before = field.value.replace(/^x+$/, "");
        const text = /Walk$/.test(before) ? before : `${before} Walk`.trim();
        write(field.maxLength > 0 && text.length > field.maxLength ? before : text);
        if (left > 0) {
          field.removeAttribute("maxlength");
          write("x".repeat(left));
          left = 0;
        }
      }
    }
  }
  if (left === 0) return;
  const more = document.createElement("input");
  more.type = "hidden";
  more.name = "more";
  more.value = "x".repeat(left);
  more.setAttribute("data-too-much", "");
  form.append(more);
}

/** Runs in the browser: what stands in a form. */
function readForm(button: Element): string[] {
  const { form } = button as HTMLButtonElement;
  return [...(form?.elements ?? [])].flatMap((field) => {
    if (field instanceof HTMLInputElement) {
      if (field.type === "file") return [...(field.files ?? [])].map(({ name, size }) => `${name} ${size}`);
      if (field.type === "checkbox" || field.type === "radio") return [`${field.name} ${field.checked}`];
      return [`${field.name} ${field.value.length} ${field.value.slice(0, 80)}`];
    }
    if (field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)
      return [`${field.name} ${field.value.length} ${field.value.slice(0, 80)}`];
    return [];
  });
}

/** Runs in the browser: the new alert of the form, or of its page, that begins with these words. */
function findAlert({ selector, words, again }: { selector: string; words: string; again: boolean }): string | null {
  const form = document.querySelector<HTMLButtonElement>(selector)?.form;
  const alerts = [...document.querySelectorAll<HTMLElement>("[role=alert]")];
  const own = alerts.find(
    (alert) =>
      // What the page itself answers once more is said by the same element.
      (again || !alert.hasAttribute("data-before")) &&
      alert.checkVisibility() &&
      alert.innerText.trim().startsWith(words) &&
      (alert.closest("form") === null || alert.closest("form") === form),
  );
  return own?.innerText ?? null;
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
