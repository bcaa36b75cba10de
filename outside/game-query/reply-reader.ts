/** Defines how an adapter's file declares sample replies and their reader, as documentation and for tests that modify replies. */
import type { GameAnswer } from "./answer.ts";
import { parseShallowJson } from "./shallow-json.ts";

/** The result of reading one reply: the answer, or null if refused; and further values. */
export type Read = { answer: GameAnswer | null; texts?: (string | null)[]; counts?: (number | null)[] };

export type ReplyReader = {
  /** Replies of real game servers: each is read to an answer. */
  golden: readonly Buffer[];
  /** Reads one reply as the adapter does; never throws, whatever the bytes. */
  read(reply: Buffer): Read;
  /** Values that no reply of this protocol has. */
  untold?: readonly ("name" | "version")[];
};

/** Makes a reply from bytes written as Latin-1 characters. */
export const bytes = (latin1: string): Buffer => Buffer.from(latin1, "latin1");

/** Adds a zero byte to each value. */
export const zeroEnded = (...values: (string | number)[]): string => values.map((value) => `${value}\0`).join("");

/** Makes a JSON reply. */
export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Parses a JSON reply. */
export const readJson = (reply: Buffer): unknown => parseShallowJson(reply.toString(), 8);

/** Wraps a reader's result: an answer, a word or null for none, or the next request. */
export const readAs = (value: GameAnswer | { ask: unknown } | string | null): Read => ({
  answer: typeof value === "object" && value !== null && "players" in value ? value : null,
});
