// A batch of pasted addresses for its page: the result of each line, and suggestions.
import { asc, desc, inArray, isNotNull, sql } from "drizzle-orm";
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import type { Db } from "#db/client.ts";
import { type addressBatchLines, games, gameserver } from "#db/schema/index.ts";
import { findGameType } from "#outside/game-types.ts";
import type { Cause, WaysOn } from "#shared/diagnosis.ts";
import { findCatalogueGame } from "../games/catalogue.ts";
import { findBatch } from "./address-batches.ts";
import type { UnreadReason } from "./address-lines.ts";
import {
  type AskedBy,
  askedBy,
  catalogueChoice,
  chosenCatalogueId,
  foundAt,
  type GameChoice,
  isClosed,
  isTold,
  type SiteGame,
  siteChoice,
  suggestGame,
  suggestName,
} from "./address-suggestion.ts";

export type StoredLine = typeof addressBatchLines.$inferSelect;

/** Result of a line, before any choice. */
export type LineState =
  | { is: "waiting" }
  /** No address could be read. */
  | { is: "unread"; reason: UnreadReason }
  /** A duplicate of the earlier line with this number, counted from 1. */
  | { is: "same"; as: number }
  | { is: "on_site"; server_id: number; server_name: string }
  | { is: "added"; server_id: number | null }
  /** A game server has replied. */
  | { is: "answers"; game: string | null; players: number | null; max_players: number | null }
  /** Something accepts connections without a reply. */
  | { is: "accepts"; causes: Cause[]; games: WaysOn["games"] }
  | { is: "silent"; causes: Cause[]; games: WaysOn["games"] }
  /** It may not be queried, so it can't be watched. */
  | { is: "closed"; causes: Cause[] };

export type BatchLine = {
  line_id: number;
  typed: string;
  state: LineState;
  has_password: boolean;
  /** Input for the new row, as chosen or else as suggested. */
  game: GameChoice;
  name: string;
  ticked: boolean;
  /** How it will be queried; null: no game is chosen, or nothing will. */
  asked: AskedBy | null;
  /** The code of why it couldn't be added. */
  refused: string | null;
};

export type BatchView = {
  batch_id: number;
  lines: BatchLine[];
  /** Lines without a result yet. */
  waiting: number;
  /** Games to choose from: the site's, and catalogue games found here. */
  games: { value: GameChoice; label: string }[];
};

/** True if the line can still be added. */
const isOpen = ({ state }: Pick<BatchLine, "state">): boolean =>
  state.is === "waiting" || state.is === "answers" || state.is === "accepts" || state.is === "silent";

/** Reads a batch by id; null when there is none (any more). */
export async function readBatch(db: Db, batchId: number): Promise<BatchView | null> {
  const batch = await findBatch(db, batchId);
  if (!batch) return null;
  const [site, there] = await Promise.all([listSiteGames(db), listGameServersAt(db, batch.lines)]);
  const seen = new Map<string, number>();
  const lines = batch.lines.map((line, place) => viewOf(line, { place, seen, site, there }));
  const found = [...new Set(lines.map(({ game }) => chosenCatalogueId(game)))].flatMap((id) =>
    id === null || site.some(({ catalogue_id }) => catalogue_id === id) ? [] : (findCatalogueGame(id) ?? []),
  );
  return {
    batch_id: batch.batch_id,
    lines,
    waiting: lines.filter(({ state }) => state.is === "waiting").length,
    games: [
      ...site.map((game) => ({ value: siteChoice(game), label: game.game_name })),
      ...found.map((game) => ({ value: catalogueChoice(game.id), label: game.name })),
    ],
  };
}

/** Lists the site's games in order, each with how its newest game server is queried. */
export async function listSiteGames(db: Db): Promise<SiteGame[]> {
  const [own, servers] = await Promise.all([
    db
      .select({
        game_id: games.game_id,
        game_name: games.game_name,
        game_acronym: games.game_acronym,
        catalogue_id: games.catalogue_id,
        join_link: games.join_link,
      })
      .from(games)
      .orderBy(asc(games.sort_order), asc(games.game_id)),
    db
      .selectDistinctOn([gameserver.game_id], {
        game_id: gameserver.game_id,
        adapter: gameserver.adapter,
        adapter_options: gameserver.adapter_options,
        game_port: gameserver.game_port,
        query_port: gameserver.query_port,
      })
      .from(gameserver)
      .where(isNotNull(gameserver.host))
      .orderBy(gameserver.game_id, desc(gameserver.server_id)),
  ]);
  const asked = new Map(servers.map(({ game_id, ...by }) => [game_id, by]));
  return own.map((game) => ({ ...game, asked: asked.get(game.game_id) ?? null }));
}

type There = { server_id: number; server_name: string; host: string; ports: (number | null)[] };

/** Lists the site's game servers at the hosts of these lines. */
export async function listGameServersAt(db: Db, lines: readonly Pick<StoredLine, "host">[]): Promise<There[]> {
  const hosts = [...new Set(lines.flatMap(({ host }) => host ?? []))];
  if (hosts.length === 0) return [];
  const rows = await db
    .select()
    .from(gameserver)
    .where(inArray(sql`lower(${gameserver.host})`, hosts))
    .orderBy(asc(gameserver.server_id));
  return rows.map(({ server_id, server_name, host, game_port, query_port }) => ({
    server_id,
    server_name,
    host: host?.toLowerCase() ?? "",
    ports: game_port === null && query_port === null ? [null] : [game_port, query_port].filter((port) => port !== null),
  }));
}

/** Finds the site's game server for a line; null when there is none. */
export function findThere(line: StoredLine, there: readonly There[]): There | null {
  const finding = foundAt(line.diagnosis?.findings ?? []);
  const told = [finding?.game_port, finding?.query_port].filter((port) => port != null);
  const ports = new Set<number | null>([line.port, ...told]);
  return there.find((one) => one.host === line.host && one.ports.some((port) => ports.has(port))) ?? null;
}

type Around = { place: number; seen: Map<string, number>; site: SiteGame[]; there: There[] };

function viewOf(line: StoredLine, around: Around): BatchLine {
  const state = stateOf(line, around);
  const finding = foundAt(line.diagnosis?.findings ?? []);
  const games = { site: around.site, catalogue: CATALOGUE };
  const address = line.host === null ? null : { host: line.host, port: line.port, typed_name: line.typed_name };
  const game = line.chosen_game ?? (address ? suggestGame(address, finding, games) : "");
  const { own, known } = gameOf(game, around.site);
  const name =
    line.chosen_name ?? (address ? suggestName(address, finding, own?.game_name ?? known?.name ?? null) : "");
  return {
    line_id: line.line_id,
    typed: line.typed,
    state,
    has_password: line.password !== null,
    game,
    name,
    ticked: isOpen({ state }) && (line.chosen ?? (state.is === "answers" && game !== "" && name !== "")),
    asked: finding ?? (own || known ? askedBy(line, own, known) : null),
    refused: line.refused,
  };
}

/** The site's and the catalogue's game of a choice. */
export function gameOf(choice: GameChoice, site: readonly SiteGame[]) {
  const id = chosenCatalogueId(choice);
  const own = site.find((game) => siteChoice(game) === choice) ?? null;
  return { own, known: id === null ? null : findCatalogueGame(id) };
}

/** The outside/game-types type that queries a chosen game; null: none. */
export const gameTypeOf = (choice: GameChoice): string | null => {
  const id = chosenCatalogueId(choice);
  return id === null ? null : (findCatalogueGame(id)?.gameType ?? null);
};

/** A type of outside/game-types as a button sends it; null: no such type. */
export const readGameType = (type: string | undefined): string | null => findGameType(type ?? "")?.type ?? null;

function stateOf(line: StoredLine, { place, seen, there }: Around): LineState {
  if (line.unread !== null) return { is: "unread", reason: line.unread as UnreadReason };
  const findings = line.diagnosis?.findings ?? [];
  const causes = line.diagnosis?.causes ?? [];
  const finding = foundAt(findings);
  // The typed address and the found one: the port that is queried and the one that is joined count as the same.
  const addresses = [`${line.host} ${line.port}`, ...(finding ? [`${line.host} ${finding.game_port}`] : [])];
  const before = addresses.flatMap((address) => seen.get(address) ?? [])[0];
  for (const address of addresses) if (!seen.has(address)) seen.set(address, place + 1);
  if (line.added_at !== null) return { is: "added", server_id: line.server_id };
  if (before !== undefined) return { is: "same", as: before };
  const on = findThere(line, there);
  if (on) return { is: "on_site", server_id: on.server_id, server_name: on.server_name };
  if (line.examined_at === null) return { is: "waiting" };
  if (finding && isTold(finding)) {
    const { game, players, max_players } = finding;
    return { is: "answers", game, players, max_players };
  }
  if (isClosed(causes)) return { is: "closed", causes };
  return { is: finding ? "accepts" : "silent", causes, games: line.diagnosis?.ways?.games ?? [] };
}
