/** What an adapter is: one way to ask game servers. Each is one file here and one row of adapters.ts. */
import type { AdapterOptions, AdapterSecrets } from "#shared/adapters.ts";
import type { GameType } from "../game-types.ts";
import type { QueryResult, QueryTarget } from "./answer.ts";
import type { ReplyReader } from "./reply-reader.ts";

/** What a reply tells beside the answer, for the doctor: nothing of it is parsed while game servers are watched. */
export type About = {
  game: string | null;
  /** Its app id on Steam. */
  steamAppId: number | null;
  /** The port that players type, where it says so. */
  gamePort: number | null;
  /** What is known of this game's replies. */
  options: AdapterOptions;
};

/** Where and how to ask. The address is literal and checked; names are never resolved by an adapter. */
export type Question = QueryTarget & {
  /** The name that players type. */
  host: string;
  /** The port that players type, where the record has one; `port` is the one that is asked. */
  gamePort?: number | null;
  options: AdapterOptions;
  /** What it may show to be let in; absent: nothing. */
  secrets?: AdapterSecrets;
  deadlineMs: number;
  /** Fill `details` of the answer, where the protocol has some (`tells.details` in shared/adapters.ts). */
  wantsDetails?: boolean;
  /** Fill `playerNames` of the answer (`tells.names`); without it no name is read at all. */
  wantsNames?: boolean;
  /** Hears before the end what else the reply tells. */
  onAbout?: (about: About) => void;
};

/** One try of the doctor at an address that somebody pasted. */
export type Try = {
  /** Null: the DNS knows the port. */
  port: number | null;
  /** The port that players type, where the adapter has to say it (`needs.gamePort` in shared/adapters.ts). */
  gamePort?: number;
  options?: AdapterOptions;
};

/** What docs/games.md says of a way to ask (`npm run docs:games`). Facts from public sources. */
export type AskingNotes = {
  /** What it is called in a heading. */
  title: string;
  /** How it asks, and where what is shown comes from. */
  how: string;
  /** Where the truth stands elsewhere than one would think, and what else goes wrong. */
  traps: readonly string[];
  /** What an operator has to open or switch on. */
  open: string;
};

export type Adapter = {
  /** Asks; never rejects, and is done by the deadline. */
  query(question: Question): Promise<QueryResult>;
  /** How long a watched game server is given, in ms. */
  deadlineMs: number;
  /** How its questions travel; null: that depends on the game. */
  transport: "udp" | "tcp" | null;
  /** For game servers without a port: the service record that tells it, and the port where there is no record. */
  service?: { name: string; port: number };
  /** What the doctor tries at a port (null: none was typed) where a game may have been picked. */
  tries(port: number | null, picked: GameType | null): Try[];
  /** Which game it is that answers when it is asked so; null: the answer tells, or nobody does. */
  game(options: AdapterOptions): string | null;
  /** How surely an answer says what it is, beside those of others: 30 and up its own protocol, 0 something accepts. */
  certainty(options: AdapterOptions): number;
  /** Replies and what is read of one, for the tests that change them; null where no more is read than that something is there. */
  replies: ReplyReader | null;
  notes: AskingNotes;
};
