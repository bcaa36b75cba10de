/** Every form of the site that posts: where it stands, how to reach it, and the words for when no answer comes. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import type { Who } from "./access-map.ts";
import type { FormSite } from "./form-site.ts";

export type SiteForm = {
  /** Its place in the source: the file below app/, and which of its forms. */
  source: string;
  who: Who;
  at: string;
  /** A selector of the button that sends it; its form is the form of this button. */
  button: string;
  /** What the message begins with, in English. */
  words: string;
  /** Brings the page to where the form is shown. */
  reach?: (page: Page) => Promise<void>;
  /** What has to stand in a field, where any text will not do. */
  fields?: Record<string, string>;
  /** How much it takes, in bytes, where that is more than for others. */
  most?: number;
  /** Sending it changes what it holds. */
  moves?: true;
  /** Only its first field takes any text. */
  few?: true;
  /** What its page answers by itself to what is too much. */
  tooMuch?: { words: string; status: number };
};

const app = path.join(import.meta.dirname, "..", "..", "app");

/** In place of the crop dialog, for browsers without script; no other browser shows it. */
const WITHOUT_SCRIPT = ["routes/account/avatar-editor.tsx 2"];

/** The forms in the source, as `SiteForm.source` names them. */
export function listFormsOfSource(): string[] {
  return globSync("**/*.tsx", { cwd: app })
    .filter((file) => !file.startsWith("ui/form/"))
    .flatMap((file) => {
      const tags = readFileSync(path.join(app, file), "utf8").match(/<(?:[Ff]orm|fetcher\.Form)\b[^>]*/g) ?? [];
      const posting = tags.filter((tag) => /\bfailed=|method="post"/.test(tag));
      return posting.map((_, at) => `${file.replaceAll(path.sep, "/")} ${at + 1}`);
    })
    .filter((name) => !WITHOUT_SCRIPT.includes(name))
    .sort();
}

/** The address of the profile takes avatars, too. */
const AVATARS = { most: 5 * 1024 * 1024, tooMuch: { words: "This file is too large.", status: 413 } };

const account = (name: string, nth = 1) => `routes/account/${name}.tsx ${nth}`;
const admin = (name: string, nth = 1) => `routes/admin/${name}.tsx ${nth}`;
const open = (name: string, nth = 1) => `routes/public/${name}.tsx ${nth}`;
const intent = (value: string) =>
  `form:has(input[name=intent][value=${value}]) > [type=submit], form:has(input[name=intent][value=${value}]) [type=submit]`;

/** All of them, for a site that `startFormSite` has filled. */
export function listForms({ values, tokens, ids, picture }: FormSite): SiteForm[] {
  const { gameId, serverId, contactId, userId } = values;
  const security = "/user/settings/security";
  const game = `/admin/games/${gameId}`;
  const server = `/admin/gameservers/${serverId}`;
  const person = `/admin/people/${userId}`;
  const confirm = "main form:has([name=confirm]) [type=submit]";
  const public_: Omit<SiteForm, "who">[] = [
    { source: open("login"), at: "/login/", button: "#login form [type=submit]", words: "Login failed." },
    {
      source: open("login"),
      at: "/login/#register",
      button: "#register form [type=submit]",
      words: "Registration failed.",
    },
    {
      source: open("contact"),
      at: "/contact",
      button: "main form [type=submit]",
      words: "Error sending your message!",
    },
    {
      source: open("forgot-password"),
      at: "/forgot-password",
      button: "main form [type=submit]",
      words: "Error sending the link!",
    },
    {
      source: open("reset-password"),
      at: `/reset-password?token=${tokens.reset}`,
      button: "main form [type=submit]",
      words: "Error changing password!",
    },
    {
      source: open("sign-in-code", 2),
      at: "/sign-in-code",
      button: "main form [type=submit]",
      words: "Error sending the code!",
    },
    {
      source: open("sign-in-code", 1),
      at: "/sign-in-code?",
      button: "main form [type=submit]",
      words: "Login failed.",
      fields: { code: "00000000" },
      reach: async (page) => {
        await page.locator("main [name=email]").fill("nobody@example.org");
        await page.locator("main form [type=submit]").click();
        await page.locator("main [name=code]").waitFor();
      },
    },
    {
      source: open("two-factor", 1),
      at: "/two-factor",
      button: "form:has([value=app]) [type=submit]",
      words: "Login failed.",
      fields: { code: "000000" },
    },
    {
      source: open("two-factor", 2),
      at: "/two-factor",
      button: "form:has([value=recovery]) [type=submit]",
      words: "Login failed.",
    },
    {
      source: open("verify-email"),
      at: `/verify-email?token=${tokens.verify}`,
      button: "main form [type=submit]",
      words: "Error confirming address!",
    },
    {
      source: open("keep-account"),
      at: `/keep-account?token=${tokens.keep}`,
      button: "main form [type=submit]",
      words: "Error keeping your account!",
    },
    {
      source: open("confirm-email-change"),
      at: tokens.changeEmail,
      button: "main form [type=submit]",
      words: "Error confirming address!",
    },
    {
      source: open("setup"),
      at: `/setup/${tokens.setup}`,
      button: "main form [type=submit]",
      words: "Error creating the account!",
    },
  ];
  const member: Omit<SiteForm, "who">[] = [
    { source: open("logout"), at: "/logout", button: "main form [type=submit]", words: "Failed to log out." },
    {
      source: "ui/avatar-menu/avatar-menu.tsx 1",
      at: "/impressum",
      button: "#avatar-menu form [type=submit]",
      words: "Failed to log out.",
      reach: (page) => page.locator("[popovertarget=avatar-menu]").click(),
    },
    {
      source: account("profile"),
      at: "/user/settings/profile/",
      button: intent("save"),
      words: "Error updating profile!",
      ...AVATARS,
    },
    {
      source: account("avatar-editor"),
      at: "/user/settings/profile/",
      button: "button[value=remove-avatar]",
      words: "Error removing avatar!",
      ...AVATARS,
      reach: (page) => page.locator("[popovertarget=avatar-editor-menu]").click(),
    },
    {
      source: account("account", 1),
      at: "/user/settings/account",
      button: intent("email"),
      words: "Error changing address!",
    },
    {
      source: account("account", 2),
      at: "/user/settings/account",
      button: intent("password"),
      words: "Error changing password!",
    },
    {
      source: account("account", 3),
      at: "/user/settings/account",
      button: "[value=email-cancel]",
      words: "Error changing address!",
    },
    {
      source: account("second-factor", 1),
      at: security,
      button: "[value=totp-start]",
      words: "Error changing the second factor!",
    },
    {
      source: account("second-factor", 2),
      at: `${security}?`,
      button: "[value=totp-confirm]",
      words: "Error changing the second factor!",
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
      words: "Error changing the passkey!",
    },
    {
      source: account("devices", 1),
      at: security,
      button: "[value=session-end]",
      words: "Error ending sessions!",
    },
    {
      source: account("devices", 2),
      at: security,
      button: "[value=sessions-end-others]",
      words: "Error ending sessions!",
    },
    {
      source: account("appearance"),
      at: "/user/settings/appearance",
      button: "main form [type=submit]",
      words: "Error saving language and theme!",
    },
    {
      source: account("export-form"),
      at: "/user/settings/data",
      button: "form[action$=export] [type=submit]",
      words: "Error fetching your data!",
    },
    {
      source: account("data"),
      at: "/user/settings/data",
      button: "details form [type=submit]",
      words: "Error deleting your account!",
    },
    {
      source: account("reauthenticate", 1),
      at: "/user/reauthenticate?",
      button: "form:has([name=code]) [type=submit]",
      words: "Confirming that it is you failed.",
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
      words: "Confirming that it is you failed.",
    },
    {
      source: account("reauthenticate", 3),
      at: "/user/reauthenticate",
      button: "main [value=mail]",
      words: "Error sending the code!",
    },
    {
      source: account("check-passkeys", 1),
      at: "/user/check-passkeys",
      button: "main [value=remove]",
      words: "Error changing the passkey!",
    },
    {
      source: account("check-passkeys", 2),
      at: "/user/check-passkeys",
      button: "main [value=known]",
      words: "Error changing the passkey!",
    },
  ];
  const admins: Omit<SiteForm, "who">[] = [
    {
      source: admin("game-create"),
      at: "/admin/games/create",
      button: "main form:not([action*=logout]) [type=submit]",
      words: "Error creating game!",
    },
    {
      source: admin("game-edit"),
      at: `${game}/edit`,
      button: "main form [type=submit]",
      words: "Error updating game!",
    },
    {
      source: admin("game-guide"),
      at: `${game}/guide`,
      button: "main form [type=submit]",
      words: "Error updating game!",
      most: 512 * 1024,
      few: true,
    },
    {
      source: admin("game-picture", 1),
      at: `${game}/picture`,
      button: "form:has([type=file]) [type=submit]",
      words: "Error updating game!",
      most: 5 * 1024 * 1024,
      reach: async (page) => {
        await page
          .locator("main [type=file]")
          .setInputFiles({ name: "own.png", mimeType: "image/png", buffer: picture });
        await page.locator("form:has([type=file]) [type=submit]").click();
        await page.locator(intent("remove")).first().waitFor();
      },
    },
    {
      source: admin("game-picture", 2),
      at: `${game}/picture`,
      button: intent("remove"),
      words: "Error updating game!",
      most: 5 * 1024 * 1024,
      tooMuch: { words: "Error updating game!", status: 413 },
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `${game}/delete`,
      button: confirm,
      words: "Error deleting!",
      fields: { confirm: "Minecraft" },
    },
    {
      source: "ui/sortable-list/sortable-list.tsx 1",
      at: "/admin/games/order",
      button: "main form [name=move]:enabled",
      moves: true,
      words: "Error saving the order!",
    },
    {
      source: admin("game-server-create"),
      at: "/admin/gameservers/create",
      button: "form:has([name=server_name]) [type=submit]",
      words: "Error creating game server!",
      fields: { host: "127.0.0.1", game_port: "25565" },
    },
    {
      source: "ui/doctor-result/doctor-panel.tsx 1",
      at: "/admin/gameservers/doctor",
      button: "form[action$=doctor] [type=submit]",
      words: "Error examining the game server!",
      fields: { address: "127.0.0.1:9" },
    },
    {
      source: admin("game-server-edit"),
      at: `${server}/edit`,
      button: "form:has([name=server_name]) [type=submit]",
      words: "Error updating game server!",
    },
    {
      source: admin("game-server-heartbeat"),
      at: `${server}/heartbeat`,
      button: "main form [value=renew]",
      words: "Error changing the token!",
    },
    {
      source: admin("ask-now"),
      at: `${server}/ask-now`,
      button: "main form [type=submit]",
      words: "Error examining the game server!",
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `${server}/delete`,
      button: confirm,
      words: "Error deleting!",
      fields: { confirm: "Minecraft Anarchy" },
    },
    {
      source: admin("message", 2),
      at: `/admin/messages/${contactId}`,
      button: intent("archive"),
      words: "Error updating the message!",
    },
    {
      source: admin("message", 3),
      at: `/admin/messages/${contactId}`,
      button: intent("extend"),
      words: "Error extending the deadline!",
    },
    {
      source: admin("message", 1),
      at: `/admin/messages/${contactId}`,
      button: intent("answer"),
      words: "Error sending the answer!",
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/messages/${contactId}/delete`,
      button: confirm,
      words: "Error deleting!",
      fields: { confirm: "Ada Lovelace" },
    },
    {
      source: admin("people-blocked", 1),
      at: "/admin/people/blocked",
      button: intent("lift"),
      words: "Error changing the blocks!",
    },
    {
      source: admin("people-blocked", 2),
      at: "/admin/people/blocked",
      button: "form:has([name=network]) [type=submit]",
      words: "Error changing the blocks!",
      fields: { network: "198.51.100.77" },
    },
    { source: admin("person", 1), at: person, button: intent("role"), words: "Error changing the role!" },
    { source: admin("person", 2), at: person, button: intent("sessions"), words: "Error ending sessions!" },
    { source: admin("person", 4), at: person, button: intent("ban"), words: "Error changing the ban!" },
    {
      source: admin("person", 3),
      at: `/admin/people/${ids.banned}`,
      button: intent("unban"),
      words: "Error changing the ban!",
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/people/${ids.banned}/second-factor`,
      button: confirm,
      words: "Error changing the second factor!",
      fields: { confirm: "banned@example.org" },
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/people/${ids.banned}/delete`,
      button: confirm,
      words: "Error deleting!",
      fields: { confirm: "banned@example.org" },
    },
    {
      source: admin("settings"),
      at: "/admin/settings",
      button: "main form [type=submit]",
      words: "Error saving the settings!",
    },
    {
      source: admin("settings-invitations", 1),
      at: "/admin/settings/invitations",
      button: "main td form [type=submit]",
      words: "Error changing the invitations!",
    },
    {
      source: admin("settings-invitations", 2),
      at: "/admin/settings/invitations",
      button: "form:has([name=note]) [type=submit]",
      words: "Error changing the invitations!",
    },
    {
      source: admin("settings-keys", 1),
      at: "/admin/settings/keys",
      button: "form:has([name=note]) [type=submit]",
      words: "Error changing the API keys!",
    },
    {
      source: admin("settings-keys", 2),
      at: "/admin/settings/keys",
      button: intent("remove"),
      words: "Error changing the API keys!",
    },
    {
      source: admin("settings-pictures"),
      at: "/admin/settings/pictures",
      button: "form:has([value=logo]) [type=submit]",
      words: "Error changing the picture!",
      most: 5 * 1024 * 1024,
      tooMuch: { words: "Nothing was saved.", status: 413 },
    },
  ];
  const of = (who: Who, forms: Omit<SiteForm, "who">[]): SiteForm[] => forms.map((form) => ({ who, ...form }));
  return [...of("nobody", public_), ...of("member", member), ...of("admin", admins)];
}
