/** The first day of a site: from the printed link through every step, on a desk and on a phone, skipping and coming back. */
import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { type A2sServer, startA2sServer } from "#demo/protocols/a2s-server.ts";
import { findFaults, WIDE } from "./access-looks.ts";
import { openAlive, untilAlive } from "./alive.ts";
import { lookOnPhones, PHONE } from "./phone-looks.ts";
import { type Site, startSite } from "./site.ts";

const PASSWORD = "a lamp in the harbour";
let site: Site;
let gameServer: A2sServer;

test.beforeAll(async () => {
  site = await startSite({ fresh: true });
  const info = { name: "Muldraugh", map: "x", folder: "zomboid", game: "Project Zomboid", players: 3, maxPlayers: 9 };
  gameServer = await startA2sServer({ host: "127.0.1.1", info: () => ({ ...info, version: "42" }) });
});

test.afterAll(async () => {
  await site?.stop();
  await gameServer?.close();
});

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const current = (page: Page) => page.locator("[aria-current=step]");

test("an admin arrives by the first link, sets the site up, leaves things for later and comes back to them", async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: WIDE, height: 900 },
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const faults: string[] = [];
  const look = async () => {
    await untilAlive(page);
    const step = new URL(page.url()).searchParams.get("step");
    faults.push(...(await findFaults(page)).map((fault) => `${step}: ${fault}`));
    await page.setViewportSize({ width: WIDE, height: 900 });
  };

  // The link follows the address, as soon as it is made.
  const printed = () => /http\S+\/setup\/\S+/.exec(site.printed.join("\n"))?.[0] ?? "";
  await expect.poll(printed).not.toBe("");
  const firstLink = printed();
  await openAlive(page, firstLink);
  await page.getByLabel("Email").fill("admin@example.org");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Make the account" }).click();
  await expect(title(page)).toHaveText("What is your community called?");
  await expect(current(page)).toHaveText("Name and look");
  // Back, or the link of the terminal again: nobody who has just made their account is told that it does not work.
  await openAlive(page, firstLink);
  await expect(current(page)).toHaveText("Name and look");
  await look();

  await page.getByLabel("Name of the site").fill("Nordlicht");
  const logo = await sharp({ create: { width: 300, height: 90, channels: 4, background: "#fa0" } })
    .png()
    .toBuffer();
  await page.getByLabel("Logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
  await page.getByRole("button", { name: "Save and go on" }).click();
  await expect(title(page)).toHaveText("Which games do you run?");
  await expect(page.getByRole("link", { name: "Name and look (done)" })).toBeVisible();
  await look();

  await page.getByRole("button", { name: "Not now" }).click();
  await expect(title(page)).toHaveText("Where do your game servers run?");
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(title(page)).toHaveText("Which games do you run?");
  await page.locator("button[name=all_eight]").click();
  await expect(title(page)).toHaveText("Where do your game servers run?");
  await look();

  await page.getByRole("main").locator("textarea[name=text]").fill(`127.0.1.1:${gameServer.port}`);
  await page.getByRole("main").locator("button[value=start]").click();
  await expect(page.locator("[data-line]")).toHaveAttribute("data-state", /^(?!waiting)/);
  await page.getByRole("main").locator("[name=visibility]").selectOption("public");
  await page.locator("[data-line] [name=tick]").check();
  await page.locator("button[value=add]").click();
  await page.getByRole("link", { name: "Go on" }).first().click();
  await expect(title(page)).toHaveText("Where do people reach you?");
  await look();

  // Whoever leaves now comes back to where they were.
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(title(page)).toHaveText("Who runs the site?");
  await page.getByLabel("Name or company").fill("Ada Lovelace");
  await page.reload();
  await openAlive(page, `${site.url}/admin/setup`);
  await expect(title(page)).toHaveText("Who runs the site?");
  await expect(page.getByRole("link", { name: "Contact (left for later)" })).toBeVisible();
  await look();
  await page.getByLabel("Name or company").fill("Ada Lovelace");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Save and go on" }).click();
  await expect(page.getByText("Error saving the settings!")).toBeVisible();
  await expect(page.getByLabel("Name or company")).toHaveValue("Ada Lovelace");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(title(page)).toHaveText("Do emails arrive?");
  await look();
  await page.getByRole("button", { name: "Do that later" }).click();
  await expect(title(page)).toHaveText("What if the disk fails?");
  await look();
  await page.getByRole("button", { name: "Do that later" }).click();
  await expect(title(page)).toHaveText("Your site is live.");
  await look();
  expect(faults).toEqual([]);

  const outside = await (await browser.newContext({ locale: "en-GB" })).newPage();
  await outside.goto(site.url);
  await expect(outside).toHaveTitle(/Nordlicht/);
  await expect(outside.getByText("Muldraugh").first()).toBeAttached();

  await openAlive(page, `${site.url}/admin/dashboard`);
  await expect(page.getByRole("heading", { name: "Still to do" })).toBeVisible();
  faults.push(...(await findFaults(page)));
  await page.getByRole("button", { name: "Put this list away" }).click();
  await expect(page.getByRole("heading", { name: "Still to do" })).toHaveCount(0);
  expect(faults).toEqual([]);

  // The same on a phone, in German, without a step that is wider than it.
  const phone = await browser.newContext({
    ...PHONE,
    locale: "de-DE",
    reducedMotion: "reduce",
    storageState: await context.storageState(),
  });
  const small = await phone.newPage();
  await small.goto(`${site.url}/de/admin/setup?step=brand`);
  const titles = [
    "Wie heißt deine Community?",
    "Welche Spiele betreibst du?",
    "Wo laufen deine Gameserver?",
    "Wo erreicht man dich?",
    "Wer betreibt die Seite?",
    "Kommen E-Mails an?",
    "Und wenn die Festplatte ausfällt?",
    "Deine Seite ist in Betrieb.",
  ];
  for (const text of titles) {
    await expect(title(small)).toHaveText(text);
    await untilAlive(small);
    faults.push(...(await lookOnPhones(small)).map((fault) => `${text} ${fault}`));
    if (text !== titles.at(-1)) await small.locator("li:has([aria-current=step]) + li a").click();
  }
  expect(faults).toEqual([]);
});
