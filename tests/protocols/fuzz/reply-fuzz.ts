/** Changes replies at random, and holds what readers make of them against what everybody else relies on. */
import assert from "node:assert/strict";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import type { GameAnswer } from "#outside/game-query/answer.ts";
import type { GameDetails } from "#outside/game-query/details.ts";
import type { Read, ReplyReader } from "#outside/game-query/reply-reader.ts";
import { isRecord, parseShallowJson } from "#outside/game-query/shallow-json.ts";
import { TOLD_COLOURS } from "#shared/told-text.ts";

/** Of each adapter that reads more of a reply than that something is there. */
export const REPLY_READERS = Object.entries(ADAPTERS).flatMap(([id, adapter]): [id: string, ReplyReader][] =>
  adapter?.replies ? [[id, adapter.replies]] : [],
);

/** Numbers from 0 to below 1 that a seed repeats (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Where a number or a text is expected, these are what strangers like to put there. */
const NASTY = [
  ...["-1", "0", "255", "65536", "99999999999999999999", "1e309", "NaN", "0x10", "null", "{}", "[]", '"', "\\", "^7"],
  ...[
    "\0",
    "\n",
    ";",
    "\u202e",
    "\u0007",
    "§4",
    "\ufeff",
    "\u{e0041}",
    "a\u0301\u0302\u0303\u0304",
    "\u{1f600}",
    "__proto__",
  ],
].map((text) => Buffer.from(text));
const EDGES = [0x00, 0x01, 0x0a, 0x22, 0x3b, 0x40, 0x5c, 0x7f, 0x80, 0xbf, 0xc3, 0xfe, 0xff];
/** A UDP packet holds no more. */
const LONGEST = 65_507;

type Change = (reply: Buffer, pick: (below: number) => number, others: readonly Buffer[]) => Buffer;

const splice = (reply: Buffer, from: number, to: number, put: Buffer): Buffer =>
  Buffer.concat([reply.subarray(0, from), put, reply.subarray(to)]);
const rangeOf = (reply: Buffer, pick: (below: number) => number): [from: number, to: number] => {
  const from = pick(reply.length);
  return [from, Math.min(from + 1 + pick(16), reply.length)];
};

/** And where JSON has a value. */
const NASTY_VALUES: readonly unknown[] = [
  ...[null, true, -1, 2.5, 255, 2 ** 53, 1e308, "", "12", "-1", "\u202e§4\0", "long ".repeat(2000)],
  ...[[], {}, [[[{}]]], { length: 5 }, ["a", "a", 1], { text: "t", extra: [{ text: "u" }] }],
];

/** The same with one of its values, somewhere, another. */
function withOtherValue(value: unknown, pick: (below: number) => number): unknown {
  const keys = isRecord(value) || Array.isArray(value) ? Object.keys(value) : [];
  const key = keys[pick(keys.length)];
  if (key === undefined || pick(8) === 0) return NASTY_VALUES[pick(NASTY_VALUES.length)];
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = withOtherValue(copy[key], pick);
  return copy;
}

const CHANGES: readonly Change[] = [
  (reply, pick) => {
    const value = reply[0] === 0x7b ? parseShallowJson(reply.toString(), 32) : undefined;
    return value === undefined ? reply : Buffer.from(JSON.stringify(withOtherValue(value, pick)));
  },
  (reply, pick) => {
    const at = pick(reply.length);
    return splice(reply, at, at + 1, Buffer.of((reply[at] ?? 0) ^ (1 << pick(8))));
  },
  (reply, pick) => {
    const at = pick(reply.length);
    return splice(reply, at, at + 1, Buffer.of(EDGES[pick(EDGES.length)] ?? 0));
  },
  (reply, pick) => reply.subarray(0, pick(reply.length + 1)),
  (reply, pick) => splice(reply, ...rangeOf(reply, pick), Buffer.alloc(0)),
  (reply, pick) => {
    const [from, to] = rangeOf(reply, pick);
    return splice(reply, to, to, reply.subarray(from, to));
  },
  (reply, pick) => {
    const at = pick(reply.length + 1);
    return splice(reply, at, at, Buffer.from(Array.from({ length: 1 + pick(12) }, () => pick(256))));
  },
  (reply, pick) => {
    const [from, to] = rangeOf(reply, pick);
    return splice(reply, from, pick(2) === 0 ? from : to, NASTY[pick(NASTY.length)] ?? Buffer.alloc(0));
  },
  // A figure that is written in digits becomes another.
  (reply, pick) => {
    const figures = [...reply.toString("latin1").matchAll(/\d+/g)];
    const figure = figures[pick(figures.length)];
    if (!figure) return reply;
    return splice(reply, figure.index, figure.index + figure[0].length, NASTY[pick(10)] ?? Buffer.alloc(0));
  },
  (reply, pick, others) => {
    const other = others[pick(others.length)] ?? reply;
    return Buffer.concat([reply.subarray(0, pick(reply.length + 1)), other.subarray(pick(other.length + 1))]);
  },
];

/** A part of it again and again, up to what a packet holds. */
const grow: Change = (reply, pick) => {
  const [from, to] = rangeOf(reply, pick);
  const part = reply.subarray(from, to);
  const copies = Math.ceil((LONGEST * (1 + pick(8))) / 8 / Math.max(part.length, 1));
  return splice(reply, to, to, Buffer.concat(Array.from({ length: copies }, () => part)));
};

/** One reply in so many is a long one. */
const LONG_ONE_IN = 200;

function changed(golden: Buffer, others: readonly Buffer[], random: () => number): Buffer {
  const pick = (below: number) => Math.floor(random() * below);
  let reply = golden;
  for (let left = 1 + pick(4); left > 0; left--) {
    const change = CHANGES[pick(CHANGES.length)];
    if (change) reply = change(reply, pick, others);
  }
  return (pick(LONG_ONE_IN) === 0 ? grow(reply, pick, others) : reply).subarray(0, LONGEST);
}

const UNCLEAN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\ufffd§]|\p{M}{3}/u;
const KEYS = ["bots", "map", "maxPlayers", "name", "passwordProtected", "players", "version"];

function checkCount(count: unknown, most: number): void {
  const isCount = Number.isInteger(count) && Number(count) >= 0 && Number(count) <= most;
  assert.ok(count === null || isCount, `a count is ${count}`);
}

/** Cleaned: at most 100 characters, none unseen, no line breaks, no colours of Minecraft's, no towers of marks, and more than spaces. */
function checkText(text: unknown): void {
  if (text === null) return;
  assert.ok(typeof text === "string", `a text is ${typeof text}`);
  const length = Array.from(text).length;
  assert.ok(
    length > 0 && length <= 100 && text === text.trim(),
    `a text of ${length} characters: ${JSON.stringify(text)}`,
  );
  assert.doesNotMatch(text, UNCLEAN);
}

function checkTexts(texts: readonly string[], most: number): void {
  assert.ok(texts.length <= most && new Set(texts).size === texts.length, `${texts.length} texts, each once`);
  for (const text of texts) checkText(text);
}

/** Two lines at most of what a reader may read, each span in a colour that there is; a PNG or none. */
function checkDetails({ lines, icon, mods }: GameDetails): void {
  assert.ok(lines.length <= 2);
  for (const line of lines) {
    const text = line.map((span) => span.text).join("");
    assert.ok(Array.from(text).length <= 120 && line.every((span) => span.text !== ""), `a line of ${text.length}`);
    assert.doesNotMatch(text, UNCLEAN);
    for (const { colour } of line) assert.ok(colour === null || TOLD_COLOURS.includes(colour), `${colour}`);
  }
  assert.ok(icon === null || (icon.length <= 65_536 && icon.toString("latin1", 1, 4) === "PNG"));
  checkTexts(mods, 200);
}

function checkAnswer({ details, playerNames, ...answer }: GameAnswer): void {
  assert.deepEqual(Object.keys(answer).toSorted(), KEYS);
  if (details) checkDetails(details);
  if (playerNames) checkTexts(playerNames, 200);
  for (const count of [answer.players, answer.bots, answer.maxPlayers]) checkCount(count, 100_000);
  for (const text of [answer.name, answer.map, answer.version]) checkText(text);
  assert.ok([true, false, null].includes(answer.passwordProtected));
}

export function checkRead(read: Read): void {
  if (read.answer !== null) checkAnswer(read.answer);
  for (const text of read.texts ?? []) checkText(text);
  for (const count of read.counts ?? []) checkCount(count, 100_000);
}

/** An honest reader needs some thousandth of that; a busy machine may need it once, but not three times. */
const LONGEST_MS = 50;

/** Reads it, and again where it took long: the shortest of three times counts. */
function readWithin(reader: ReplyReader, reply: Buffer): Read {
  let shortest = Number.POSITIVE_INFINITY;
  for (let turn = 0; ; turn++) {
    const startedAt = performance.now();
    const read = reader.read(reply);
    shortest = Math.min(shortest, performance.now() - startedAt);
    if (shortest <= LONGEST_MS) return read;
    assert.ok(turn < 2, `reading took ${shortest.toFixed(0)} ms`);
  }
}

/** Reads `count` changed replies. Gives how many were still read to an answer; throws with what repeats it where a promise is broken. */
export function fuzz(
  name: string,
  reader: ReplyReader,
  others: readonly Buffer[],
  count: number,
  seed: number,
): number {
  const random = randomBy(seed);
  let answers = 0;
  for (let index = 0; index < count; index++) {
    const golden = reader.golden[index % reader.golden.length] ?? Buffer.alloc(0);
    const reply = changed(golden, others, random);
    try {
      const read = readWithin(reader, reply);
      checkRead(read);
      if (read.answer !== null) answers++;
    } catch (error) {
      const shown =
        reply.length > 400 ? `${reply.toString("hex", 0, 400)}… (${reply.length} bytes)` : reply.toString("hex");
      throw new Error(`${name}, seed ${seed}, reply ${index}: ${shown}`, { cause: error });
    }
  }
  return answers;
}

const MOST_MB = 400;

/** Fuzzes every reader with an equal share of `count`, and holds the memory that this takes at most against a bound. */
export function fuzzAll(readers: readonly (readonly [string, ReplyReader])[], count: number, seed: number): string[] {
  const all = readers.flatMap(([, { golden }]) => golden);
  const before = process.resourceUsage().maxRSS;
  const share = Math.ceil(count / readers.length);
  const told = readers.map(([name, reader], place) => {
    const answers = fuzz(name, reader, all, share, seed + place);
    assert.ok(
      answers > share / 200 && answers < share,
      `${name}: ${answers} of ${share} replies were read to an answer`,
    );
    return `${name}: ${answers} of ${share} read to an answer`;
  });
  const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
  assert.ok(grownMb < MOST_MB, `memory grew by ${grownMb.toFixed(0)} MB`);
  return [...told, `memory grew by ${grownMb.toFixed(0)} MB at most`];
}
