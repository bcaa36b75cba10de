// The shape of one game of the catalogue: what is known of it before anybody runs a game server of it.
import type { AdapterId, AdapterOptions } from "#shared/adapters.ts";

/**
 * How players get in, which is how its guide begins (guides.ts):
 * - `steam`: a press on Join starts it through Steam, and Steam's own list of game servers knows the address, too
 * - `address`: the address is typed in the game's menu
 * - `console`: the address is typed in the game's console
 * - `browser`: the game lists game servers, and one looks for the name
 * - `code`: the join code is typed in place of an address
 * - `client`: a client or launcher of somebody else than the publisher leads in
 * - `voice`: nothing is played; one talks
 */
export type GuideKind = "steam" | "address" | "console" | "browser" | "code" | "client" | "voice";

export type CatalogueGame = {
  /** Stable; sites keep it in `games.catalogue_id`. */
  id: string;
  /** As its publisher writes it. */
  name: string;
  /** At most 12 characters, for where space is short. */
  acronym: string;
  /** What people type instead of the name, in small letters. */
  aliases: readonly string[];
  /** The app id of the game that players start, not of its dedicated server. Null: not on Steam, or not known. */
  steamAppId: number | null;
  /** Its name on the allow-list of outside/game-types.json; null: nothing on the list asks it. */
  gameType: string | null;
  adapter: AdapterId;
  adapterOptions: AdapterOptions;
  /** The port that players type, as it usually is; null: there is no usual one. */
  gamePort: number | null;
  /** The port that is asked, as it usually is; null: that which players type. */
  queryPort: number | null;
  /** A template for gameserver.join_link; null: no link opens the game at an address. */
  joinLink: string | null;
  /** Whether its game servers ask for a password. */
  password: "usual" | "possible" | "never";
  guide: GuideKind;
  /** One of the eight that ship with a guide and a painted picture of their own: first in every list. */
  first: boolean;
};
