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
  | { code: "unreadable" | "bad_port" | "no_address" | "reports_itself" | "silent" | "own_network" | "no_protocol" }
  | { code: "unknown_name"; host: string }
  | { code: "closed_address"; address: string; setting: "PROBE_ALLOW_CIDRS"; cidr: string }
  | { code: "never_allowed"; host: string }
  | { code: "closed_port"; port: number }
  | { code: "nobody_listens"; port: number | null }
  | { code: "tcp_only"; port: number }
  | { code: "udp_lost"; port: number }
  | { code: "valheim_private"; port: number }
  | { code: "minecraft_mute"; port: number }
  | { code: "other_language"; port: number }
  | { code: "query_port_beside"; game_port: number; query_port: number }
  | { code: "other_version"; told: string; recorded: string }
  | { code: "record_port"; query_port: number | null };

export type Diagnosis = {
  findings: Finding[];
  causes: Cause[];
  tried: {
    by: AskedAdapterId;
    /** The game that it was asked as, where the adapter has to know that. */
    type: string | null;
    port: number;
    outcome: "answered" | QueryFailure;
    latency_ms: number;
  }[];
};
