/** What pages look like while something is open, refused or lost: how to get there, by the texts that people see. */
import { expect, type Page } from "@playwright/test";
import { NARROW, WIDE } from "./access-looks.ts";
import type { Who } from "./access-map.ts";
import type { AccessSite } from "./access-site.ts";

export type State = {
  who: Who;
  name: string;
  /** The page that it begins on. */
  at: (site: AccessSite) => string;
  /** Makes it so, and waits until it is. */
  act: (page: Page, site: AccessSite) => Promise<void>;
  /** Where it can be only at one width. */
  widths?: readonly number[];
};

const press = (page: Page, name: string | RegExp) =>
  page.locator("main").getByRole("button", { name, exact: true }).first().click();
const seen = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible();

const refused = (page: Page) => expect(page.locator("main").getByRole("alert").first()).toBeVisible();

/** Sends a form with what its fields themselves would have refused. */
async function sendUnchecked(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    for (const field of document.querySelectorAll("[required]")) field.removeAttribute("required");
  });
  await press(page, name);
}

const VISITOR: Omit<State, "who">[] = [
  {
    name: "banner of the demo",
    at: () => "/impressum",
    act: async (page) => {
      await page.evaluate(() => delete document.documentElement.dataset.demoBanner);
      await expect(page.getByRole("complementary", { name: "Demo" })).toBeVisible();
    },
  },
  {
    name: "games menu",
    at: () => "/",
    widths: [WIDE],
    act: async (page) => {
      await page.getByRole("button", { name: "Games" }).click();
      await expect(page.locator("#games-menu")).toBeVisible();
    },
  },
  {
    name: "menu of phones",
    at: () => "/dashboard",
    widths: [NARROW],
    act: async (page) => {
      await page.getByRole("button", { name: "Menu", exact: true }).click();
      await expect(page.locator("#site-menu")).toBeVisible();
    },
  },
  {
    name: "connection lost",
    at: () => "/dashboard",
    act: async (page) => {
      // Requests of a shared worker can't be routed: the page opens its own stream.
      await page.addInitScript(() => Reflect.deleteProperty(window, "SharedWorker"));
      await page.route(/\/live(\?|$)/, (route) => route.abort());
      await page.reload();
      await seen(page, /Connection lost/);
      await page.unroute(/\/live(\?|$)/);
    },
  },
  {
    name: "login failed",
    at: () => "/login/",
    act: async (page) => {
      const form = page.locator("#login");
      await form.getByLabel("Email").fill("nobody@example.org");
      await form.getByLabel("Password", { exact: true }).fill("not the password");
      await form.getByRole("button", { name: "Show password" }).click();
      await form.getByRole("button", { name: "Login" }).click();
      await seen(page, /^Login failed\./);
    },
  },
  {
    name: "error page",
    at: () => "/impressum",
    act: async (page) => {
      await page.evaluate(() => {
        const form = document.createElement("form");
        form.method = "post";
        document.body.append(form);
        form.submit();
      });
      await seen(page, "This page does not take that");
    },
  },
];

const MEMBER: Omit<State, "who">[] = [
  {
    name: "own menu",
    at: () => "/dashboard",
    act: async (page) => {
      await page.getByRole("button", { name: "Your account" }).click();
      await expect(page.locator("#avatar-menu")).toBeVisible();
    },
  },
  {
    name: "avatar's menu",
    at: () => "/user/settings/profile",
    act: async (page) => {
      await page.getByRole("button", { name: "Change your avatar" }).click();
      await expect(page.getByRole("button", { name: "Upload Avatar" })).toBeVisible();
    },
  },
  {
    name: "refused file for the avatar",
    at: () => "/user/settings/profile",
    act: async (page) => {
      await page.getByRole("button", { name: "Change your avatar" }).click();
      await page.getByRole("button", { name: "Upload Avatar" }).click();
      const buffer = Buffer.from("hello");
      const picker = page.locator("dialog input[type=file]");
      await picker.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer });
      await seen(page, "This file is no picture.");
    },
  },
  {
    name: "crop dialog",
    at: () => "/user/settings/profile",
    act: async (page, { picture }) => {
      await page.getByRole("button", { name: "Change your avatar" }).click();
      await page.getByRole("button", { name: "Upload Avatar" }).click();
      const picker = page.locator("dialog input[type=file]");
      await picker.setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: picture });
      await expect(page.getByRole("dialog", { name: "Crop Image" }).getByTestId("cropper")).toBeVisible();
    },
  },
  {
    name: "second factor being set up",
    at: () => "/user/settings/security",
    act: async (page) => {
      await press(page, "Set up");
      await page.getByLabel("Code from the app").fill("000000");
      await press(page, "Turn on");
      await seen(page, "This code is wrong");
    },
  },
  {
    name: "deletion asked for",
    at: () => "/user/settings/data",
    act: async (page) => {
      await page.getByText("Delete my account…").click();
      await page.getByLabel("Type DELETE to confirm").fill("perhaps");
      await press(page, "Yes, delete my account");
      await seen(page, "Your account is as it was.");
    },
  },
  { name: "refused area", at: () => "/admin/dashboard", act: (page) => seen(page, "This is for others.") },
];

const ADMIN: Omit<State, "who">[] = [
  {
    name: "games of the catalogue ticked",
    at: () => "/admin/games/create",
    act: async (page) => {
      await page.getByRole("searchbox").fill("rust");
      await page.getByRole("checkbox", { name: /^Rust/ }).check();
      await expect(page.getByRole("button", { name: "Add 1 game" })).toBeVisible();
    },
  },
  {
    name: "games to choose from",
    at: () => "/admin/gameservers/doctor",
    act: async (page) => {
      await page.getByRole("combobox", { name: "Game" }).fill("quake");
      await page.keyboard.press("ArrowDown");
      await expect(page.getByRole("option", { name: /Quake Live/ })).toBeVisible();
    },
  },
  {
    name: "game changed by two",
    at: ({ values }) => `/admin/games/${values.gameId}/edit`,
    act: async (page, { sql, values }) => {
      await sql`update games set game_acronym = 'MC', updated_at = now() where game_id = ${Number(values.gameId)}`;
      await page.getByLabel("Game Acronym").fill("MCA");
      await press(page, "Save");
      await refused(page);
    },
  },
  {
    name: "refused step of a guide",
    at: ({ values }) => `/admin/games/${values.gameId}/guide`,
    act: async (page) => {
      await press(page, "Add a step");
      await seen(page, "Unsaved changes");
      await sendUnchecked(page, "Save");
      await refused(page);
    },
  },
  {
    name: "refused game server",
    at: () => "/admin/gameservers/create",
    act: async (page) => {
      await sendUnchecked(page, "Create");
      await refused(page);
    },
  },
  {
    name: "doctor who says why not",
    at: () => "/admin/gameservers/doctor",
    act: async (page) => {
      await page.getByLabel("Address of the game server").fill("127.0.0.1:1");
      await press(page, "Examine");
      await seen(page, "What is wrong, and what helps");
    },
  },
  {
    name: "token shown",
    at: ({ values }) => `/admin/gameservers/${values.serverId}/heartbeat`,
    act: async (page) => {
      await press(page, "Make a token");
      await seen(page, "This token is shown only now.");
    },
  },
  {
    name: "removal of a picture",
    at: () => "/admin/media",
    act: async (page) => {
      await press(page, /^Remove picture/);
      await seen(page, "This cannot be undone.");
    },
  },
];

const of = (who: Who, states: Omit<State, "who">[]): State[] => states.map((state) => ({ who, ...state }));

export const STATES: readonly State[] = [...of("nobody", VISITOR), ...of("member", MEMBER), ...of("admin", ADMIN)];
