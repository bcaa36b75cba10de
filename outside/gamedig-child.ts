/** Runs gamedig alone in a process: polls the targets that its parent names, reaches nothing else, and holds no secrets. */
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { type Asked, buildFence } from "./gamedig-fence.ts";

/** From the parent. `id` counts up; the target's address is literal and checked. */
export type Question = {
  id: number;
  type: string;
  address: string;
  port: number;
  deadlineMs: number;
  /** Whether the reply's player count includes its own number of bots (A2S sends both). */
  subtractRawBots: boolean;
};
export type ToChild = { ask: Question } | { ping: number };

/** The child's reply: still as received, but shortened. */
export type RawAnswer = {
  players: unknown;
  max: unknown;
  bots: number;
  version: unknown;
  name: unknown;
  map: unknown;
  /** True if it requires a password; false may also mean unknown. */
  password: boolean;
};
export type FromChild =
  | { ready: true }
  | { pong: number; rss: number }
  | { id: number; latencyMs: number; answer: RawAnswer }
  | { id: number; failure: "timeout" | "refused" | "no_reply" | "malformed" | "blocked" };

type State = Record<"numplayers" | "maxplayers" | "version" | "name" | "map" | "password" | "ping", unknown> & {
  bots: unknown[];
  raw: Record<string, unknown>;
};
type Gamedig = { query(question: Record<string, unknown>): Promise<State> };

/** The parent reads here whose bytes were read last: it blames that one if this process hangs. */
const BLAME_FD = 4;
const ATTEMPTS = 3;
const LONGEST_TEXT = 800;

const say = (message: FromChild): void => {
  if (process.connected) process.send?.(message);
};

function blame(id: number): void {
  const mark = Buffer.allocUnsafe(4);
  mark.writeUInt32LE(id);
  try {
    writeSync(BLAME_FD, mark);
  } catch {
    // The parent has not read for a while; it has enough data.
  }
}

function shorten(value: unknown): unknown {
  return typeof value === "string" ? value.slice(0, LONGEST_TEXT) : typeof value === "number" ? value : null;
}

/** Protocols send it as a flag or as text. For Unreal 2 gamedig reads the opposite, so it is ignored there. */
function asksForPassword({ password, raw }: State): boolean {
  const rules = raw.rules;
  const isOpposite = typeof rules === "object" && rules !== null && "GamePassword" in rules;
  return !isOpposite && (password === true || password === 1 || password === "1");
}

function readState(state: State, question: Question): RawAnswer {
  const listed = state.bots.length;
  const told = question.subtractRawBots ? Number(state.raw.numbots) : 0;
  return {
    players: shorten(state.numplayers),
    max: shorten(state.maxplayers),
    bots: Math.max(told || 0, listed),
    version: shorten(state.version),
    name: shorten(state.name),
    map: shorten(state.map),
    password: asksForPassword(state),
  };
}

function failureOf(asked: Asked, error: unknown): Extract<FromChild, { failure: unknown }>["failure"] {
  if (asked.strayed) return "blocked";
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  // gamedig silently drops unreadable packets, and then times out: bytes without an answer are malformed.
  if (asked.bytes > 0) return "malformed";
  if (asked.accepted) return "timeout";
  return /Connection Refused/.test(stack) ? "refused" : "no_reply";
}

async function answer(gamedig: Gamedig, open: ReturnType<typeof buildFence>, question: Question): Promise<void> {
  const { id, type, address, port, deadlineMs } = question;
  const asked = open(id, address, port);
  const { promise: expired, resolve: expire } = Promise.withResolvers<null>();
  const timer = setTimeout(expire, deadlineMs, null);
  try {
    const state = await Promise.race([
      gamedig.query({
        type,
        address,
        host: address,
        port,
        givenPortOnly: true,
        portCache: false,
        maxRetries: ATTEMPTS,
        socketTimeout: Math.max(Math.ceil(deadlineMs / (ATTEMPTS + 1)), 250),
        attemptTimeout: deadlineMs,
        requestPlayers: false,
        requestRules: false,
      }),
      expired,
    ]);
    if (state === null) say({ id, failure: failureOf(asked, new Error("Timed out")) });
    else say({ id, latencyMs: Number(state.ping) || 0, answer: readState(state, question) });
  } catch (error) {
    say({ id, failure: failureOf(asked, error) });
  } finally {
    clearTimeout(timer);
    asked.close();
  }
}

function run(): void {
  const { GameDig } = createRequire(import.meta.url)("gamedig") as { GameDig: new () => Gamedig };
  const open = buildFence(blame);
  const gamedig = new GameDig();
  // Exceptions that gamedig forgot to catch must not cost the others their answers.
  process.on("uncaughtException", () => {});
  process.on("unhandledRejection", () => {});
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message: ToChild) => {
    if ("ping" in message) say({ pong: message.ping, rss: process.memoryUsage.rss() });
    else void answer(gamedig, open, message.ask);
  });
  say({ ready: true });
}

if (import.meta.main) run();
