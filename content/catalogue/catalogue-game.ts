// Defines one game of the catalogue: what is known about it before anyone runs a server of it.
import type { AdapterId, AdapterOptions } from "#shared/adapters.ts";

/**
 * How players join, which is how its guide begins (guides.ts):
 * - `steam`: Join starts it through Steam, and Steam's own server list knows the address too
 * - `address`: type the address in the game's menu
 * - `console`: type the address in the game's console
 * - `browser`: find the name in the game's server list
 * - `code`: type the join code instead of an address
 * - `client`: use a client or launcher that isn't the publisher's
 * - `voice`: no game; people talk
 */
export type GuideKind = "steam" | "address" | "console" | "browser" | "code" | "client" | "voice";

export type CatalogueGame = {
  /** Stable; sites store it in `games.catalogue_id`. */
  id: string;
  /** As its publisher writes it. */
  name: string;
  /** At most 12 characters, for small spaces. */
  acronym: string;
  /** Alternative search terms, in small letters. */
  aliases: readonly string[];
  /** App id of the game that players start, not of its dedicated server. Null: not on Steam, or unknown. */
  steamAppId: number | null;
  /** Its name on the allow-list of outside/game-types.json; null: not on the list. */
  gameType: string | null;
  adapter: AdapterId;
  adapterOptions: AdapterOptions;
  /** Usual port that players type; null: none. */
  gamePort: number | null;
  /** Usual query port; null: the game port. */
  queryPort: number | null;
  /** Template for gameserver.join_link; null: no link opens the game at an address. */
  joinLink: string | null;
  /** Whether its game servers require a password. */
  password: "usual" | "possible" | "never";
  guide: GuideKind;
  /** One of the eight with their own guide and painted picture: first in every list. */
  first: boolean;
};
