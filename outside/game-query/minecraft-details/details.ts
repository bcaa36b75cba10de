/** Reads a Minecraft server's status beyond figures: its description, its icon, its mods, and the names in its list. */
import { cleanText } from "../answer.ts";
import { type GameDetails, MOST_NAMES } from "../details.ts";
import { readMods } from "./mods.ts";
import { readMotd } from "./motd.ts";

const ICON_PREFIX = "data:image/png;base64,";
const MOST_ICON_BYTES = 65_536;
const ICON_SIZE = 64;
const PNG_START = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "latin1");

/**
 * Valid player names: those of the game, and with a prefix those of other editions. Servers put advertisements into the same list,
 * and "Anonymous Player" for players who hide their name.
 */
const PLAYER_NAME = /^[.*!]?\w{2,16}$/;

export function readDetails(status: Record<string, unknown>): GameDetails {
  return { lines: readMotd(status.description), icon: readIcon(status.favicon), mods: readMods(status) };
}

/** Gets the icon's file if its header is what the game accepts: a PNG of 64 × 64. Does not decode it. */
function readIcon(favicon: unknown): Buffer | null {
  if (typeof favicon !== "string" || !favicon.startsWith(ICON_PREFIX)) return null;
  if (favicon.length > ICON_PREFIX.length + MOST_ICON_BYTES * 1.5) return null;
  const file = Buffer.from(favicon.slice(ICON_PREFIX.length), "base64");
  if (file.length > MOST_ICON_BYTES || file.length < PNG_START.length + 8) return null;
  if (!file.subarray(0, PNG_START.length).equals(PNG_START)) return null;
  const width = file.readUInt32BE(PNG_START.length);
  const height = file.readUInt32BE(PNG_START.length + 4);
  return width === ICON_SIZE && height === ICON_SIZE ? file : null;
}

/** Reads the names of `players.sample`: ordinary servers send a random dozen at most. */
export function readPlayerNames(players: Record<string, unknown>): string[] {
  const sample = Array.isArray(players.sample) ? players.sample.slice(0, MOST_NAMES) : [];
  const names = sample.flatMap((player: unknown) => {
    const told = typeof player === "object" && player !== null && "name" in player ? player.name : null;
    const name = typeof told === "string" && !told.includes("§") ? cleanText(told, 20) : null;
    return name !== null && PLAYER_NAME.test(name) ? [name] : [];
  });
  return [...new Set(names)];
}
