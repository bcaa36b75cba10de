/** Writes docs/games.md, of what catalogue and adapters know: `npm run docs:games`. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import type { CatalogueGame } from "#content/catalogue/catalogue-game.ts";
import { GAME_NOTES } from "#content/catalogue/game-notes.ts";
import type { AskingNotes } from "#outside/game-query/adapter.ts";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { ADAPTER_FACTS, ADAPTER_IDS, type AdapterId, askedPort } from "#shared/adapters.ts";

const INTRO = `<!-- Written by \`npm run docs:games\`. The words are in the adapters of outside/game-query/ and in content/catalogue/. -->

# Games, and how each is asked

For whoever runs game servers: by what Spawnpoint learns that one is up and who is on, where that goes wrong, and what has to be open.
*Doctor* in the admin area tries all of this by itself from an address that is pasted; [watching.md](watching.md) says what becomes of answers.

- *Players type* is the usual port; *asked at* is another one where the game answers somewhere else. Both can be set on each game server.
- What is asked must be reachable from the machine that Spawnpoint's collector runs on, and only from there: a firewall may let in that one
  address. Players need the game's own port besides.
- A game that is not listed here is watched by TCP, or reports itself by heartbeat.
- Replies are hostile until they are checked ([003](decisions/003-own-query-adapters.md)): figures are clamped, texts cleaned. Names
  of players are not read, unless an admin shows members who is on: then the newest list alone is held ([038](decisions/038-player-names.md)).
`;

/** Of the one way in which nobody is asked, and which is therefore no adapter. */
const HEARTBEAT_NOTES: AskingNotes = {
  title: "Heartbeat",
  how: "Nobody asks: the game machine reports itself over HTTPS, with a token of its own ([operating.md](operating.md)). Players, maximum and version are what it says.",
  traps: ["Silence for three intervals is *unknown*, not down: nobody can tell which of the two machines is away."],
  open: "Nothing. The game machine needs to reach the site over HTTPS.",
};

/** What a question travels by; empty where that depends on the game. */
function transportOf(adapter: AdapterId): string {
  const transport = ADAPTERS[adapter]?.transport;
  return transport ? `/${transport.toUpperCase()}` : "";
}

function rowOf(game: CatalogueGame): string {
  const asked = askedPort(game.adapter, game);
  const place =
    ADAPTER_FACTS[game.adapter].needs.address && asked !== null ? `${asked}${transportOf(game.adapter)}` : "";
  return `| ${game.name} | ${game.gamePort ?? ""} | ${place} | ${GAME_NOTES[game.id] ?? ""} |`;
}

/** Where it is asked when no query port is set; empty where that is the game port, as with most. */
function usuallyAt(adapter: AdapterId): string {
  const usual = ADAPTER_FACTS[adapter].usualQueryPort;
  if (usual === undefined) return "";
  const place = typeof usual === "number" ? String(usual) : `${usual.above} above the game port`;
  return ` **Without a query port, asked at:** ${place}.`;
}

function sectionOf(adapter: AdapterId): string {
  const { title, how, traps, open } = ADAPTERS[adapter]?.notes ?? HEARTBEAT_NOTES;
  const { tells } = ADAPTER_FACTS[adapter];
  const games = CATALOGUE.filter((game) => game.adapter === adapter);
  const inOrder = games.toSorted((one, other) => one.name.localeCompare(other.name, "en"));
  const table = ["| Game | Players type | Asked at | What is known |", "|---|---|---|---|", ...inOrder.map(rowOf)].join(
    "\n",
  );
  return [
    `## ${title}`,
    how,
    `**Players:** ${tells.players ? "told" : "not told"}. **To open:** ${open}${usuallyAt(adapter)}`,
    traps.map((trap) => `- ${trap}`).join("\n"),
    ...(games.length > 0 ? [table] : []),
  ].join("\n\n");
}

/** The whole page, in Markdown. */
export const gamesPage = (): string => `${[INTRO.trimEnd(), ...ADAPTER_IDS.map(sectionOf)].join("\n\n")}\n`;

if (import.meta.main) writeFileSync(path.join(import.meta.dirname, "../docs/games.md"), gamesPage());
