/** A passkey from adding it to signing in with it, by a virtual authenticator of Chromium. */
import { expect, test } from "@playwright/test";
import { PASSWORD, startAccountSite } from "../helpers/account-site.ts";
import { openAlive } from "./alive.ts";

test("sign in with a passkey; without the finger or the PIN it is refused", async ({ page }) => {
  // A passkey belongs to a name, and while SITE_URL is unset the site goes by that one too.
  const site = await startAccountSite();
  try {
    const base = `http://localhost:${new URL(site.base).port}`;
    await site.member("keys@example.org");
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await openAlive(page, `${base}/login/`);
    const login = page.locator("#login");
    await login.getByLabel("Email").fill("keys@example.org");
    await login.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await login.getByRole("button", { name: "Login" }).click();
    await page.waitForURL(`${base}/`);
    await openAlive(page, `${base}/user/settings/profile/`);
    await page.getByLabel("User name").fill("Key Keeper");
    await page.getByRole("button", { name: "Save" }).first().click();
    await expect.poll(() => site.sql`select 1 from profiles where user_nick_name = 'Key Keeper'`).toHaveLength(1);
    const added = await page.evaluate(async () => {
      const options = await (await fetch("/api/auth/passkey/generate-register-options")).json();
      const made = await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      });
      if (!(made instanceof PublicKeyCredential)) return 0;
      const body = JSON.stringify({ response: made.toJSON(), name: "Laptop" });
      const headers = { "Content-Type": "application/json" };
      return (await fetch("/api/auth/passkey/verify-registration", { method: "POST", headers, body })).status;
    });
    expect(added).toBe(200);
    expect((await site.newestMail("keys@example.org")).data.what).toBe("passkey-added");
    const signOut = async () => {
      await page.getByRole("button", { name: "Your account" }).click();
      await page.getByRole("button", { name: "Log out" }).click();
      await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
    };
    await signOut();
    await openAlive(page, `${base}/login/?next=/dashboard`);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`${base}/dashboard`);

    await site.sql`update sessions set created_at = now() - interval '1 hour'`;
    await openAlive(page, `${base}/user/settings/account`);
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByLabel("Password", { exact: true }).fill("half a password");
    await page.getByRole("button", { name: "Email me a code instead" }).click();
    await expect(page.getByLabel("Code"), "what was typed as a password is not shown").toHaveValue("");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`${base}/user/settings/account`);
    await expect(page.getByRole("button", { name: "Change address" })).toBeVisible();
    await signOut();

    await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await openAlive(page, `${base}/login/`);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForTimeout(1_500);
    expect(page.url()).toBe(`${base}/login/`);
    await expect(page.getByRole("button", { name: "Your account" })).toHaveCount(0);

    // At the same site's number the page says why not, and leads to where it can be done.
    await openAlive(page, `${site.base}/de/login/`);
    await expect(page.getByRole("button", { name: "Passkey" })).toHaveCount(0);
    await page.getByRole("link", { name: `Sie gehen unter ${base}` }).click();
    await page.waitForURL(`${base}/de/login/`);
    await expect(page.getByRole("button", { name: "Passkey" })).toBeVisible();
  } finally {
    await site.stop();
  }
});
