/** Login with an OpenID Connect provider in a browser, which holds the pages' policies against each step of the way. */
import { expect, test } from "@playwright/test";
import { startOpenIdProvider } from "../heavy/openid-provider.ts";
import { startAccountSite } from "../helpers/account-site.ts";
import { openAlive } from "./alive.ts";

test("log in with the provider, and come back to the page that required it", async ({ page }) => {
  let base = "";
  const provider = await startOpenIdProvider(() => [`${base}/api/auth/callback/oidc`]);
  const site = await startAccountSite(provider.settings);
  try {
    base = `http://localhost:${new URL(site.base).port}`;
    provider.state.person = { sub: "sailor", email: "sailor@example.org", email_verified: true };
    const refused: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
    });
    await openAlive(page, `${base}/login/?next=/dashboard`);
    await page.getByRole("button", { name: "Continue with Harbour ID" }).click();
    await page.waitForURL(`${base}/dashboard`);
    await expect(page.getByRole("button", { name: "Your account" })).toBeVisible();
    expect(refused).toEqual([]);
  } finally {
    await site.stop();
    await provider.stop();
  }
});
