/** The forms of the admin pages of games and game servers. */
import type { FormSite } from "./form-site.ts";
import { type AreaForm, admin, confirm } from "./site-form.ts";

export function listGameForms({ values, ids, picture }: FormSite): AreaForm[] {
  const game = `/admin/games/${values.gameId}`;
  const server = `/admin/gameservers/${values.serverId}`;
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
        await page.getByText("A picture of your own goes").waitFor();
      },
    },
    {
      source: admin("games/picture", 2),
      // Not where a picture is uploaded: nothing is chosen there afterwards.
      at: `/admin/games/${ids.lastGame}/picture`,
      button: "main form:has([name=chosen]) [type=submit]",
      text: "Error updating game!",
      reach: (page) => page.locator("main [name=chosen][value=desert]").check(),
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
  ];
}
