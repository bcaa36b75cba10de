/** What a game server's answer becomes: numbers that were checked, text that was cleaned, and failures that have names. */
import type { QueryFailure } from "#shared/statuses.ts";
import type { GameDetails } from "./details.ts";

/** `players` counts people without bots. Null means that the protocol does not tell, never zero and never "no". */
export type GameAnswer = {
  players: number | null;
  /** Players that are none, where the protocol tells them apart; never part of `players`. */
  bots: number | null;
  maxPlayers: number | null;
  version: string | null;
  name: string | null;
  map: string | null;
  /** Whether it asks for a password on the way in. */
  passwordProtected: boolean | null;
  /** Only where the question wanted them, and the protocol has some. */
  details?: GameDetails;
  /** Who is on by name, cleaned, each once, some of them or all: only where the question wanted to know. */
  playerNames?: string[];
};

/** `latencyMs`: with an answer the round trip of the request that was answered, with a failure the time spent. */
export type QueryResult =
  | { ok: true; latencyMs: number; answer: GameAnswer }
  | { ok: false; latencyMs: number; failure: QueryFailure };

/** Where to ask: a literal IP address, already checked, and a port. Names are never resolved by an adapter. */
export type QueryTarget = { address: string; port: number };

/** An answer that proves that the game server is up, and nothing else. */
export const answerWithoutFigures: GameAnswer = {
  players: null,
  bots: null,
  maxPlayers: null,
  version: null,
  name: null,
  map: null,
  passwordProtected: null,
};

const highestCount = 100_000;

/** A count from a stranger: a whole number from 0 to 100,000 (more is clamped). Anything else is null: -1 or "12" is no count. */
export function cleanCount(value: unknown): number | null {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) return null;
  return Math.min(value, highestCount);
}

/** Minecraft's colour codes: § and the character that follows. */
const sectionCodes = /§[0-9a-z]?/giu;
/** Controls, lone surrogates, private use, and all that shows nothing: zero width, bidi overrides, fillers, tags. */
const unseenCharacters = /[\p{C}\p{DI}\ufffd]/gu;
const unseenCharacter = /^[\p{C}\p{DI}\ufffd]$/u;
/** Marks stacked on one letter until they leave its line. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;
const plainText = /^[!-~]+(?: [!-~]+)*$/;

/** Text from a stranger: no control, § or invisible characters, single spaces, at most `maxLength` characters; null when nothing is left. */
export function cleanText(value: unknown, maxLength = 100): string | null {
  if (typeof value !== "string") return null;
  if (value.length <= maxLength && plainText.test(value)) return value;
  const cleaned = value
    .slice(0, maxLength * 8)
    .replace(/[\s\p{Z}]+/gu, " ")
    .replace(sectionCodes, "")
    .replace(unseenCharacters, "")
    .replace(stackedMarks, "$1")
    .replace(/ +/g, " ")
    .trim();
  return Array.from(cleaned).slice(0, maxLength).join("").trim() || null;
}

/** A count that a stranger writes as text, as `cleanCount` reads a number: digits and nothing else. */
export function cleanCountText(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,9}$/.test(value) ? cleanCount(Number(value)) : null;
}

/** Whether a single character shows nothing, or turns what is around it. */
export const isUnseen = (character: string): boolean => unseenCharacter.test(character);
