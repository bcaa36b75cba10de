/** An admin's day: a new game with its picture and guide, a game server from nothing but its address, and hiding it again. */
import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { type A2sServer, startA2sServer } from "#demo/protocols/a2s-server.ts";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { AUTH_CHANNEL } from "#shared/auth-event.ts";
import { joinMinecraft, startMinecraftGameServer } from "../heavy/minecraft-game-server.ts";
import { findFaults } from "./access-looks.ts";
import { openAlive } from "./alive.ts";
import { PHONE } from "./phone-looks.ts";
import { logIn, type Site, startSite } from "./site.ts";

const PASSWORD = "a lamp in the harbour";
let site: Site;

test.beforeAll(async () => {
  site = await startSite();
  const passwordHash = await hashPassword(PASSWORD);
  const { id } = await createUser(site.db, {
    email: "admin@example.org",
    passwordHash,
    locale: "en",
    emailVerified: true,
  });
  await site.sql`update roles set role = 'admin' where user_id = ${id}`;
});

test.afterAll(async () => {
  await site.stop();
});

/** A game server that says at which port it is joined. */
async function startNeighbour(): Promise<A2sServer> {
  const told = { name: "Next Door", map: "x", folder: "x", game: "X", players: 1, maxPlayers: 2, version: "1" };
  for (let port = 28_411; ; port += 2) {
    const server = await startA2sServer({ port, info: () => told }).catch(() => null);
    if (server) return server;
  }
}

async function signIn(page: Page) {
  await logIn(page.context(), site.url, "admin@example.org", PASSWORD);
  await openAlive(page, `${site.url}/admin/games`);
}

async function signInByForm(page: Page) {
  await openAlive(page, `${site.url}/login/?next=/admin/games`);
  const form = page.locator("#login");
  await form.getByLabel("Email").fill("admin@example.org");
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Games");
}

test("a new game and its game server reach open pages at once, and leave them when they are hidden", async ({
  browser,
}) => {
  const minecraft = await startMinecraftGameServer({ maxPlayers: 12 });
  const player = await joinMinecraft({ port: minecraft.port, username: "Ada" });
  const [staff, outside] = [await browser.newContext(), await browser.newContext()];
  const [page, dashboard, home] = [await staff.newPage(), await outside.newPage(), await outside.newPage()];
  await Promise.all([openAlive(dashboard, `${site.url}/dashboard`), openAlive(home, `${site.url}/`)]);
  let loads = 0;
  for (const open of [dashboard, home])
    open.on("request", (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
  await signIn(page);

  // The game: created, pictured, guided to.
  await page.getByRole("link", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create a game");
  await page.getByLabel("Game Name").fill("Blockland");
  await page.getByLabel("Game Acronym").fill("BL");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Game created successfully!")).toBeVisible();
  await expect(page.getByLabel("Game ID")).toBeDisabled();
  await expect(home.getByRole("link", { name: /Blockland/ }).first()).toBeAttached();
  await page.getByLabel("Line on the card (English)").fill("Blocks as far as one can see.");
  // Its button is at the end of the form, the answer at its head: it comes to where one looks, also what else was saved.
  const other = await page.context().newPage();
  await openAlive(other, page.url());
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Game updated successfully!")).toBeInViewport();
  await other.getByLabel("Line on the card (English)").fill("Blocks, and nothing else.");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(other.getByText("Somebody else has saved this in the meantime.")).toBeInViewport();
  await other.close();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("Game updated successfully!")).toHaveCount(0);

  await page.getByRole("link", { name: "Picture" }).click();
  const picture = await sharp({ create: { width: 1600, height: 1000, channels: 3, background: "#c60" } })
    .png()
    .toBuffer();
  await page
    .getByLabel("A picture of your own")
    .setInputFiles({ name: "x.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("Game updated successfully!")).toBeVisible();
  await expect(page.getByText("A picture of your own goes when you save one of these.")).toBeVisible();
  await page.getByRole("radio", { name: "Race track" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeInViewport();
  await expect(page.getByText("A picture of your own goes when you save one of these.")).toHaveCount(0);

  await page.getByRole("link", { name: "Guide" }).click();
  await page.getByRole("button", { name: "Add a step" }).click();
  await expect(page.getByLabel("Title (English)")).toBeFocused();
  await page.keyboard.type("Join {address}");
  await page.getByRole("button", { name: "Add a step" }).click();
  await page.getByLabel("Title (English)").nth(1).fill("Buy the game");
  await page.getByRole("button", { name: "Move step 2 up" }).click();
  await expect(page.getByLabel("Title (English)").first()).toHaveValue("Buy the game");
  await expect(page.getByRole("button", { name: "Move step 1 down" })).toBeFocused();
  await page.getByRole("button", { name: "Add a box" }).click();
  const box = page.getByRole("region", { name: "Box 1", exact: true });
  await expect(box.getByLabel("Title (English)")).toBeFocused();
  await page.keyboard.type("Stuck?");
  await box.getByRole("button", { name: "Add a link" }).click();
  await expect(box.getByLabel("Link 2", { exact: true })).toBeFocused();
  await page.keyboard.type("https://example.org/help");
  await box.getByLabel("Label of link 2 (English)").fill("Help");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Game updated successfully!")).toBeVisible();

  // The game server: its address is pasted, the doctor finds the rest.
  await page.getByRole("link", { name: "Game Server", exact: true }).click();
  await page.getByRole("link", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create a game server");
  await page.getByLabel("Server Name", { exact: true }).fill("Blockland One");
  // What was asked for leads the answer: here nothing is heard, and only then comes what another port of the machine runs.
  const neighbour = await startNeighbour();
  await page.getByLabel("Address of the game server").fill(`127.0.0.1:${neighbour.port - 1}`);
  await page.getByRole("button", { name: "Examine" }).click();
  const headings = page.getByRole("region", { name: "Server doctor" }).getByRole("heading");
  await expect(headings.first()).toHaveText("Nothing answers at the address that you asked for");
  await expect(headings.last()).toHaveText("On the same machine, at other ports");
  await neighbour.close();
  await page.getByLabel("Address of the game server").fill(`127.0.0.1:${minecraft.port}`);
  await page.getByRole("button", { name: "Examine" }).click();
  await page.getByRole("button", { name: "Take this over" }).first().click();
  await expect(page.getByRole("textbox", { name: "Host" })).toHaveValue("127.0.0.1");
  await expect(page.getByLabel("Server Name"), "what was typed stays").toHaveValue("Blockland One");
  await expect(page.locator("select[name=adapter]")).toHaveValue("minecraft");
  await page.locator("select[name=game_id]").selectOption({ label: "Blockland" });
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Game server created successfully!")).toBeVisible();
  const row = dashboard.getByRole("row").filter({ hasText: "Blockland One" });
  await expect(row).toContainText("Online");
  await expect(row).toContainText("1 of 12 players");
  expect(loads, "no page was loaded again").toBe(0);
  const visitor = await outside.newPage();
  await visitor.goto(`${site.url}/games/blockland`);
  await expect(visitor.getByText(`Join 127.0.0.1:${minecraft.port}`)).toBeVisible();
  const help = visitor.getByRole("complementary").filter({ hasText: "Stuck?" }).getByRole("link", { name: "Help" });
  await expect(help).toHaveAttribute("href", "https://example.org/help");
  const shown = visitor.locator("header picture img").first();
  await expect(shown).toHaveAttribute("src", /^\/media\//);
  expect(
    await shown.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(300);

  // Of the options, those of the chosen adapter are shown; without script nothing is out of reach.
  const isShown = (on: Page) => on.locator("[name=expect_prefix]").isVisible();
  const openFold = (on: Page) => on.locator("summary", { hasText: "Details of asking" }).click();
  await openFold(page);
  await expect(page.getByLabel("Query port")).toBeVisible();
  expect(await isShown(page)).toBe(false);
  await page.locator("select[name=adapter]").selectOption("tcp");
  await expect(page.locator("[name=expect_prefix]")).toBeVisible();
  await expect(page.locator("[name=trust_record]")).toBeHidden();
  await page.locator("select[name=adapter]").selectOption("minecraft");
  await expect(page.locator("[name=expect_prefix]")).toBeHidden();
  const scriptless = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await scriptless.newPage();
  await plain.goto(page.url());
  await openFold(plain);
  await expect(plain.getByLabel("Query port")).toBeVisible();
  expect(await isShown(plain)).toBe(false);
  await plain.locator("select[name=adapter]").selectOption("tcp");
  expect(await isShown(plain)).toBe(true);
  await expect(plain.locator("[name=trust_record]")).toBeHidden();
  await scriptless.close();

  // Hidden: gone from what is open, and from every address.
  const id = /gameservers\/(\d+)\/edit/.exec(page.url())?.[1];
  await page.locator("select[name=visibility]").selectOption("hidden");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Game server updated successfully!")).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(visitor.getByText("Blockland One")).toHaveCount(0);
  for (const address of ["/dashboard", "/games/blockland", "/de/dashboard", "/dashboard.data"]) {
    const shows = async () => (await (await outside.request.get(site.url + address)).text()).includes("Blockland One");
    await expect.poll(shows, { message: address, intervals: [100] }).toBe(false);
  }
  const status = async () => (await outside.request.get(`${site.url}/servers/${id}`)).status();
  await expect.poll(status, { intervals: [100] }).toBe(404);

  player.leave();
  await minecraft.kill();
  await Promise.all([staff.close(), outside.close()]);
});

test("on a phone what is wrong in a fold is led to, and Save stays in reach above the keyboard", async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, viewport: { width: 360, height: 780 }, locale: "en-GB" });
  const page = await context.newPage();
  await signIn(page);
  const [server] = await site.sql`select server_id from gameserver order by server_id limit 1`;
  await openAlive(page, `${site.url}/admin/gameservers/${server?.server_id}/edit`);
  const save = page.getByRole("button", { name: "Save" });
  const name = page.getByLabel("Server Name", { exact: true });
  const interval = page.getByLabel("Seconds between two queries");
  const fold = page.locator("summary", { hasText: "Details of asking" });

  // At once in reach, and it says what is not saved.
  await expect(save).toBeInViewport();
  await expect(page.getByText("Unsaved changes")).toHaveCount(0);
  const before = await name.inputValue();
  await name.fill(`${before} II`);
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  await name.fill(before);
  await expect(page.getByText("Unsaved changes"), "what is taken back is no change").toHaveCount(0);
  expect(await findFaults(page, [360])).toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });

  // Wrong by the field's own rule, and then by the site's: either way the fold opens, and one goes on in the field.
  await expect(interval).toBeHidden();
  await fold.click();
  await interval.fill("5000");
  await fold.click();
  await expect(interval).toBeHidden();
  await save.click();
  await expect(interval).toBeFocused();
  await expect(page.getByText("This must be a whole number from 1 to 3,600.")).toBeInViewport();
  await interval.fill("30");
  const link = page.getByLabel("Join link");
  const joining = page.locator("summary", { hasText: "Joining and version" });
  await joining.click();
  await link.fill("javascript:alert(1)");
  await joining.click();
  await expect(link).toBeHidden();
  await save.click();
  await expect(link).toBeFocused();
  await expect(interval, "a fold that was open stays so").toBeVisible();
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  expect(await findFaults(page, [360])).toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  await link.fill("");

  // A keyboard that lies over the page, as phones have it: what is left is 400 px high.
  await page.evaluate(() => {
    const seen = window.visualViewport;
    if (!seen) throw new Error("this browser has no visual viewport");
    Object.defineProperty(seen, "height", { get: () => 400, configurable: true });
  });
  for (const typed of [name, interval, link, page.getByLabel("What else is needed to get in (German)")]) {
    await typed.focus();
    await page.evaluate(() => window.visualViewport?.dispatchEvent(new Event("resize")));
    const bar = async () =>
      (await save.evaluate((button) => button.parentElement?.getBoundingClientRect().toJSON())) as DOMRect;
    await expect.poll(async () => Math.round((await bar()).bottom), "the bar stands on the keyboard").toBe(400);
    const field = (await typed.boundingBox()) ?? { y: 0, height: 0 };
    expect(field.y + field.height, "the field is above the bar").toBeLessThanOrEqual((await bar()).top);
    expect(field.y, "and below the top bar").toBeGreaterThanOrEqual(0);
  }
  await page.evaluate(() => {
    if (window.visualViewport) Reflect.deleteProperty(window.visualViewport, "height");
    window.visualViewport?.dispatchEvent(new Event("resize"));
  });
  await save.click();
  await expect(page.getByText("Game server updated successfully!")).toBeInViewport();
  await expect(save.locator("..").getByText("Saved", { exact: true })).toBeVisible();
  const [row] = await site.sql`select poll_interval_s from gameserver where server_id = ${server?.server_id ?? 0}`;
  expect(row?.poll_interval_s).toBe(30);

  // What is typed once and never shown again stands empty after a save, and so does its tick: neither is a change.
  const bar = save.locator("..");
  const adapter = page.locator("select[name=adapter]");
  const asked = await adapter.inputValue();
  await adapter.selectOption("palworld");
  const secret = page.getByLabel("Admin password");
  await secret.fill("a password of this journey");
  await save.click();
  const forget = page.getByRole("checkbox", { name: "Forget it" });
  await expect(forget).toBeVisible();
  await expect(secret).toHaveValue("");
  await expect(bar.getByText("Saved", { exact: true })).toBeVisible();
  await forget.check();
  await expect(bar.getByText("Unsaved changes")).toBeVisible();
  await save.click();
  await expect(forget).toHaveCount(0);
  await expect(bar.getByText("Saved", { exact: true })).toBeVisible();
  await secret.fill("another one");
  await expect(bar.getByText("Unsaved changes")).toBeVisible();
  await secret.fill("");
  await adapter.selectOption(asked);
  await save.click();
  await expect(bar.getByText("Saved", { exact: true })).toBeVisible();

  // A link to a folded field opens it.
  await openAlive(page, `${site.url}/admin/gameservers/${server?.server_id}/edit#version`);
  await expect(page.getByLabel("Version", { exact: true })).toBeFocused();
  await context.close();
});

test("at a desk the doctor stands beside the form, and keys go through it, the fields and Save in this order", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page);
  await openAlive(page, `${site.url}/admin/gameservers/create`);
  const address = page.getByLabel("Address of the game server");
  await expect(address).toBeVisible();
  const [doctor, form] = [await address.boundingBox(), await page.locator("[name=server_name]").boundingBox()];
  expect(doctor?.x ?? 0).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0));
  await address.focus();
  const reached: string[] = [];
  for (let step = 0; step < 40 && reached.at(-1) !== "Cancel"; step += 1) {
    await page.keyboard.press("Tab");
    reached.push(
      await page.evaluate(() => {
        const at = document.activeElement;
        return at?.getAttribute("name") ?? at?.querySelector("span")?.textContent ?? at?.textContent ?? "";
      }),
    );
  }
  expect(reached).toEqual([
    "",
    "Examine",
    "game_id",
    "server_name",
    "visibility",
    "host",
    "game_port",
    "adapter",
    "join_code",
    "password",
    "password_access",
    "State, size and locations",
    "Details of asking",
    "Joining and version",
    "Description, links and mods",
    "Create",
    "Cancel",
  ]);
  // What cannot be asked without more shows what it needs.
  await page.locator("select[name=adapter]").selectOption("gamedig");
  await expect(
    page.locator("form:has([name=server_name])").getByRole("combobox", { name: "Name of the game in gamedig" }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Choose a game.")).toBeVisible();
  await expect(page.locator("select[name=game_id]")).toBeFocused();
  expect(await findFaults(page, [1440])).toEqual([]);
});

test("games are found in the catalogue as one types, ticked and taken, by keyboard and on a phone", async ({
  browser,
}) => {
  const phone = await browser.newContext({ viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true });
  const page = await phone.newPage();
  await signIn(page);
  await openAlive(page, `${site.url}/admin/games/create`);
  const found = page.getByRole("status");
  await page.getByRole("searchbox").fill("cs");
  await page.getByRole("checkbox", { name: /^Counter-Strike 2 CS2/ }).tap();
  // What is ticked stays so, whatever is searched for; Enter searches and sends nothing.
  await page.getByRole("searchbox").fill("teraria");
  await page.getByRole("searchbox").press("Enter");
  await expect(found.filter({ hasText: "1 game found." })).toBeVisible();
  await page.getByRole("checkbox", { name: /^Terraria/ }).check();
  const box = await page.getByRole("checkbox").locator("..").boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  await page.getByRole("searchbox").fill("");
  await expect(page.getByRole("checkbox", { name: /^Counter-Strike 2 CS2/ })).toBeChecked();
  await page.getByRole("button", { name: "Add 2 games" }).tap();
  await expect(page.getByText("The games are on your site.")).toBeVisible();
  await openAlive(page, `${site.url}/admin/games/create?q=terraria`);
  await expect(page.getByRole("link", { name: "On your site" })).toBeVisible();

  // One game out of all that can be asked, by keyboard alone.
  await openAlive(page, `${site.url}/admin/gameservers/doctor`);
  const type = page.getByRole("combobox", { name: "Game" });
  const value = () => page.locator("input[name=type]").inputValue();
  await type.fill("quake l");
  await expect(page.getByRole("option")).toHaveCount(1);
  await type.press("ArrowDown");
  await expect(type).toHaveAttribute("aria-activedescendant", /./);
  await type.press("Enter");
  await expect(type).toHaveValue("Quake Live");
  expect(await value()).toBe("quakelive");
  await type.fill("nothing like it");
  await expect(found.filter({ hasText: "An unlisted game works as well" })).toBeVisible();
  await type.press("Escape");
  await expect(type).toHaveValue("Quake Live");
  await page.getByRole("button", { name: "Clear: Game" }).tap();
  expect(await value()).toBe("");
  await phone.close();
});

test("lists search while one types, sort by their heads, and keep their state in the address; rows are ordered by keys", async ({
  page,
}) => {
  await signIn(page);
  await page.getByRole("searchbox").fill("VALH");
  await expect(page).toHaveURL(/\?q=VALH$/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("VALH");
  await page.getByRole("link", { name: "Clear" }).click();
  await page.getByRole("link", { name: "Game Name" }).click();
  await expect(page.getByRole("columnheader", { name: "Game Name" })).toHaveAttribute("aria-sort", "ascending");
  await page.getByRole("link", { name: "Game Name" }).click();
  await expect(page).toHaveURL(/sort=-game_name/);

  await page.getByRole("link", { name: "Order" }).click();
  const first = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Aion, position 1/ }) });
  await first.getByRole("button", { name: /^Aion, position 1/ }).press("ArrowDown");
  await expect(page.getByText(/Aion moved to position 2 of \d+\.\s+Saved\./)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Aion, position 2/ })).toBeFocused();
  await page.reload();
  await expect(page.getByRole("button", { name: /^Aion, position 2/ })).toBeVisible();
});

test("what was refused, and what is being typed, stays when the site changes meanwhile", async ({ page }) => {
  const passwordHash = await hashPassword(PASSWORD);
  const about = { email: "ada@example.org", passwordHash, locale: "en", emailVerified: true } as const;
  const { id } = await createUser(site.db, about);
  await signIn(page);
  await openAlive(page, `${site.url}/admin/people/${id}/delete`);
  await page.getByLabel("Type this to confirm").fill("ada@example.net");
  await page.locator("main").getByRole("button").click();
  await expect(page.getByText("What you typed does not match.")).toBeVisible();
  const readAgain = page.waitForResponse(/delete\.data/);
  await site.sql`update games set tagline = tagline || '{"en": "Changed."}' where game_slug = 'valheim'`;
  await readAgain;
  await page.waitForTimeout(300);
  await expect(page.getByText("What you typed does not match.")).toBeVisible();
  await expect(page.getByLabel("Type this to confirm")).toHaveValue("ada@example.net");
  // What another admin saves does not reach into what is being typed: it is run into by saving.
  await openAlive(page, `${site.url}/admin/settings`);
  await page.locator("[name=tagline_en]").fill("Half a sentence");
  const again = page.waitForResponse(/settings\.data/);
  await site.sql`insert into site_settings (setting_key, setting_value) values ('tagline', '{"en": "Another admin was here"}')
    on conflict (setting_key) do update set setting_value = excluded.setting_value, updated_at = now()`;
  await again;
  await page.waitForTimeout(300);
  await expect(page.locator("[name=tagline_en]")).toHaveValue("Half a sentence");
});

test("who writes keeps it when the session ends or the role goes meanwhile, and goes on after signing in elsewhere", async ({
  browser,
}) => {
  const context = await browser.newContext();
  const [page, other] = [await context.newPage(), await context.newPage()];
  await signIn(page);
  await openAlive(page, `${site.url}/admin/news/create`);
  const title = page.getByLabel("Title in English");
  const signedOut = page.getByText("You are no longer logged in");
  await title.fill("A night at the harbour");
  await openAlive(other, `${site.url}/logout`);
  await other.getByRole("main").getByRole("button").click();
  await expect(signedOut).toBeVisible();
  await expect(title).toHaveValue("A night at the harbour");
  await page.getByRole("button", { name: "Close this message" }).click();
  await expect(signedOut).toHaveCount(0);
  // The live stream says it, too, and may be later than the other page.
  await other.evaluate((name) => new BroadcastChannel(name).postMessage({ event: "SIGNED_OUT" }), AUTH_CHANNEL);
  await page.waitForTimeout(300);
  expect(await signedOut.count()).toBe(0);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(signedOut).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/news\/create$/);
  await expect(title).toHaveValue("A night at the harbour");

  await signInByForm(other);
  await expect(signedOut).toHaveCount(0);
  // What the live stream was asked before the sign-in, and says after it. The other page reloads.
  const reloaded = other.waitForEvent("load");
  await other.evaluate((name) => new BroadcastChannel(name).postMessage({ event: "SIGNED_OUT" }), AUTH_CHANNEL);
  await reloaded;
  await page.waitForTimeout(300);
  expect(await signedOut.count()).toBe(0);
  // One that is true is said as well, however soon it comes.
  await openAlive(other, `${site.url}/logout`);
  await other.getByRole("main").getByRole("button").click();
  await expect(signedOut).toBeVisible();
  await expect(title).toHaveValue("A night at the harbour");
  await signInByForm(other);
  await expect(signedOut).toHaveCount(0);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The news has been saved.")).toBeVisible();

  await title.fill("Two nights at the harbour");
  await site.sql`update roles set role = 'user' where role = 'admin'`;
  await expect(async () => {
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/Your role no longer allows this|You are no longer logged in/)).toBeVisible({
      timeout: 5_000,
    });
  }).toPass();
  await expect(title).toHaveValue("Two nights at the harbour");

  await context.close();
});
