// What an address of a pasted text most likely is: which game, by what it is asked, under which name. Pure.
import type { CatalogueGame } from "#content/catalogue/catalogue-game.ts";
import { ADAPTER_FACTS, type AdapterId, type AdapterOptions, isOwnAnswer } from "#shared/adapters.ts";
import type { Cause, Finding } from "#shared/diagnosis.ts";
import { fitted } from "../form-text.ts";
import { GAME_SERVER_LIMITS } from "./fields.ts";

/** A game of the site, as far as suggesting it goes. */
export type SiteGame = {
  game_id: number;
  game_name: string;
  game_acronym: string;
  catalogue_id: string | null;
  join_link: string | null;
  /** How its newest game server is asked; null: it has none. */
  asked: AskedBy | null;
};
export type AskedBy = {
  adapter: AdapterId;
  adapter_options: AdapterOptions;
  game_port: number | null;
  query_port: number | null;
};

/** An address as it was read, with what stood beside it. */
type Line = { host: string; port: number | null; typed_name: string | null };
type Games = { site: readonly SiteGame[]; catalogue: readonly CatalogueGame[] };

/**
 * A game as a form sends it: `catalogue:rust` is one of the catalogue, whether the site has it already or would take it, `12`
 * is one that an admin of the site wrote; empty: none.
 */
export type GameChoice = string;

const OF_CATALOGUE = "catalogue:";
export const catalogueChoice = (id: string): GameChoice => `${OF_CATALOGUE}${id}`;
export const siteChoice = ({ game_id, catalogue_id }: Pick<SiteGame, "game_id" | "catalogue_id">): GameChoice =>
  catalogue_id === null ? String(game_id) : catalogueChoice(catalogue_id);
export const GAME_CHOICE = /^(?:[1-9]\d{0,8}|catalogue:[a-z0-9-]{1,60})?$/;

/** The id of the catalogue's game that is chosen; null: it is none of the catalogue. */
export const chosenCatalogueId = (choice: GameChoice): string | null =>
  choice.startsWith(OF_CATALOGUE) ? choice.slice(OF_CATALOGUE.length) : null;

/** The game server that was asked for, in what was found; what else the machine runs is not meant. */
export const foundAt = (findings: readonly Finding[]): Finding | null =>
  findings.find(({ elsewhere }) => !elsewhere) ?? null;

/** Whether an answer is the game's own, and not only a port that accepts. */
export const isTold = (finding: Finding): boolean => isOwnAnswer(finding.adapter);

/** Addresses and ports that are never asked: nothing can be watched there. */
export const isClosed = (causes: readonly Cause[]): boolean =>
  causes.some(({ code }) => code === "closed_address" || code === "never_allowed" || code === "closed_port");

/** Which game it is; empty: nobody can tell. */
export function suggestGame(line: Line, finding: Finding | null, games: Games): GameChoice {
  const told = finding && isTold(finding) ? gameTold(finding, games) : null;
  const guess =
    told ??
    gameNamed(line.typed_name, games) ??
    (finding && isTold(finding) ? gameAskedSo(finding, games) : gameAtPort(line, games));
  return guess ?? "";
}

/** What it is called: as the admin has written, as it says itself, or after its game; empty: nobody can tell. */
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

/** So many games at most share an adapter that is made for them. */
const FEW = 3;

/** What is asked so answers alike (FiveM and RedM): the one of them that the site has. */
function gameAskedSo({ adapter, game }: Finding, games: Games): GameChoice | null {
  const known = games.catalogue.filter((one) => one.adapter === adapter);
  if (game !== null || known.length > FEW) return null;
  const own = games.site.filter(({ catalogue_id }) => known.some(({ id }) => id === catalogue_id));
  return own.length === 1 && own[0] ? siteChoice(own[0]) : null;
}

/** The site's own entry of a game of the catalogue, where there is one. */
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

/** A game whose whole name is part of what the admin calls the game server. Short ones are parts of too many words. */
function gameNamed(name: string | null, games: Games): GameChoice | null {
  if (name === null) return null;
  const words = ` ${name.toLowerCase()} `;
  const isIn = (game: string) => {
    const sought = game.toLowerCase();
    // Four hundred expressions, one for each game of the catalogue, take half a second to make.
    if (sought.length < 3 || !words.includes(sought)) return false;
    return new RegExp(`[^\\p{L}\\d]${RegExp.escape(sought)}[^\\p{L}\\d]`, "u").test(words);
  };
  const own = games.site.filter(({ game_name, game_acronym }) => isIn(game_name) || isIn(game_acronym));
  if (own.length > 0) return own.length === 1 && own[0] ? siteChoice(own[0]) : null;
  const known = games.catalogue.filter((game) => isIn(game.name));
  const longest = known.toSorted((a, b) => b.name.length - a.name.length)[0];
  return longest ? ofCatalogue(longest, games) : null;
}

/** The one game whose usual port this is: of the site's, and only where those leave it open, of the catalogue's. */
function gameAtPort({ port }: Line, games: Games): GameChoice | null {
  if (port === null) return null;
  const known = games.catalogue.filter(({ gamePort, queryPort }) => gamePort === port || queryPort === port);
  const own = games.site.filter(({ catalogue_id }) => known.some(({ id }) => id === catalogue_id));
  if (own.length > 0) return own.length === 1 && own[0] ? siteChoice(own[0]) : null;
  return known.length === 1 && known[0] ? ofCatalogue(known[0], games) : null;
}

/** By what a game server is asked of which nothing was heard: as its game usually is, or as the site's other ones are. */
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
    // One that finds its port by itself is not told one.
    const joined = ADAPTER_FACTS[adapter].needs.port ? (game_port ?? query_port) : null;
    return { adapter, adapter_options, game_port: joined, query_port: joined === query_port ? null : query_port };
  }
  const beside = query_port === null || game_port === null ? 0 : query_port - game_port;
  const asked = line.port + beside;
  const isPort = beside !== 0 && asked >= 1024 && asked <= 65_535;
  return { adapter, adapter_options, game_port: line.port, query_port: isPort ? asked : null };
}
