/** Loads gamedig, the query library that our own adapters are compared with. */
import { createRequire } from "node:module";

type GamedigState = {
  name: string;
  map: string;
  version: string;
  numplayers: number;
  maxplayers: number;
  bots: unknown[];
  players: unknown[];
  raw: Record<string, unknown>;
};

export type Gamedig = { query(question: Record<string, unknown>): Promise<GamedigState> };

/** The class; `new` makes an instance with UDP sockets of its own. Throws when tests/heavy is not installed. */
export function loadGamedig(): new () => Gamedig {
  const loaded = createRequire(import.meta.url)("gamedig") as { GameDig: new () => Gamedig };
  return loaded.GameDig;
}
