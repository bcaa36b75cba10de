/** Writes docs/games.md, of what catalogue and adapters know: `npm run docs:games`. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import type { CatalogueGame } from "#content/catalogue/catalogue-game.ts";
import { GAME_NOTES } from "#content/catalogue/game-notes.ts";
import type { AskingNotes } from "#outside/game-query/adapter.ts";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { ADAPTER_FACTS, ADAPTER_IDS, type AdapterId, askedPort } from "#shared/adapters.ts";

const INTRO = `<!-- Written by \`npm run docs:games\`. The texts are in the adapters of outside/game-query/ and in content/catalogue/. -->

# Games and their queries

For operators of game servers: how Spawnpoint queries each game, and which ports to open. *Doctor* in the admin area finds this out from a pasted
address.

- \`7777→27015\`: players join at 7777, and 27015 is queried.
- Open the query port for the collector's machine only; players need the game port.
- Watch other games by TCP or heartbeat.
- Figures are clamped and texts cleaned ([003](decisions/003-own-query-adapters.md)). Player names are read only while a member list is on
  ([038](decisions/038-player-names.md)).
`;

/** The one way without a query, which is therefore no adapter. */
const HEARTBEAT_NOTES: AskingNotes = {
  title: "Heartbeat",
  how: "For games without a query: the machine reports itself over HTTPS with its own token ([operating](operating.md#heartbeat)).",
  traps: ["Silence for three intervals is *unknown*, not offline: either machine may be unavailable."],
  open: "nothing. The game machine must reach the site over HTTPS.",
};

/** The ports of a game: that of players, and where a query goes elsewhere. */
function portsOf(game: CatalogueGame): string {
  const asked = ADAPTER_FACTS[game.adapter].needs.address ? askedPort(game.adapter, game) : null;
  const ports = [game.gamePort, asked].filter((port, place, all) => port !== null && all.indexOf(port) === place);
  return ports.length > 0 ? `\`${ports.join("→")}\`` : "";
}

/** More games than this share a line of their ports. */
const MANY = 20;
/** More games than this are listed by their first letter. */
const MOST_IN_A_LINE = 100;

function linesOf(games: readonly CatalogueGame[]): string[] {
  const alike = Map.groupBy(games, portsOf);
  const shared = [...alike].filter(([, some]) => some.length > MANY);
  const others = games.filter((game) => !shared.some(([ports]) => ports === portsOf(game)));
  const isLong = others.length > MOST_IN_A_LINE;
  const groups = Map.groupBy(others, ({ name }) => (isLong ? name.charAt(0).toUpperCase() : "Games"));
  const line = (head: string, entries: string[]) => `- **${head}**: ${entries.join("; ")}`;
  return [
    ...shared.map(([ports, some]) =>
      line(
        ports,
        some.map(({ name }) => name),
      ),
    ),
    ...[...groups].map(([head, some]) =>
      line(
        head,
        some.map((game) => `${game.name} ${portsOf(game)}`.trimEnd()),
      ),
    ),
  ];
}

/** What is queried when no query port is set; empty where that is the game port, as with most. */
function usuallyAt(adapter: AdapterId): string {
  const usual = ADAPTER_FACTS[adapter].usualQueryPort;
  if (usual === undefined) return "";
  const place = typeof usual === "number" ? String(usual) : `game port + ${usual.above}`;
  return ` **Default query port:** ${place}.`;
}

function sectionOf(adapter: AdapterId): string {
  const { title, how, traps, open } = ADAPTERS[adapter]?.notes ?? HEARTBEAT_NOTES;
  const { tells } = ADAPTER_FACTS[adapter];
  const transport = ADAPTERS[adapter]?.transport;
  const games = CATALOGUE.filter((game) => game.adapter === adapter).toSorted((one, other) =>
    one.name.localeCompare(other.name, "en"),
  );
  const notes = games.filter(({ id }) => GAME_NOTES[id]).map(({ id, name }) => `- ${name}: ${GAME_NOTES[id]}`);
  return [
    `## ${title}`,
    how,
    `**Players:** ${tells.players ? "yes" : "no"}. **Open${transport ? ` (${transport.toUpperCase()})` : ""}:** ${open}${usuallyAt(adapter)}`,
    [...traps.map((trap) => `- ${trap}`), ...notes].join("\n"),
    ...(games.length > 0 ? [linesOf(games).join("\n")] : []),
  ].join("\n\n");
}

/** The whole page, in Markdown. */
export const gamesPage = (): string => `${[INTRO.trimEnd(), ...ADAPTER_IDS.map(sectionOf)].join("\n\n")}\n`;

if (import.meta.main) writeFileSync(path.join(import.meta.dirname, "../docs/games.md"), gamesPage());
