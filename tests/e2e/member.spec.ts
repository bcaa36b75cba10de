/** A member's whole way: from registering over avatar, second factor and a new password to export and deletion. */
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { holdScripts, openAlive, untilAlive } from "./alive.ts";
import { linkInMail, newestMail } from "./outbox.ts";
import { PHONE } from "./phone-looks.ts";
import { type Site, startSite } from "./site.ts";

const PASSWORD = "a lamp in the harbour";
const NEXT_PASSWORD = "a boat beside the lamp";
let site: Site;
let photo: Buffer;

test.beforeAll(async () => {
  site = await startSite();
  const drawing = '<svg width="1600" height="1000"><circle cx="800" cy="500" r="300" fill="#ff8000"/></svg>';
  photo = await sharp({ create: { width: 1600, height: 1000, channels: 3, background: "#204060" } })
    .composite([{ input: Buffer.from(drawing) }])
    .jpeg()
    .toBuffer();
});

test.afterAll(async () => {
  await site.stop();
});

/** Fails when axe finds anything on the page as it stands. */
async function expectAccessible(page: Page, what: string) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`),
    what,
  ).toEqual([]);
}

/** Counts what the browser's console complains about: a style or script that the policy refuses, a page error. */
function watchConsole(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|hydrat/i.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

/** The code that an authenticator app shows for this key (RFC 6238), some steps from now. */
function totp(key: string, stepsAhead = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...key.replace(/[\s=]/g, "")].map((c) => letters.indexOf(c).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const hash = createHmac("sha1", secret).update(step).digest();
  const value = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, "0");
}

async function signIn(page: Page, email: string, password: string) {
  await openAlive(page, `${site.url}/login/`);
  const form = page.locator("#login");
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Login" }).click();
}

test("register, verify, name, avatar, second factor, new password, export, delete", async ({ browser }) => {
  const email = "ada@example.org";
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const complaints = watchConsole(page);

  await test.step("register and verify by the mail of the outbox", async () => {
    await openAlive(page, `${site.url}/login/#register`);
    const form = page.locator("#register");
    await form.getByLabel("Email").fill(email);
    await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await form.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("Email is not set up on this site")).toBeVisible();
    await page.goto(await linkInMail(site.dataDir, email, /confirm/i));
    await page.locator("main form button[type=submit]").click();
    await expect(page.getByRole("button", { name: "Your account" })).toBeVisible();
  });

  await test.step("a menu that was opened before the scripts are there stays open", async () => {
    const arrive = await holdScripts(page);
    await page.goto(site.url, { waitUntil: "commit" });
    await page.getByRole("button", { name: "Your account" }).click();
    arrive();
    await untilAlive(page);
    await expect(page.getByRole("link", { name: "Profile" })).toBeVisible();
    await page.unrouteAll();
  });

  await test.step("set a name; a bad one is refused beside the field", async () => {
    await page.getByRole("link", { name: "Profile" }).click();
    await expect(page.getByRole("heading", { name: "About you" })).toBeVisible();
    const name = page.getByLabel("User Name");
    await expect(page.getByLabel("E-Mail")).toBeDisabled();
    await expect(page.getByLabel("User Role")).toHaveValue("User");
    await name.fill("Ada\u200b");
    await page.getByRole("button", { name: "Save" }).first().click();
    await expect(page.getByText("invisible characters are not allowed")).toBeVisible();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await expectAccessible(page, "profile with an error");
    await name.fill("Ada Lovelace");
    await page.getByRole("button", { name: "Save" }).first().click();
    await expect(page.getByText("Saved.")).toBeVisible();
  });

  await test.step("what is typed into a long field before the scripts are there stays", async () => {
    const field = page.getByLabel("Names to hide");
    await field.fill("Grog");
    await page.locator("#player-names").getByRole("button", { name: "Save" }).click();
    await expect(page.locator("#player-names [data-answer]")).toBeVisible();
    const arrive = await holdScripts(page);
    await page.goto(page.url(), { waitUntil: "commit" });
    await expect(field).toHaveValue("Grog");
    await field.fill("Grog\nAda the Brave");
    arrive();
    await untilAlive(page);
    await expect(field).toHaveValue("Grog\nAda the Brave");
    await page.unrouteAll();
  });

  await test.step("upload and crop an avatar, by keyboard as well; it appears in the bar and in other tabs", async () => {
    const other = await context.newPage();
    await other.goto(`${site.url}/dashboard`);
    await page.getByRole("button", { name: "Change your avatar" }).click();
    await page.getByRole("button", { name: "Upload Avatar" }).click();
    const dialog = page.getByRole("dialog", { name: "Upload Avatar" });
    await expect(dialog).toBeVisible();
    const picker = page.locator("dialog input[type=file]");
    await picker.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
    await expect(dialog.getByText("This file is no picture.")).toBeVisible();
    await expectAccessible(page, "drop zone with an error");
    await picker.setInputFiles({ name: "broken.png", mimeType: "image/png", buffer: Buffer.from("nothing") });
    await expect(dialog.getByText("This picture could not be read.")).toBeVisible();
    await picker.setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: photo });
    const crop = page.getByRole("dialog", { name: "Crop Image" });
    const area = crop.getByTestId("cropper");
    await expect(area).toBeVisible();
    await expectAccessible(page, "crop dialog");
    await crop.getByLabel("Zoom").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await area.focus();
    for (let press = 0; press < 5; press += 1) await page.keyboard.press("ArrowRight");
    await crop.getByRole("button", { name: "Save" }).first().click();
    await expect(crop).toBeHidden();
    const picture = page.locator("header img");
    await expect(picture).toHaveAttribute("src", /^\/avatars\/[\w-]+\.webp\?t=\d+$/);
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      500,
    );
    await expect(other.locator("header img")).toBeVisible();
    const answer = await page.request.get(site.url + (await picture.getAttribute("src")));
    expect(answer.headers()).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    await other.close();
  });

  let key = "";
  await test.step("turn on the second factor", async () => {
    await page.getByRole("link", { name: "Security" }).click();
    await page.getByRole("button", { name: "Set up" }).click();
    key = (await page.locator("main code").textContent()) ?? "";
    await page.getByLabel("Code from the app").fill("000000");
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByText("This code is wrong")).toBeVisible();
    await expectAccessible(page, "second factor with an error");
    // On the phone that has the app nobody can read the code off the screen.
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy: Key" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key.replaceAll(" ", ""));
    await expect(page.getByText("Open in the app on this device")).toHaveAttribute(
      "href",
      /^otpauth:\/\/totp\/.*secret=/,
    );
    await page.getByLabel("Code from the app").fill(totp(key));
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByText("The second factor is on.")).toBeVisible();
    await expect(page.locator("main ol code")).toHaveCount(10);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download the codes" }).click();
    const codes = await readFile(await (await download).path(), "utf8");
    expect(codes.trim().split("\n")).toHaveLength(10);
  });

  await test.step("sign out, and in with the code", async () => {
    // The live stream tells of the end before the answer does, on a slow line: that is no reason to ask for a login.
    await page.route("**/logout*", async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      await pause(1_500);
      await route.fulfill({ response });
    });
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
    expect(page.url()).toBe(`${site.url}/`);
    await page.unroute("**/logout*");
    await signIn(page, email, PASSWORD);
    await page.waitForURL(/two-factor/);
    // The step after this one: the code of this one was used to turn it on.
    await page.locator("main input[inputmode=numeric]").first().fill(totp(key, 1));
    await page.locator("main form button[type=submit]").first().click();
    await expect(page.getByRole("button", { name: "Your account" })).toBeVisible();
  });

  await test.step("reset the password", async () => {
    const elsewhere = await browser.newContext();
    const there = await elsewhere.newPage();
    await openAlive(there, `${site.url}/forgot-password`);
    await there.getByLabel("Email").fill(email);
    await there.locator("main form button[type=submit]").click();
    await there.goto(await linkInMail(site.dataDir, email, /password/i));
    await there.locator("main input[type=password]").first().fill(NEXT_PASSWORD);
    await there.locator("main form button[type=submit]").click();
    await expect(there.getByText("All devices and programs were logged out")).toBeVisible();
    await newestMail(site.dataDir, email, /security of your account/);
    await elsewhere.close();
    await page.goto(`${site.url}/user/settings/data`);
    await expect(page, "the reset has signed out every device").toHaveURL(/\/login\//);
    await signIn(page, email, NEXT_PASSWORD);
    await page.waitForURL(/two-factor/);
    const codes = await site.sql`update two_factors set last_used_step = null where true returning 1`;
    expect(codes).toHaveLength(1);
    await page.locator("main input[inputmode=numeric]").first().fill(totp(key));
    await page.locator("main form button[type=submit]").first().click();
    await expect(page.getByRole("button", { name: "Your account" })).toBeVisible();
  });

  await test.step("take the data along", async () => {
    await page.goto(`${site.url}/user/settings/data`);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download your data" }).click();
    const held = JSON.parse(await readFile(await (await download).path(), "utf8"));
    expect(held.tables.users[0].email).toBe(email);
    expect(held.tables.profiles[0].user_nick_name).toBe("Ada Lovelace");
    expect(held.tables.accounts[0].password_hash).toBe("(secret, not included)");
    expect(Buffer.from(held.avatar.base64, "base64").toString("latin1", 8, 12)).toBe("WEBP");
  });

  await test.step("delete the account, take it back by the link, and delete it for good", async () => {
    const remove = async () => {
      await page.goto(`${site.url}/user/settings/data`);
      await page.getByText("Delete my account…").click();
      await expectAccessible(page, "deletion");
      await page.getByLabel("Type DELETE to confirm").fill("delete");
      await page.getByRole("button", { name: "Yes, delete my account" }).click();
      await expect(page.getByRole("heading", { name: "Your account is switched off" })).toBeVisible();
    };
    await remove();
    await signIn(page, email, NEXT_PASSWORD);
    await expect(page.getByText("This account is closed.")).toBeVisible();
    await page.goto(await linkInMail(site.dataDir, email, /will be deleted/));
    await page.getByRole("button", { name: "Keep my account" }).click();
    await page.waitForURL(/two-factor/);
    await site.sql`update two_factors set last_used_step = null where true`;
    await page.locator("main input[inputmode=numeric]").first().fill(totp(key));
    await page.locator("main form button[type=submit]").first().click();
    await expect(page.getByRole("button", { name: "Your account" })).toBeVisible();
    await remove();
    await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  });
  expect(complaints, "nothing that the policy refuses, no page error").toEqual([]);
  await context.close();
});

/** A confirmed account, made by the forms themselves. */
async function makeAccount(page: Page, email: string, locale: "" | "/de") {
  await page.goto(`${site.url}${locale}/login/#register`);
  const form = page.locator("#register");
  await form.locator("input[name=email]").fill(email);
  await form.locator("input[name=password]").fill(PASSWORD);
  await form.locator("button[type=submit]").click();
  const noMail =
    locale === "/de" ? "E-Mail ist auf dieser Website nicht eingerichtet" : "Email is not set up on this site";
  await expect(page.getByText(noMail)).toBeVisible();
  await page.goto(await linkInMail(site.dataDir, email, /confirm|bestätig/i));
  await page.locator("main form button[type=submit]").click();
  await expect(page.locator("header [popovertarget=avatar-menu]")).toBeVisible();
}

test("saving the name leaves a phone's page where it is, with what became of it in view", async ({ browser }) => {
  const context = await browser.newContext({ ...PHONE, viewport: { width: 390, height: 700 } });
  const page = await context.newPage();
  await makeAccount(page, "stays@example.org", "");
  // As the menu leads there.
  await openAlive(page, `${site.url}/user/settings/profile`);
  await page.getByLabel("User Name").fill("Stays Here");
  const save = page.getByRole("button", { name: "Save" }).first();
  await save.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  await save.click();
  await expect(page.getByText("Saved.")).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(place);
  await context.close();
});

test("a script that a page fetches late and that does not come is missed alone", async ({ page }) => {
  await makeAccount(page, "lost@example.org", "");
  const late = /\/assets\/(demo-banner|site-banner|profile-pending)-[^/]*\.js$/;
  await page.route(late, (route) => route.abort());
  await openAlive(page, `${site.url}/dashboard`);
  const menu = page.locator("[popovertarget=avatar-menu]");
  await menu.click();
  await page.getByRole("link", { name: "Profile" }).click();
  await expect(page.getByLabel("User Name")).toHaveValue(/^Player-/);
  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.unroute(late);
  await expect(menu).toBeVisible();
});
