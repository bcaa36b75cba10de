/** The forms of the admin pages. */
import { listGameForms } from "./form-list-games.ts";
import type { FormSite } from "./form-site.ts";
import { type AreaForm, admin, confirm, intent } from "./site-form.ts";

export function listAdminForms(site: FormSite): AreaForm[] {
  const { values, ids } = site;
  const { contactId, userId, targetId } = values;
  const person = `/admin/people/${userId}`;
  return [
    ...listGameForms(site),
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
      source: admin("notifications/channel-add"),
      at: "/admin/notifications/channels/add/webhook",
      button: "main form:has([name=url]) [type=submit]",
      text: "Error with the notifications!",
      fields: { url: "https://9.9.9.9/hook" },
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
