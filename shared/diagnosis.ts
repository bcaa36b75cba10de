// Defines the result of examining a game server's address: which servers answer there, or what is wrong.
import type { AdapterOptions, AskedAdapterId } from "./adapters.ts";
import type { QueryFailure } from "./statuses.ts";

/** A server that answers, with the values for its form. */
export type Finding = {
  adapter: AskedAdapterId;
  adapter_options: AdapterOptions;
  host: string;
  game_port: number | null;
  query_port: number | null;
  game: string | null;
  /** The Steam game that it reports. */
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

/** Why nothing answered, or a remark on a server that did; the page has the text for it. */
export type Cause =
  | { code: "unreadable" | "bad_port" | "no_address" | "reports_itself" | "own_network" | "no_protocol" }
  /** `known`: the end of the name, which the DNS does know. */
  | { code: "unknown_name"; host: string; known?: string | null }
  /** The DNS itself did not answer. */
  | { code: "dns_failed"; host: string }
  | { code: "closed_address"; address: string; setting: "PROBE_ALLOW_CIDRS"; cidr: string }
  | { code: "never_allowed"; host: string }
  | { code: "closed_port"; port: number }
  /** No reply from the machine at `address`. Results stored by older versions contain only that. */
  | { code: "silent"; host?: string; address?: string }
  /** The machine itself has refused this very port, over UDP and over TCP; null: all usual ports. */
  | { code: "nobody_listens"; port: number | null }
  /** It has refused this very port over UDP, and is silent over TCP. */
  | { code: "udp_closed"; port: number }
  /** It has refused this very port over TCP, which the game's query uses. */
  | { code: "tcp_closed"; port: number }
  /** No port was typed, and nothing identifies itself at the usual ones. */
  | { code: "which_port" }
  /** Silent over UDP, while the machine refuses the port `beside`: it runs something that the site cannot query. */
  | { code: "mute"; port: number; beside: number }
  | { code: "tcp_only"; port: number }
  /** It answers there, but only with a password or a token. */
  | { code: "wants_key"; port: number }
  /** The machine is online; over UDP nothing comes back from any port. */
  | { code: "udp_lost"; port: number }
  | { code: "valheim_private"; port: number }
  | { code: "minecraft_mute"; port: number }
  | { code: "other_language"; port: number }
  | { code: "query_port_beside"; game_port: number; query_port: number }
  | { code: "other_version"; told: string; recorded: string }
  | { code: "record_port"; query_port: number | null };

/** Further tries if nothing identified itself. */
export type WaysOn = {
  /** Games with usual ports nearby that have not been tried: `type` is their name on the allow-list. */
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
    /** The game that was assumed, if the adapter needs one. */
    type: string | null;
    port: number;
    outcome: "answered" | QueryFailure;
    latency_ms: number;
  }[];
};
