/** One form runs into one trouble: it is filled, sent, and must stay as it is and say so. */
import type { Page, Request, Route } from "@playwright/test";
import type { SiteForm } from "./site-form.ts";

/** `aborted`, `502`: the line or a proxy fails. `read-only`, `hung`: the site's database does. */
export type Trouble = "aborted" | "502" | "70 KB too much" | "database read-only" | "database hung";

/** What a proxy says when the site behind it is gone. */
const PROXY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
const STATUS: Record<Trouble, number | null> = {
  aborted: null,
  "502": 502,
  "70 KB too much": 413,
  "database read-only": 503,
  "database hung": 503,
};
/** Every address but those that say otherwise takes 64 KB. */
const TOO_MUCH = 70 * 1024;

/** Lets one form run into one trouble. What is wrong then, in words; none when all is well. */
export async function meet(
  page: Page,
  form: SiteForm,
  trouble: Trouble,
  picture: Buffer<ArrayBuffer>,
): Promise<string[]> {
  const much = trouble === "70 KB too much" ? (form.most ?? 0) + TOO_MUCH : 0;
  const wanted = { text: form.text, status: STATUS[trouble], ...(much > 0 && form.tooMuch) };
  const typed = await fill(page, form, much, picture);
  const before = page.url();
  const answer = answerOf(page, trouble);
  const mend = await stand(page, trouble);
  await press(page, form);
  // What the page itself answers once more is said by the same element: first it has to be answered.
  const again = trouble.startsWith("database") || (much > 0 && form.tooMuch !== undefined);
  if (again) await answer;
  const told = await page
    .waitForFunction(findAlert, { selector: form.button, text: wanted.text, again }, { polling: 50 })
    .then((handle) => handle.jsonValue())
    .catch(() => null);
  await mend();
  if (told === null) {
    const shown = (await page.locator("body").innerText()).replace(/\s+/g, " ").slice(0, 200);
    const alerts = await page.locator("[role=alert]").allInnerTexts();
    return [`no alert "${wanted.text}", but ${JSON.stringify(alerts)} on ${page.url()}: ${shown}`];
  }
  const wrong: string[] = [];
  const { status, retryAfter } = await answer;
  if (status === 503 && !retryAfter) wrong.push("503 does not say when to try again");
  if (status !== wanted.status) {
    const marked = await page
      .locator("[aria-invalid=true]")
      .evaluateAll((fields) => fields.map((field) => field.getAttribute("name")));
    wrong.push(`status ${status}, not ${wanted.status}, with ${JSON.stringify(marked)}: ${told}`);
  }
  if (new URL(page.url()).pathname !== new URL(before).pathname) wrong.push(`leads to ${page.url()}`);
  const after = await read(page, form);
  if (form.moves) for (const held of [after, typed]) held.sort();
  if (JSON.stringify(after) !== JSON.stringify(typed))
    wrong.push(`typed ${JSON.stringify(typed).slice(0, 300)}, then ${JSON.stringify(after).slice(0, 300)}`);
  if (await page.getByText("Unexpected Application Error!").isVisible()) wrong.push("the error page is shown");
  if (/^\s*\{/.test(await page.locator("body").innerText())) wrong.push("JSON is shown");
  if (/is lost[.:]|JSON|Failed to fetch/i.test(told)) wrong.push(`says ${told}`);
  await buttonOf(page, form)
    .and(page.locator(":not([aria-busy=true])"))
    .waitFor({ state: "attached" })
    .catch(() => wrong.push("its button goes on loading"));
  return wrong;
}

const buttonOf = (page: Page, form: SiteForm) => page.locator(form.button).first();

/** What is answered next to a form; a status of null: nothing is. */
async function answerOf(
  page: Page,
  trouble: Trouble,
): Promise<{ status: number | null; retryAfter?: string | undefined }> {
  const nothing = { status: null };
  if (STATUS[trouble] === null) return nothing;
  return page
    .waitForResponse((response) => isOfForm(response.request()))
    .then((response) => ({ status: response.status(), retryAfter: response.headers()["retry-after"] }))
    .catch(() => nothing);
}

/** The live page posts, too: what it shows, and whom it waits for. */
const isOfForm = (request: Request) =>
  request.method() === "POST" && !new URL(request.url()).pathname.startsWith("/live/");

/** Puts the trouble between the browser and the site, where it is one of the line; resolves to what ends it. */
export async function stand(page: Page, trouble: Trouble): Promise<() => Promise<void>> {
  if (trouble !== "aborted" && trouble !== "502") return async () => {};
  const fail = (route: Route) => {
    if (route.request().method() !== "POST") return route.fallback();
    if (trouble === "aborted") return route.abort("connectionreset");
    return route.fulfill({ status: 502, contentType: "text/html", body: PROXY_PAGE });
  };
  await page.route("**", fail);
  return () => page.unroute("**", fail);
}

/** Fills a form as a person could, with so many bytes too much; resolves to what stands in it then. */
async function fill(page: Page, form: SiteForm, much: number, picture: Buffer<ArrayBuffer>): Promise<string[]> {
  const button = buttonOf(page, form);
  await button.waitFor({ state: "attached" });
  const file = await button.evaluate((element) => {
    const { form: own } = element as HTMLButtonElement;
    const input = own?.querySelector<HTMLInputElement>("input[type=file]");
    input?.setAttribute("data-walked", "");
    return input?.name;
  });
  if (file) {
    const buffer = much > 0 ? Buffer.alloc(much, picture) : picture;
    await page.locator("input[data-walked]").setInputFiles({ name: "walk.png", mimeType: "image/png", buffer });
    await page.evaluate(() => document.querySelector("[data-walked]")?.removeAttribute("data-walked"));
  }
  await button.evaluate(fillIn, { fields: form.fields ?? {}, much: file ? 0 : much, few: form.few ?? false });
  return read(page, form);
}

/** What stands in a form. */
const read = (page: Page, form: SiteForm): Promise<string[]> => buttonOf(page, form).evaluate(readForm);

/** Sends it by its button; what is told from now on is about this. */
export async function press(page: Page, form: SiteForm): Promise<void> {
  await buttonOf(page, form).evaluate((element) => {
    for (const old of document.querySelectorAll("[role=alert]")) old.setAttribute("data-before", "");
    (element as HTMLButtonElement).click();
  });
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
  // What is larger than a guide would keep the browser busy for seconds: that arrives hidden.
  let left = much > 640 * 1024 ? 0 : much;
  const hidden = much - left;
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
  if (left + hidden === 0) return;
  const more = document.createElement("input");
  more.type = "hidden";
  more.name = "more";
  more.value = "x".repeat(left + hidden);
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

/** Runs in the browser: the new alert of the form, or of its page, that begins with this text. */
function findAlert({ selector, text, again }: { selector: string; text: string; again: boolean }): string | null {
  const form = document.querySelector<HTMLButtonElement>(selector)?.form;
  const alerts = [...document.querySelectorAll<HTMLElement>("[role=alert]")];
  const own = alerts.find(
    (alert) =>
      (again || !alert.hasAttribute("data-before")) &&
      alert.checkVisibility() &&
      alert.innerText.trim().startsWith(text) &&
      (alert.closest("form") === null || alert.closest("form") === form),
  );
  return own?.innerText ?? null;
}
