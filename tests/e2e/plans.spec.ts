/** A weekly restart as readers in three time zones see it, in both languages, and a banner that stays away once it was put away. */
import { expect, type Page, test } from "@playwright/test";
import { openAlive } from "./alive.ts";
import { type Site, startSite } from "./site.ts";

const NAME = "Minecraft Anarchy";
const HOUR_MS = 3_600_000;
let site: Site;
let server: { server_id: number; game_slug: string };
/** Begins in an hour and a half, at a full minute, and takes ten. */
const starts = Math.floor(Date.now() / 60_000) * 60_000 + 1.5 * HOUR_MS;

test.beforeAll(async () => {
  site = await startSite();
  const [made] = await site.sql<(typeof server)[]>`
    update gameserver set visibility = 'public', host = '127.0.0.1', game_port = 25599, query_port = null
    from games where games.game_id = gameserver.game_id and server_name = ${NAME} returning server_id, game_slug`;
  if (!made) throw new Error(`no ${NAME}`);
  server = made;
  await site.sql`insert into plans (kind, server_id, first_local, time_zone, repeats, minutes)
    values ('restart', ${server.server_id}, ${new Date(starts).toISOString().slice(0, 16)}, 'UTC', 'weekly', 10)`;
  // Said on every page, until it is put away.
  await site.sql`insert into incidents (about, title, published_at)
    values ('site', ${JSON.stringify({ en: "The line is slow", de: "Die Leitung ist langsam" })}::jsonb, now())`;
  await site.sql`insert into incidents (about, title, published_at, opened_at)
    values ('site', ${JSON.stringify({ en: "Mail is late", de: "Mails sind spät" })}::jsonb, now(), now() - interval '1 hour')`;
  await expect
    .poll(async () => (await (await fetch(`${site.url}/servers/${server.server_id}`)).text()).includes("Restart in"))
    .toBe(true);
});

test.afterAll(async () => {
  await site?.stop();
});

/** Collects what the browser complains of: a page that the server wrote otherwise than the browser is among it. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  return faults;
}

/** "04:00" there, by other means than the page's. */
const clockAt = (at: number, timeZone: string) => {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
};

for (const { timeZone, language, locale, words } of [
  { timeZone: "Europe/Berlin", language: "/de", locale: "de-DE", words: /Neustart in (?:einer|1|2) Stunden?/ },
  { timeZone: "America/New_York", language: "", locale: "en-US", words: /Restart in (?:an|1|2) hours?/ },
]) {
  test(`a weekly restart on the clock of ${timeZone}`, async ({ browser }) => {
    const context = await browser.newContext({ timezoneId: timeZone, locale });
    const page = await context.newPage();
    const faults = faultsOf(page);
    const span = `${clockAt(starts, timeZone)}–${clockAt(starts + HOUR_MS / 6, timeZone)}`;
    for (const path of [`/servers/${server.server_id}`, `/games/${server.game_slug}`]) {
      await openAlive(page, `${site.url}${language}${path}`);
      const when = page.locator(`main time[datetime="${new Date(starts).toISOString()}"]`).first();
      // Around midnight the days are said as well.
      await expect(when).toHaveText(new RegExp(span.replace("–", ".*–.*")));
      await expect(when.locator("..")).toContainText(words);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}

test("a banner that was put away stays away, in both languages and on every page", async ({ page }) => {
  const faults = faultsOf(page);
  await openAlive(page, `${site.url}/`);
  const line = page.getByRole("link", { name: /The line is slow|Die Leitung ist langsam/ });
  const other = page.getByRole("link", { name: /Mail is late|Mails sind spät/ });
  await expect(line).toBeVisible();
  // One line stands for all; what is put away leaves its place to the next.
  await expect(other).toBeHidden();
  await page.getByRole("button", { name: "1 more" }).click();
  await expect(other).toBeVisible();
  await page.getByRole("button", { name: "Less" }).click();
  await expect(other).toBeHidden();
  await page.getByRole("button", { name: /The line is slow/ }).click();
  await expect(line).toBeHidden();
  await expect(page.locator("main"), "the focus is not lost with the button").toBeFocused();
  for (const path of ["/", "/de"]) {
    await openAlive(page, site.url + path);
    await expect(line).toBeHidden();
    await expect(other).toBeVisible();
    await expect(page.getByRole("button", { name: /^\d (?:more|weitere)$/ })).toBeHidden();
  }
  expect(faults).toEqual([]);
});
