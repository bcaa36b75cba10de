/** How an adapter's file shows what replies look like and what is read of one: for whoever reads it, and for the tests that change replies. */
import type { GameAnswer } from "./answer.ts";
import { parseShallowJson } from "./shallow-json.ts";

/** What was read of one reply: the answer, or null where it was refused; and what else becomes of it. */
export type Read = { answer: GameAnswer | null; texts?: (string | null)[]; counts?: (number | null)[] };

export type ReplyReader = {
  /** As game servers give them: each is read to an answer. */
  golden: readonly Buffer[];
  /** Reads one reply as the adapter does; never throws, whatever it is. */
  read(reply: Buffer): Read;
  /** What no reply of this protocol tells. */
  untold?: readonly ("name" | "version")[];
};

/** A reply whose bytes are written as the characters of Latin-1. */
export const bytes = (latin1: string): Buffer => Buffer.from(latin1, "latin1");

/** Each with a zero byte behind it. */
export const zeroEnded = (...values: (string | number)[]): string => values.map((value) => `${value}\0`).join("");

/** A reply that is JSON. */
export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** What a reply of JSON says. */
export const readJson = (reply: Buffer): unknown => parseShallowJson(reply.toString(), 8);

/** What came of a reader that gives an answer, says in one word or by null that there is none, or what is to be asked next. */
export const readAs = (value: GameAnswer | { ask: unknown } | string | null): Read => ({
  answer: typeof value === "object" && value !== null && "players" in value ? value : null,
});
