// Suggests for a pasted address the most likely game, adapter and name. Pure.
import type { CatalogueGame } from "#content/catalogue/catalogue-game.ts";
import { ADAPTER_FACTS, type AdapterId, type AdapterOptions, isOwnAnswer } from "#shared/adapters.ts";
import type { Cause, Finding } from "#shared/diagnosis.ts";
import { fitted } from "../form-text.ts";
import { GAME_SERVER_LIMITS } from "./fields.ts";

/** A game of the site, for suggestions. */
export type SiteGame = {
  game_id: number;
  game_name: string;
  game_acronym: string;
  catalogue_id: string | null;
  join_link: string | null;
  /** How its newest game server is queried; null: it has none. */
  asked: AskedBy | null;
};
export type AskedBy = {
  adapter: AdapterId;
  adapter_options: AdapterOptions;
  game_port: number | null;
  query_port: number | null;
};

/** A parsed address with the name beside it. */
type Line = { host: string; port: number | null; typed_name: string | null };
type Games = { site: readonly SiteGame[]; catalogue: readonly CatalogueGame[] };

/**
 * A game as a form sends it: `catalogue:rust` is a catalogue game, on the site already or to be added, `12` is one that an admin
 * wrote; empty: none.
 */
export type GameChoice = string;

const OF_CATALOGUE = "catalogue:";
export const catalogueChoice = (id: string): GameChoice => `${OF_CATALOGUE}${id}`;
export const siteChoice = ({ game_id, catalogue_id }: Pick<SiteGame, "game_id" | "catalogue_id">): GameChoice =>
  catalogue_id === null ? String(game_id) : catalogueChoice(catalogue_id);
export const GAME_CHOICE = /^(?:[1-9]\d{0,8}|catalogue:[a-z0-9-]{1,60})?$/;

/** The id of the chosen catalogue game; null: not from the catalogue. */
export const chosenCatalogueId = (choice: GameChoice): string | null =>
  choice.startsWith(OF_CATALOGUE) ? choice.slice(OF_CATALOGUE.length) : null;

/** The finding for the requested game server; ignores others on the machine. */
export const foundAt = (findings: readonly Finding[]): Finding | null =>
  findings.find(({ elsewhere }) => !elsewhere) ?? null;

/** True if a reply is the game's own, and not only a port that accepts. */
export const isTold = (finding: Finding): boolean => isOwnAnswer(finding.adapter);

/** True for addresses and ports that are never queried: they can't be watched. */
export const isClosed = (causes: readonly Cause[]): boolean =>
  causes.some(({ code }) => code === "closed_address" || code === "never_allowed" || code === "closed_port");

/** Suggests the game; empty: unknown. */
export function suggestGame(line: Line, finding: Finding | null, games: Games): GameChoice {
  const told = finding && isTold(finding) ? gameTold(finding, games) : null;
  const guess =
    told ??
    gameNamed(line.typed_name, games) ??
    (finding && isTold(finding) ? gameAskedSo(finding, games) : gameAtPort(line, games));
  return guess ?? "";
}

/** Suggests a name: the admin's, the server's own, or the game's; empty: unknown. */
export const suggestName = (line: Line, finding: Finding | null, gameName: string | null): string =>
  fitted(line.typed_name ?? finding?.name ?? gameName ?? "", GAME_SERVER_LIMITS.name);

function gameTold(finding: Finding, games: Games): GameChoice | null {
  const { gamedigType } = finding.adapter_options;
  const byType = gamedigType === undefined ? [] : games.catalogue.filter(({ gameType }) => gameType === gamedigType);
  const { steam_app_id } = finding;
  const byApp = steam_app_id === null ? [] : games.catalogue.filter(({ steamAppId }) => steamAppId === steam_app_id);
  const [game] = [...byType, ...byApp.filter(({ adapter }) => adapter === finding.adapter), ...byApp];
  return game ? ofCatalogue(game, games) : gameCalled(finding.game, games);
}

/** A game-specific adapter serves at most this many games. */
const FEW = 3;

/** Games with the same replies (FiveM and RedM): the one that the site has. */
function gameAskedSo({ adapter, game }: Finding, games: Games): GameChoice | null {
  const known = games.catalogue.filter((one) => one.adapter === adapter);
  if (game !== null || known.length > FEW) return null;
  const own = games.site.filter(({ catalogue_id }) => known.some(({ id }) => id === catalogue_id));
  return own.length === 1 && own[0] ? siteChoice(own[0]) : null;
}

/** The site's own entry of a catalogue game, if any; else the catalogue's. */
function ofCatalogue(game: CatalogueGame, { site }: Games): GameChoice {
  const own = site.find(({ catalogue_id }) => catalogue_id === game.id) ?? site.find((one) => isCalled(one, game.name));
  return own ? siteChoice(own) : catalogueChoice(game.id);
}

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\d]/gu, "");
const isCalled = ({ game_name }: SiteGame, name: string) => fold(game_name) === fold(name);

function gameCalled(name: string | null, games: Games): GameChoice | null {
  if (name === null || fold(name) === "") return null;
  const own = games.site.find((game) => isCalled(game, name) || fold(game.game_acronym) === fold(name));
  if (own) return siteChoice(own);
  const known = games.catalogue.find((game) => [game.name, ...game.aliases].some((one) => fold(one) === fold(name)));
  return known ? ofCatalogue(known, games) : null;
}

/** A game whose full name is part of the admin's name for the server. Short names are part of too many words. */
function gameNamed(name: string | null, games: Games): GameChoice | null {
  if (name === null) return null;
  const words = ` ${name.toLowerCase()} `;
  const isIn = (game: string) => {
    const sought = game.toLowerCase();
    // Building 400 expressions, one per catalogue game, takes half a second.
    if (sought.length < 3 || !words.includes(sought)) return false;
    return new RegExp(`[^\\p{L}\\d]${RegExp.escape(sought)}[^\\p{L}\\d]`, "u").test(words);
  };
  const own = games.site.filter(({ game_name, game_acronym }) => isIn(game_name) || isIn(game_acronym));
  if (own.length > 0) return own.length === 1 && own[0] ? siteChoice(own[0]) : null;
  const known = games.catalogue.filter((game) => isIn(game.name));
  const longest = known.toSorted((a, b) => b.name.length - a.name.length)[0];
  return longest ? ofCatalogue(longest, games) : null;
}

/** The one game with this usual port: of the site, or, if the site has none, of the catalogue. */
function gameAtPort({ port }: Line, games: Games): GameChoice | null {
  if (port === null) return null;
  const known = games.catalogue.filter(({ gamePort, queryPort }) => gamePort === port || queryPort === port);
  const own = games.site.filter(({ catalogue_id }) => known.some(({ id }) => id === catalogue_id));
  if (own.length > 0) return own.length === 1 && own[0] ? siteChoice(own[0]) : null;
  return known.length === 1 && known[0] ? ofCatalogue(known[0], games) : null;
}

/** How to query a game server without a reply: as its game usually is, or like the site's other ones. */
export function askedBy(line: Pick<Line, "port">, game: SiteGame | null, known: CatalogueGame | null): AskedBy {
  const usual: AskedBy | null =
    known && (known.adapter !== "tcp" || game?.asked == null)
      ? {
          adapter: known.adapter,
          adapter_options: known.adapterOptions,
          game_port: known.gamePort,
          query_port: known.queryPort,
        }
      : (game?.asked ?? null);
  if (!usual) return { adapter: "a2s", adapter_options: {}, game_port: line.port, query_port: null };
  const { adapter, adapter_options, game_port, query_port } = usual;
  if (!ADAPTER_FACTS[adapter].needs.address) {
    return { adapter, adapter_options, game_port: line.port ?? game_port, query_port: null };
  }
  if (line.port === null) {
    // An adapter that finds its port by itself gets none.
    const joined = ADAPTER_FACTS[adapter].needs.port ? (game_port ?? query_port) : null;
    return { adapter, adapter_options, game_port: joined, query_port: joined === query_port ? null : query_port };
  }
  const beside = query_port === null || game_port === null ? 0 : query_port - game_port;
  const asked = line.port + beside;
  const isPort = beside !== 0 && asked >= 1024 && asked <= 65_535;
  return { adapter, adapter_options, game_port: line.port, query_port: isPort ? asked : null };
}
