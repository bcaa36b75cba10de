/** Defines a game server's answer: validated numbers, cleaned text, and named failures. */
import type { QueryFailure } from "#shared/statuses.ts";
import type { GameDetails } from "./details.ts";

/** `players` counts people without bots. Null means that the protocol has no such value, never zero and never "no". */
export type GameAnswer = {
  players: number | null;
  /** Bots, if the protocol distinguishes them; never part of `players`. */
  bots: number | null;
  maxPlayers: number | null;
  version: string | null;
  name: string | null;
  map: string | null;
  /** Whether joining requires a password. */
  passwordProtected: boolean | null;
  /** Only if the query wanted them, and the protocol has some. */
  details?: GameDetails;
  /** The players' names, cleaned, each once, some or all of them: only if the query wanted them. */
  playerNames?: string[];
};

/** `latencyMs`: the round trip of the answered request; after a failure the time spent. */
export type QueryResult =
  | { ok: true; latencyMs: number; answer: GameAnswer }
  | { ok: false; latencyMs: number; failure: QueryFailure };

/** Where to poll: a literal IP address, already checked, and a port. An adapter never resolves names. */
export type QueryTarget = { address: string; port: number };

/** An answer that only proves that the game server is up. */
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

/** Validates an untrusted count: a whole number from 0 to 100,000 (more is clamped). Else null: -1 or "12" is no count. */
export function cleanCount(value: unknown): number | null {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) return null;
  return Math.min(value, highestCount);
}

/** Minecraft's colour codes: § and the character that follows. */
const sectionCodes = /§[0-9a-z]?/giu;
/** Controls, lone surrogates, private use, and all invisible characters: zero width, bidi overrides, fillers, tags. */
const unseenCharacters = /[\p{C}\p{DI}\ufffd]/gu;
const unseenCharacter = /^[\p{C}\p{DI}\ufffd]$/u;
/** Marks stacked on one letter until they leave its line. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;
const plainText = /^[!-~]+(?: [!-~]+)*$/;

/** Cleans untrusted text: no control, § or invisible characters, single spaces, at most `maxLength` characters; null if empty. */
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

/** Parses a count from outside written as text, like `cleanCount`: digits only. */
export function cleanCountText(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,9}$/.test(value) ? cleanCount(Number(value)) : null;
}

/** Checks for a character that is invisible, or reverses the text around it. */
export const isUnseen = (character: string): boolean => unseenCharacter.test(character);
