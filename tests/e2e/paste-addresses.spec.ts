/** An admin pastes all addresses at once, types while answers come in, reloads in the middle, loses nothing, and adds them. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, type Page, test } from "@playwright/test";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { findFaults } from "./access-looks.ts";
import { openAlive, untilAlive } from "./alive.ts";
import { logIn, type Site, startSite } from "./site.ts";

const PASSWORD = "a lamp in the harbour";
let site: Site;
const closing: (() => unknown)[] = [];
let text = "";

test.beforeAll(async () => {
  site = await startSite();
  const passwordHash = await hashPassword(PASSWORD);
  const admin = { email: "admin@example.org", passwordHash, locale: "en", emailVerified: true } as const;
  const { id } = await createUser(site.db, admin);
  await site.sql`update roles set role = 'admin' where user_id = ${id}`;
  const lines: string[] = ["# Our servers", ""];
  for (const name of ["Knox County", "West Point", "Muldraugh"]) {
    const info = {
      name,
      map: "x",
      folder: "zomboid",
      game: "Project Zomboid",
      players: 3,
      maxPlayers: 9,
      version: "42",
    };
    const server = await startA2sServer({ host: "127.0.1.1", info: () => info });
    closing.push(server.close);
    lines.push(`- ${name === "Muldraugh" ? "**Ours**: " : ""}\`127.0.1.1:${server.port}\``);
  }
  // They hear and never answer: such lines take their time.
  for (let at = 0; at < 20; at += 1) {
    const mute = createSocket("udp4").bind(0, "127.0.1.2");
    await once(mute, "listening");
    closing.push(() => mute.close());
    lines.push(`127.0.1.2:${mute.address().port} - Mute ${at}`);
  }
  lines.push("10.1.2.3:27015", "see our rules", lines[2] ?? "");
  text = lines.join("\n");
});

test.afterAll(async () => {
  await site?.stop();
  for (const close of closing) await close();
});

async function signIn(page: Page) {
  await logIn(page.context(), site.url, "admin@example.org", PASSWORD);
  await openAlive(page, `${site.url}/admin/gameservers`);
}

const answered = (page: Page) => expect(page.getByText(/^All \d+ lines have their answers\.$/)).toBeVisible();

test("answers come in beside what is typed, a reload loses neither, and all that is ticked is added in one act", async ({
  page,
}) => {
  await signIn(page);
  await page.getByRole("link", { name: "Paste addresses" }).click();
  await page.getByLabel("Addresses, one a line").fill(text);
  await page.getByRole("button", { name: "Examine these addresses" }).click();
  const rows = page.locator("[data-line]");
  await expect(rows).toHaveCount(26);
  const name = page.getByLabel("Server name of line 1", { exact: true });
  await expect(name).toHaveValue("Knox County");
  await expect(page.locator('[data-state="waiting"]').first(), "the others are still under way").toBeVisible();

  // Somebody types: nothing moves under their hands, and no answer takes away what they wrote.
  const placeOf = () => name.evaluate((field) => field.getBoundingClientRect().top);
  const before = await placeOf();
  await name.fill("");
  await name.pressSequentially("The county", { delay: 150 });
  await expect(name).toBeFocused();
  expect(Math.abs((await placeOf()) - before)).toBeLessThan(2);
  // Enter in a row neither adds nor removes anything.
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(26);
  await page.waitForResponse((response) => response.request().method() === "POST" && response.ok());

  await page.reload();
  await untilAlive(page);
  await expect(name).toHaveValue("The county");
  await answered(page);
  await expect(rows.filter({ hasText: "The same as line 1" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "May not be asked" })).toContainText("10.1.2.3 is a private address");
  await expect(page.getByLabel("Server name of line 3", { exact: true })).toHaveValue("Ours");
  await expect(page.getByRole("button", { name: "Add 3 public game servers" })).toBeInViewport();

  // A dead one is added on purpose: its game says how it is asked.
  await page.getByLabel("Game of line 4", { exact: true }).selectOption({ label: "Project Zomboid" });
  await page.getByLabel("Add line 4", { exact: true }).check();
  await page.getByLabel("Add line 2", { exact: true }).uncheck();
  await page.getByRole("button", { name: "Remove line 5", exact: true }).click();
  await expect(rows).toHaveCount(25);
  await page.getByRole("button", { name: "Remove the lines without an address" }).click();
  await expect(rows).toHaveCount(24);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByLabel("Visibility").selectOption("members");
  await page.getByRole("button", { name: "Add 3 game servers for members" }).click();
  await expect(page.getByText("3 game servers were added.")).toBeVisible();
  const made =
    await site.sql`select server_name, visibility, adapter from gameserver where host like '127.0.1.%' order by server_id`;
  expect([...made]).toEqual([
    { server_name: "The county", visibility: "members", adapter: "a2s" },
    { server_name: "Ours", visibility: "members", adapter: "a2s" },
    { server_name: "Mute 0", visibility: "members", adapter: "a2s" },
  ]);
  await page.getByRole("link", { name: "Start another list" }).click();
  await expect(page.getByRole("link", { name: /lines left$/ })).toBeVisible();
  expect(await findFaults(page)).toEqual([]);
});
