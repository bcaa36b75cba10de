/** Defines the slash commands for Discord. Interactions carry their names. */

/** Kinds of options (https://docs.discord.com/developers/interactions/application-commands). */
const TEXT = 3;
const YES_OR_NO = 5;
/** In servers, in chats with the app, and in private chats. */
const CONTEXTS = [0, 1, 2];
/** Installed in a server, or by a user. */
const INSTALLED = [0, 1];

const server = (required: boolean) => ({
  type: TEXT,
  name: "name",
  name_localizations: { de: "name" },
  description: "Which game server: begin to type",
  description_localizations: { de: "Welcher Gameserver: tippe den Anfang" },
  required,
  autocomplete: true,
  max_length: 100,
});

const show = {
  type: YES_OR_NO,
  name: "show",
  name_localizations: { de: "zeigen" },
  description: "Show the answer to everybody here",
  description_localizations: { de: "Die Antwort allen hier zeigen" },
};

const command = (name: string, description: string, german: string, options: object[]) => ({
  type: 1,
  name,
  description,
  description_localizations: { de: german },
  options,
  contexts: CONTEXTS,
  integration_types: INSTALLED,
});

export const COMMANDS = [
  command(
    "servers",
    "All game servers: who is up, and how many play",
    "Alle Gameserver: wer läuft, und wie viele spielen",
    [show],
  ),
  command("server", "One game server: players, map, how to join", "Ein Gameserver: Spieler, Karte, wie man beitritt", [
    server(true),
    show,
  ]),
  command(
    "follow",
    "Be told when a game server is back up or has a free seat",
    "Bescheid bekommen, wenn ein Gameserver wieder läuft oder ein Platz frei ist",
    [server(false)],
  ),
];
