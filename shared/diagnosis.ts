// What an examination of a game server's address comes to: what answers there, or what is wrong.
import type { AdapterOptions, AskedAdapterId } from "./adapters.ts";
import type { QueryFailure } from "./statuses.ts";

/** Something that answers, as the form of a game server would hold it. */
export type Finding = {
  adapter: AskedAdapterId;
  adapter_options: AdapterOptions;
  host: string;
  game_port: number | null;
  query_port: number | null;
  game: string | null;
  /** Which game of Steam it says that it is. */
  steam_app_id: number | null;
  name: string | null;
  map: string | null;
  version: string | null;
  players: number | null;
  max_players: number | null;
  latency_ms: number;
  /** It answers at a port that is neither the typed one nor the next: maybe another game server of the same machine. */
  elsewhere: boolean;
};

/** Why nothing answered, or what to know about what did; the text for it is the page's. */
export type Cause =
  | { code: "unreadable" | "bad_port" | "no_address" | "reports_itself" | "own_network" | "no_protocol" }
  /** `known`: the end of the name, which the DNS does know. */
  | { code: "unknown_name"; host: string; known?: string | null }
  /** The DNS itself gave no answer. */
  | { code: "dns_failed"; host: string }
  | { code: "closed_address"; address: string; setting: "PROBE_ALLOW_CIDRS"; cidr: string }
  | { code: "never_allowed"; host: string }
  | { code: "closed_port"; port: number }
  /** Nothing whatever came back from the machine at `address`. What an older version has kept says no more than that. */
  | { code: "silent"; host?: string; address?: string }
  /** The machine itself has refused this very port, over UDP and over TCP; null: all usual ports. */
  | { code: "nobody_listens"; port: number | null }
  /** It has refused this very port over UDP; over TCP it keeps silent. */
  | { code: "udp_closed"; port: number }
  /** It has refused this very port over TCP, and the game is asked over TCP. */
  | { code: "tcp_closed"; port: number }
  /** No port was typed, and at the usual ones is nothing that tells what it is. */
  | { code: "which_port" }
  /** Silent over UDP, while the machine refuses the port `beside`: something is there that we cannot ask. */
  | { code: "mute"; port: number; beside: number }
  | { code: "tcp_only"; port: number }
  /** It answers there, to those alone who show a password or a token. */
  | { code: "wants_key"; port: number }
  /** The machine is there; over UDP nothing comes back from any port. */
  | { code: "udp_lost"; port: number }
  | { code: "valheim_private"; port: number }
  | { code: "minecraft_mute"; port: number }
  | { code: "other_language"; port: number }
  | { code: "query_port_beside"; game_port: number; query_port: number }
  | { code: "other_version"; told: string; recorded: string }
  | { code: "record_port"; query_port: number | null };

/** What may be tried next where nothing told what it is. */
export type WaysOn = {
  /** Games whose usual ports are near and as which nobody has asked yet: `type` is their name on the allow-list. */
  games: { type: string; name: string }[];
  /** Whether its machine can report itself, and under which address; null: that would not help. */
  heartbeat: { host: string | null; game_port: number | null } | null;
};

export type Diagnosis = {
  findings: Finding[];
  causes: Cause[];
  ways: WaysOn;
  tried: {
    by: AskedAdapterId;
    /** The game that it was asked as, where the adapter has to know that. */
    type: string | null;
    port: number;
    outcome: "answered" | QueryFailure;
    latency_ms: number;
  }[];
};
