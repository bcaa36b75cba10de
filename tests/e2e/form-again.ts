/** A handful of forms that are sent once more when the trouble is over: what was typed before it must arrive. */
import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { PASSWORD } from "./access-site.ts";
import { untilAlive } from "./alive.ts";
import { listForms } from "./form-list.ts";
import type { FormSite } from "./form-site.ts";
import { meet, press, stand } from "./form-trouble.ts";
import type { SiteForm } from "./site-form.ts";

type Sample = {
  form: SiteForm;
  /** On the button that the message of a lost connection offers. */
  again: string;
  as: BrowserContextOptions;
  /** Throws unless what the walk types has arrived. */
  isDone: (page: Page) => Promise<void>;
};

const PHONE = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

function listSamples(site: FormSite): Sample[] {
  const { sql, ids } = site;
  const all = listForms(site);
  const form = (source: string, at: string, more: Partial<SiteForm> = {}): SiteForm => {
    const found = all.find((one) => one.source === source && one.at === at);
    if (!found) throw new Error(`the walk does not know ${source} at ${at}`);
    return { ...found, ...more };
  };
  const english = { again: "Try again", as: { locale: "en-GB" } };
  const holds = (wanted: unknown, read: () => Promise<Record<string, unknown>[]>) =>
    expect.poll(async () => Object.values((await read())[0] ?? {})[0]).toEqual(wanted);
  return [
    {
      ...english,
      form: form("routes/public/sign-in/login.tsx 1", "/login/", {
        fields: { email: "member@example.org", password: PASSWORD },
      }),
      isDone: (page) => page.locator("[popovertarget=avatar-menu]").waitFor(),
    },
    {
      form: form("routes/public/contact.tsx 1", "/contact", {
        at: "/de/contact",
        text: "Fehler beim Senden deiner Nachricht!",
        fields: { message: "Eine Lampe am Hafen" },
      }),
      again: "Noch einmal versuchen",
      as: { locale: "de-DE", ...PHONE },
      isDone: () =>
        holds("Eine Lampe am Hafen", () => sql`select message from contacts where email = 'walk@example.org'`),
    },
    {
      ...english,
      form: form("routes/account/profile.tsx 1", "/user/settings/profile/"),
      isDone: () => holds(1, () => sql`select count(*)::int from profiles where user_nick_name like '%Walk'`),
    },
    {
      ...english,
      form: form("routes/admin/games/edit.tsx 1", `/admin/games/${site.values.gameId}/edit`, {
        at: `/admin/games/${ids.lastGame}/edit`,
        fields: { game_name: "A lamp", join_link: "steam://connect/{host}:{port}" },
      }),
      isDone: () => holds("A lamp", () => sql`select game_name from games where game_id = ${ids.lastGame}`),
    },
    {
      ...english,
      form: form("ui/sortable-list/sortable-list.tsx 1", "/admin/games/order"),
      isDone: () =>
        holds(
          2,
          () => sql`select count(*)::int from games where sort_order > (
          select sort_order from games where game_id = ${ids.lastGame})`,
        ),
    },
  ];
}

/**
 * Each meets a database that takes no writes, then a lost connection, and is then sent by the button of its message.
 * @returns what is wrong, in words
 */
export async function sendAgain(site: FormSite, browser: Browser): Promise<string[]> {
  const opened = await Promise.all(
    listSamples(site).map(async (sample) => {
      const page = await (await site.browserOf(browser, sample.form.who, sample.as)).newPage();
      await page.goto(site.url + sample.form.at);
      await untilAlive(page);
      return { ...sample, page };
    }),
  );
  const findings: string[] = [];
  const each = (work: (sample: (typeof opened)[number]) => Promise<string[]>) =>
    Promise.all(
      opened.map(async (sample) => {
        const wrong = await work(sample).catch((error) => [String(error).slice(0, 400)]);
        findings.push(...wrong.map((what) => `${sample.form.source}, sent again: ${what}`));
      }),
    );
  await site.readOnly();
  await each(({ page, form }) => meet(page, form, "database read-only", site.picture));
  await site.writable();
  await each(async ({ page, form, again, isDone }) => {
    const mend = await stand(page, "aborted");
    await press(page, form);
    const button = page.getByRole("alert").getByRole("button", { name: again });
    await button.waitFor();
    await mend();
    await button.click();
    await isDone(page);
    return [];
  });
  await Promise.all(opened.map(({ page }) => page.context().close()));
  return findings;
}
