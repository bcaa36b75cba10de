/** The forms of whoever is signed in: the account's, and those to sign out. */
import { type AreaForm, intent } from "./site-form.ts";

const account = (name: string, nth = 1) => `routes/account/${name}.tsx ${nth}`;

const following = (name: string, nth = 1) => `routes/public/following/${name}.tsx ${nth}`;

const security = "/user/settings/security";

export function listAccountForms(): AreaForm[] {
  return [
    {
      source: "routes/public/sign-in/logout.tsx 1",
      at: "/logout",
      button: "main form [type=submit]",
      text: "Failed to log out.",
    },
    {
      source: "ui/avatar-menu/avatar-menu.tsx 1",
      at: "/news",
      button: "#avatar-menu form [type=submit]",
      text: "Failed to log out.",
      reach: (page) => page.locator("[popovertarget=avatar-menu]").click(),
    },
    {
      source: account("profile"),
      at: "/user/settings/profile/",
      button: intent("save"),
      text: "Error updating profile!",
    },
    {
      source: account("hidden-names"),
      at: "/user/settings/profile/",
      button: intent("hide-names"),
      text: "Error updating profile!",
    },
    {
      source: account("avatar-editor"),
      at: "/user/settings/profile/",
      button: "button[value=remove-avatar]",
      text: "Error removing avatar!",
      reach: (page) => page.locator("[popovertarget=avatar-editor-menu]").click(),
    },
    {
      source: account("account", 1),
      at: "/user/settings/account",
      button: intent("email"),
      text: "Error changing address!",
    },
    {
      source: account("account", 2),
      at: "/user/settings/account",
      button: intent("password"),
      text: "Error changing password!",
    },
    {
      source: account("account", 3),
      at: "/user/settings/account",
      button: "[value=email-cancel]",
      text: "Error changing address!",
    },
    {
      source: account("second-factor", 1),
      at: security,
      button: "[value=totp-start]",
      text: "Error changing the second factor!",
    },
    {
      source: account("second-factor", 2),
      at: `${security}?`,
      button: "[value=totp-confirm]",
      text: "Error changing the second factor!",
      fields: { code: "000000" },
      reach: async (page) => {
        await page.locator("[value=totp-start]").click();
        await page.locator("[value=totp-confirm]").waitFor();
      },
    },
    {
      source: account("passkeys"),
      at: security,
      button: "[value=passkey-rename]",
      text: "Error changing the passkey!",
    },
    {
      source: account("linked-site"),
      at: security,
      button: "[value=discord-unlink]",
      text: "Error disconnecting the Discord account!",
    },
    {
      source: account("devices", 1),
      at: security,
      button: "[value=session-end]",
      text: "Error ending sessions!",
    },
    {
      source: account("devices", 2),
      at: security,
      button: "[value=sessions-end-others]",
      text: "Error ending sessions!",
    },
    {
      source: account("appearance"),
      at: "/user/settings/appearance",
      button: "main form [type=submit]",
      text: "Error saving language and theme!",
    },
    {
      source: account("notifications", 1),
      at: "/user/settings/notifications",
      button: intent("save"),
      text: "Error saving notifications!",
    },
    {
      source: account("notifications", 2),
      at: "/user/settings/notifications",
      button: "button[value=end-device]",
      text: "Error saving notifications!",
    },
    {
      source: following("member-follows", 1),
      at: "/following",
      button: "button[value=end]",
      text: "Error changing what we tell you!",
    },
    {
      source: following("member-follows", 2),
      at: "/following",
      button: "button[value=end-all]",
      text: "Error changing what we tell you!",
    },
    {
      source: following("following", 1),
      at: "/following?",
      button: "button[value=again]",
      text: "Error changing what we tell you!",
      reach: async (page) => {
        // The first one is for the form above.
        await page.locator("button[value=end]").last().click();
        await page.locator("button[value=again]").waitFor();
      },
    },
    {
      source: account("export-form"),
      at: "/user/settings/data",
      button: "form[action$=export] [type=submit]",
      text: "Error fetching your data!",
    },
    {
      source: account("data"),
      at: "/user/settings/data",
      button: "details form [type=submit]",
      text: "Error deleting your account!",
      fields: { confirm: "DELETE" },
    },
    {
      source: account("reauthenticate", 1),
      at: "/user/reauthenticate?",
      button: "form:has([name=code]) [type=submit]",
      text: "Confirming that it is you failed.",
      fields: { code: "00000000" },
      reach: async (page) => {
        await page.locator("main [value=mail]").click();
        await page.locator("main [name=code]").waitFor();
      },
    },
    {
      source: account("reauthenticate", 2),
      at: "/user/reauthenticate",
      button: "main form:has([name=password]) [type=submit]",
      text: "Confirming that it is you failed.",
    },
    {
      source: account("reauthenticate", 3),
      at: "/user/reauthenticate",
      button: "main [value=mail]",
      text: "Error sending the code!",
    },
    {
      source: account("check-passkeys", 1),
      at: "/user/check-passkeys",
      button: "main [value=remove]",
      text: "Error changing the passkey!",
    },
    {
      source: account("check-passkeys", 2),
      at: "/user/check-passkeys",
      button: "main [value=known]",
      text: "Error changing the passkey!",
    },
  ];
}
