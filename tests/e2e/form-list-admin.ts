/** The forms of the admin pages. */
import type { FormSite } from "./form-site.ts";
import { type AreaForm, intent } from "./site-form.ts";

const admin = (name: string, nth = 1) => `routes/admin/${name}.tsx ${nth}`;
const confirm = "main form:has([name=confirm]) [type=submit]";

export function listAdminForms({ values, ids, picture }: FormSite): AreaForm[] {
  const { gameId, serverId, contactId, userId, targetId } = values;
  const game = `/admin/games/${gameId}`;
  const server = `/admin/gameservers/${serverId}`;
  const person = `/admin/people/${userId}`;
  return [
    {
      source: "ui/game-picker/game-picker.tsx 1",
      at: "/admin/games/create",
      button: "main form:has([name=catalogue_id]) [type=submit]:not([name], [form], [tabindex])",
      text: "The games were not taken.",
      // Nothing is sent before a game is ticked.
      reach: (page) => page.locator("main [name=catalogue_id]").first().check(),
    },
    {
      source: admin("games/create"),
      at: "/admin/games/create",
      button: "main form:has([name=game_name]) [type=submit]",
      text: "Error creating game!",
    },
    {
      source: admin("games/edit"),
      at: `${game}/edit`,
      button: "main form [type=submit]",
      text: "Error updating game!",
      fields: { join_link: "steam://connect/{host}:{port}" },
    },
    {
      source: admin("games/guide"),
      at: `${game}/guide`,
      button: "main form [type=submit]",
      text: "Error updating game!",
      most: 512 * 1024,
      few: true,
    },
    {
      source: admin("games/picture", 1),
      at: `${game}/picture`,
      button: "form:has([type=file]) [type=submit]",
      text: "Error updating game!",
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
      source: admin("games/picture", 2),
      at: `/admin/games/${ids.ownGame}/picture`,
      button: intent("another"),
      text: "Error updating game!",
      most: 5 * 1024 * 1024,
      tooMuch: { text: "Error updating game!", status: 413 },
    },
    {
      source: admin("games/picture", 3),
      at: `${game}/picture`,
      button: intent("remove"),
      text: "Error updating game!",
      most: 5 * 1024 * 1024,
      tooMuch: { text: "Error updating game!", status: 413 },
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `${game}/delete`,
      button: confirm,
      text: "Error deleting!",
      fields: { confirm: "Minecraft" },
    },
    {
      source: "ui/sortable-list/sortable-list.tsx 1",
      at: "/admin/games/order",
      // Another order than the stored one, however often it is sent.
      button: `main form [value="up:${ids.lastGame}"]`,
      moves: true,
      text: "Error saving the order!",
    },
    {
      source: admin("game-servers/create"),
      at: "/admin/gameservers/create",
      button: "form:has([name=server_name]) [type=submit]",
      text: "Error creating game server!",
      fields: { host: "127.0.0.1", game_port: "25565" },
      few: true,
    },
    {
      source: "ui/doctor-result/doctor-panel.tsx 1",
      at: "/admin/gameservers/doctor",
      button: "form[action$=doctor] [type=submit]",
      text: "Error examining the game server!",
      fields: { address: "127.0.0.1:9", "": "" },
    },
    {
      source: admin("game-servers/paste/panel", 2),
      at: "/admin/gameservers/paste",
      button: "main form [value=start]",
      text: "Error with the pasted addresses!",
      most: 512 * 1024,
    },
    {
      source: admin("game-servers/paste/panel", 1),
      at: `/admin/gameservers/paste?batch=${ids.batch}`,
      button: "main form [value=throw]",
      text: "Error with the pasted addresses!",
      most: 512 * 1024,
    },
    {
      source: admin("game-servers/paste/batch-rows"),
      at: `/admin/gameservers/paste?batch=${ids.batch}`,
      button: "main form [value=add]",
      text: "Error with the pasted addresses!",
      most: 512 * 1024,
      few: true,
    },
    {
      source: admin("game-servers/edit"),
      at: `${server}/edit`,
      button: "form:has([name=server_name]) [type=submit]",
      text: "Error updating game server!",
      few: true,
    },
    {
      source: admin("game-servers/heartbeat"),
      at: `${server}/heartbeat`,
      button: "main form [value=renew]",
      text: "Error changing the token!",
    },
    {
      source: admin("game-servers/ask-now"),
      at: `${server}/ask-now`,
      button: "main form [type=submit]",
      text: "Error examining the game server!",
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `${server}/delete`,
      button: confirm,
      text: "Error deleting!",
      fields: { confirm: "Minecraft Anarchy" },
    },
    {
      source: admin("media/remove-picture"),
      at: "/admin/media",
      button: "form:has([name=media_id]) [type=submit]",
      text: "Error removing the picture!",
      reach: (page) =>
        page
          .getByRole("button", { name: /^Remove picture/ })
          .first()
          .click(),
    },
    {
      source: admin("inbox/message", 2),
      at: `/admin/messages/${contactId}`,
      button: intent("archive"),
      text: "Error updating the message!",
    },
    {
      source: admin("inbox/message", 3),
      at: `/admin/messages/${contactId}`,
      button: intent("extend"),
      text: "Error extending the deadline!",
    },
    {
      source: admin("inbox/message", 1),
      at: `/admin/messages/${contactId}`,
      button: intent("answer"),
      text: "Error sending the answer!",
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/messages/${contactId}/delete`,
      button: confirm,
      text: "Error deleting!",
      fields: { confirm: "Ada Lovelace" },
    },
    {
      source: admin("notifications/overview"),
      at: "/admin/notifications?part=dead",
      button: "main form:has([name=delivery_id]) [type=submit]",
      text: "Error with the notifications!",
    },
    {
      source: admin("notifications/channels", 1),
      at: "/admin/notifications/channels",
      button: "main form:has([name=url]) [type=submit]",
      text: "Error with the notifications!",
      fields: { url: "https://9.9.9.9/hook" },
    },
    {
      source: admin("notifications/channels", 2),
      at: "/admin/notifications/channels",
      button: "main form:has([name=to]) [type=submit]",
      text: "Error with the notifications!",
      fields: { to: "team@example.org" },
    },
    {
      source: admin("notifications/channel"),
      at: `/admin/notifications/channels/${targetId}`,
      button: "main form:has([value=test]) [type=submit]",
      text: "Error with the notifications!",
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/notifications/channels/${targetId}/remove`,
      button: confirm,
      text: "Error with the notifications!",
      fields: { confirm: "Bot of the team" },
    },
    {
      source: admin("notifications/discord-connect"),
      at: "/admin/notifications/discord",
      button: "main form:has([name=url]) [type=submit]",
      text: "Error with Discord!",
      fields: { url: "https://discord.com/api/webhooks/1" },
    },
    {
      source: admin("notifications/discord-channel", 1),
      at: "/admin/notifications/discord",
      button: intent("card"),
      text: "Error with Discord!",
    },
    {
      source: admin("notifications/discord-channel", 2),
      at: "/admin/notifications/discord",
      button: intent("test"),
      text: "Error with Discord!",
    },
    {
      source: admin("notifications/discord-channel", 3),
      at: "/admin/notifications/discord",
      button: intent("disconnect"),
      text: "Error with Discord!",
    },
    {
      source: admin("notifications/discord-channel", 4),
      at: "/admin/notifications/discord",
      button: intent("card-again"),
      text: "Error with Discord!",
      fields: { link: "https://discord.com/channels/123456789012345671/123456789012345672/123456789012345673" },
    },
    {
      source: admin("notifications/discord-channel", 5),
      at: "/admin/notifications/discord",
      button: intent("card-end"),
      text: "Error with Discord!",
    },
    {
      source: admin("notifications/discord-commands"),
      at: "/admin/notifications/discord",
      button: intent("register"),
      text: "Error with Discord!",
    },
    {
      source: admin("notifications/rules", 1),
      at: "/admin/notifications/rules",
      button: "main form:has([value=switch]) [type=submit]",
      text: "Error with the notifications!",
    },
    {
      source: admin("notifications/rules", 2),
      at: "/admin/notifications/rules",
      button: "main form:has([value=remove]) [type=submit]",
      text: "Error with the notifications!",
    },
    {
      source: admin("notifications/rules", 3),
      at: "/admin/notifications/rules",
      button: "main form:has([name=minutes]) [type=submit]",
      text: "Error with the notifications!",
    },
    {
      source: admin("people/blocked", 1),
      at: "/admin/people/blocked",
      button: intent("lift"),
      text: "Error changing the blocks!",
    },
    {
      source: admin("people/blocked", 2),
      at: "/admin/people/blocked",
      button: "form:has([name=network]) [type=submit]",
      text: "Error changing the blocks!",
      fields: { network: "198.51.100.77" },
    },
    { source: admin("people/person", 1), at: person, button: intent("role"), text: "Error changing the role!" },
    { source: admin("people/person", 2), at: person, button: intent("sessions"), text: "Error ending sessions!" },
    { source: admin("people/person", 4), at: person, button: intent("ban"), text: "Error changing the ban!" },
    {
      source: admin("people/person", 3),
      at: `/admin/people/${ids.banned}`,
      button: intent("unban"),
      text: "Error changing the ban!",
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/people/${ids.banned}/second-factor`,
      button: confirm,
      text: "Error changing the second factor!",
      fields: { confirm: "banned@example.org" },
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/people/${ids.banned}/delete`,
      button: confirm,
      text: "Error deleting!",
      fields: { confirm: "banned@example.org" },
    },
    {
      source: admin("setup/settings-step"),
      at: "/admin/setup?step=legal",
      button: "main form [value=save]",
      text: "Error saving the settings!",
      most: 512 * 1024,
    },
    {
      source: admin("setup/act"),
      at: "/admin/setup?step=contact",
      button: "main form [value=skip]",
      text: "Error going on with the setup!",
      most: 512 * 1024,
    },
    {
      source: admin("news/news-editor"),
      at: `/admin/news/${values.newsId}/edit`,
      button: "main form [type=submit]:not([name], [hidden])",
      text: "The news could not be saved!",
      most: 320 * 1024,
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/news/${values.newsId}/delete`,
      button: confirm,
      text: "Error deleting!",
      fields: { confirm: "New rules for the market" },
    },
    {
      source: admin("settings/settings"),
      at: "/admin/settings",
      button: "main form [type=submit]",
      text: "Error saving the settings!",
    },
    {
      source: admin("row-acts"),
      at: "/admin/settings/invitations",
      button: "main td form [type=submit]",
      text: "Error changing the invitations!",
    },
    {
      source: admin("settings/invitations"),
      at: "/admin/settings/invitations",
      button: "form:has([name=note]) [type=submit]",
      text: "Error changing the invitations!",
    },
    {
      source: admin("settings/keys"),
      at: "/admin/settings/keys",
      button: "form:has([name=note]) [type=submit]",
      text: "Error changing the API keys!",
    },
    {
      source: admin("row-acts"),
      at: "/admin/settings/keys",
      button: intent("remove"),
      text: "Error changing the API keys!",
    },
    {
      source: admin("outposts/outposts"),
      at: "/admin/settings/outposts",
      button: "form:has([name=name]) [type=submit]",
      text: "Error changing the outposts!",
    },
    {
      source: "ui/confirm-form/confirm-form.tsx 1",
      at: `/admin/settings/outposts/${values.outpostId}/revoke`,
      button: confirm,
      text: "Error changing the outposts!",
      fields: { confirm: "Frankfurt" },
    },
    {
      source: admin("status/plan-create"),
      at: "/admin/status/plans/create",
      button: "main form:has([name=minutes]) [type=submit]",
      text: "Error changing the plan!",
      fields: { first_local: "2036-03-30T04:00" },
    },
    {
      source: admin("status/plan-edit", 1),
      at: `/admin/status/plans/${values.planId}`,
      button: "main form:has([name=minutes]) [type=submit]",
      text: "Error changing the plan!",
    },
    {
      source: admin("status/plan-edit", 2),
      at: `/admin/status/plans/${values.planId}`,
      button: "main button[value=end]",
      text: "Error changing the plan!",
    },
    {
      source: admin("status/incident-create"),
      at: "/admin/status/incidents/create",
      button: "main form:has([name=about]) [type=submit]",
      text: "Error changing the incident!",
      fields: { title_en: "Maps do not load" },
    },
    {
      source: admin("status/incident", 1),
      at: `/admin/status/incidents/${values.incidentId}`,
      button: "main form:has([name=title_en]) [type=submit]",
      text: "Error changing the incident!",
    },
    {
      source: admin("status/incident", 2),
      at: `/admin/status/incidents/${values.incidentId}`,
      button: "main form:has([name=text_en]) [type=submit]",
      text: "Error changing the incident!",
      fields: { text_en: "It is a disk." },
    },
    {
      source: admin("status/incident", 3),
      at: `/admin/status/incidents/${values.incidentId}`,
      button: "main form:has([value=close]) [type=submit]",
      text: "Error changing the incident!",
    },
    {
      source: admin("settings/pictures"),
      at: "/admin/settings/pictures",
      button: "form:has([value=logo]) [type=submit]",
      text: "Error changing the picture!",
      most: 5 * 1024 * 1024,
      tooMuch: { text: "Nothing was saved.", status: 413 },
    },
  ];
}
