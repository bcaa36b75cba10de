/** What people see while they wait, or in vain: answers are held back until the picture is taken. */
import type { Page } from "@playwright/test";
import { untilAlive } from "../e2e/alive.ts";
import type { Shot } from "./camera.ts";

/** Longer than all pictures of one state take. */
const HELD_MS = 20_000;

/** Answers to these come late. */
async function holdBack(page: Page, addresses: RegExp): Promise<void> {
  await page.route(addresses, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, HELD_MS));
    await route.abort().catch(() => undefined);
  });
}

export const LOADING: readonly Shot[] = [
  {
    name: "lost--dashboard",
    who: "nobody",
    address: "/dashboard",
    act: async (page) => {
      await page.route(/\/live(\?|$)/, (route) => route.abort());
      await page.reload();
      await page
        .getByText(/Connection lost/)
        .first()
        .waitFor();
    },
  },
  {
    name: "loading--profile",
    who: "member",
    address: "/dashboard",
    act: async (page) => {
      await holdBack(page, /profile\.data/);
      // The skeleton gives way to words after a second; here, after the pictures.
      await page.evaluate((late) => {
        const wait = window.setTimeout.bind(window);
        window.setTimeout = ((work: () => void, ms?: number) =>
          wait(work, ms === 1_000 ? late : ms)) as typeof setTimeout;
      }, HELD_MS);
      await page.getByRole("button", { name: "Your account" }).click();
      await page.locator("#avatar-menu").getByRole("link").first().click();
      await page.locator("[data-shape=avatar]").waitFor();
    },
  },
  {
    name: "loading--admin",
    who: "admin",
    address: "/admin/dashboard",
    act: async (page) => {
      await holdBack(page, /gameservers\.data/);
      await page.locator("main nav a[href$='/admin/gameservers']").click();
      await page.locator("[data-loading]").waitFor();
    },
  },
  {
    name: "loading--login",
    who: "nobody",
    address: "/login/",
    act: async (page) => {
      await holdBack(page, /login.*\.data|_root\.data/);
      await untilAlive(page);
      const form = page.locator("#login");
      await form.getByLabel("Email").fill("somebody@example.org");
      await form.getByLabel("Password", { exact: true }).fill("a lamp in the harbour");
      await form.getByRole("button", { name: "Login" }).click();
      await form.locator("button[disabled], [aria-busy=true], [aria-disabled=true]").first().waitFor();
    },
  },
];
