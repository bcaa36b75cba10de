/** Defines an adapter: one way to poll game servers. Each is one file here and one row of adapters.ts. */
import type { AdapterOptions, AdapterSecrets } from "#shared/adapters.ts";
import type { GameType } from "../game-types.ts";
import type { QueryResult, QueryTarget } from "./answer.ts";
import type { ReplyReader } from "./reply-reader.ts";

/** Further facts of a reply, for the doctor only: regular polls don't parse them. */
export type About = {
  game: string | null;
  /** Its app id on Steam. */
  steamAppId: number | null;
  /** The port that players type, if the reply has it. */
  gamePort: number | null;
  /** The known options for this game's replies. */
  options: AdapterOptions;
};

/** Where and how to poll. The address is literal and checked; an adapter never resolves names. */
export type Question = QueryTarget & {
  /** The name that players type. */
  host: string;
  /** The port that players type, if the record has one; `port` is the polled one. */
  gamePort?: number | null;
  options: AdapterOptions;
  /** Credentials for the game server; absent: none. */
  secrets?: AdapterSecrets;
  deadlineMs: number;
  /** Fill `details` of the answer, if the protocol has some (`tells.details` in shared/adapters.ts). */
  wantsDetails?: boolean;
  /** Fill `playerNames` of the answer (`tells.names`); otherwise no name is read. */
  wantsNames?: boolean;
  /** Receives the reply's further facts before the end. */
  onAbout?: (about: About) => void;
};

/** One try of the doctor at a pasted address. */
export type Try = {
  /** Null: the DNS knows the port. */
  port: number | null;
  /** The port that players type, if the adapter needs it (`needs.gamePort` in shared/adapters.ts). */
  gamePort?: number;
  options?: AdapterOptions;
};

/** The texts of docs/games.md about an adapter (`npm run docs:games`). Facts from public sources. */
export type AskingNotes = {
  /** Its name in a heading. */
  title: string;
  /** How it polls, and the sources of the shown values. */
  how: string;
  /** Values in unexpected places, and other pitfalls. */
  traps: readonly string[];
  /** What an operator has to open or turn on. */
  open: string;
};

export type Adapter = {
  /** Polls; never rejects, and finishes by the deadline. */
  query(question: Question): Promise<QueryResult>;
  /** The deadline for a watched game server, in ms. */
  deadlineMs: number;
  /** The transport of its queries; null: depends on the game. */
  transport: "udp" | "tcp" | null;
  /** For game servers without a port: the service record with the port, and the port if there is no record. */
  service?: { name: string; port: number };
  /** The doctor's tries at a port (null: none was typed) if a game may have been picked. */
  tries(port: number | null, picked: GameType | null): Try[];
  /** Which game answers with these options; null: the reply says, or it is unknown. */
  game(options: AdapterOptions): string | null;
  /** How certain a reply's game is, compared to others: 30 and up its own protocol, 0 only an open port. */
  certainty(options: AdapterOptions): number;
  /** Sample replies and their reader, for the tests that modify them; null if only an open port is checked. */
  replies: ReplyReader | null;
  notes: AskingNotes;
};
