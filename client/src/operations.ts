// Made by scripts/client-operations.ts from the API's own document. Do not edit: npm run client:operations writes it anew.
import type { CallOptions } from "./request.ts";
import { type Answer, type Call, type ListAnswer, type ListPage, withSingle } from "./typed-call.ts";

export type Site = { site_name: string; site_url: string; version: "v1"; openapi_url: string; reference_url: string; servers_online: number; servers_total: number; players_now: number; delayed_since: string | null };

export type LocalText = { en: string; de?: string };

export type Game = { game_id: number; game_name: string; game_acronym: string; game_slug: string; tagline: LocalText; description: LocalText; url: string; server_count: number; players_now: number };

export type GamePage = { data: Array<Game>; page: number; pages: number; total: number };

export type GameServer = { server_id: number; game_id: number; server_name: string; user_max: number | null; visibility: "public" | "members"; server_locations: Array<string>; host: string | null; game_port: number | null; version: string | null; flavour: string | null; mods: Array<string>; join_link: string | null; join_code: string | null; password: string | null; password_access: "none" | "public" | "members" | "ask"; access_note: LocalText | null; links: Array<{ name: string; label: LocalText; url: string }>; description: LocalText | null; game_slug: string; game_name: string; address: string | null; url: string; badge_url: string | null; widget_url: string | null; live: Metrics };

export type GameServerPage = { data: Array<GameServer>; page: number; pages: number; total: number };

export type LiveRow = { server_id: number; status: "online" | "degraded" | "offline" | "unknown" | "maintenance" | "inactive"; user_online: number | null; bots_online?: number; user_max: number | null; user_peak: number | null; user_peak_at: string | null; user_peak_24h: number | null; user_peak_7d: number | null; version: string | null; map: string | null; password_protected?: true; status_since: string | null; unknown_reason?: "unreadable" | "no_answer"; reachable_from?: Array<string> };

export type Metrics = { server_id: number; status: "online" | "degraded" | "offline" | "unknown" | "maintenance" | "inactive"; user_online: number | null; bots_online?: number; user_max: number | null; user_peak: number | null; user_peak_at: string | null; user_peak_24h: number | null; user_peak_7d: number | null; version: string | null; map: string | null; password_protected?: true; status_since: string | null; unknown_reason?: "unreadable" | "no_answer"; reachable_from?: Array<string>; server_name: string; asked_at: string | null; latency_ms: number | null };

export type MetricsPage = { data: Array<Metrics>; page: number; pages: number; total: number };

export type History = { range: "24h" | "7d" | "30d" | "1y"; from: number; to: number; step: number; at: Array<number>; average: Array<number | null>; lowest: Array<number | null>; highest: Array<number | null>; downs: Array<Array<number>> };

export type LiveSnapshot = { type: "snapshot"; epoch: string; seq: number; catalog: string; rows: Array<LiveRow>; gone?: Array<number>; asked: Record<string, string | null>; totals: { site?: { players_online: number; players_known: boolean; players_reported: boolean; servers_online: number; servers_total: number; fullest: { server_id: number; server_name: string; user_online: number; user_max: number | null } | null }; games?: Record<string, { players_online: number; players_known: boolean; players_reported: boolean; servers_online: number; servers_total: number; fullest: { server_id: number; server_name: string; user_online: number; user_max: number | null } | null }> }; delayed_since: string | null };

export type LiveDelta = { type: "delta"; epoch: string; seq: number; rows: Array<LiveRow>; totals?: { site?: { players_online: number; players_known: boolean; players_reported: boolean; servers_online: number; servers_total: number; fullest: { server_id: number; server_name: string; user_online: number; user_max: number | null } | null }; games?: Record<string, { players_online: number; players_known: boolean; players_reported: boolean; servers_online: number; servers_total: number; fullest: { server_id: number; server_name: string; user_online: number; user_max: number | null } | null }> } };

export type LiveChangedFields = { seq: number; rows?: Array<{ server_id: number }>; totals?: { site?: {  }; games?: Record<string, {  }> } };

export type LivePulse = { type: "pulse"; asked: Record<string, string | null> };

export type User = { id: string; email: string; role: "user" | "moderator" | "admin"; user_nick_name: string; avatar_url: string | null; locale: "en" | "de" };

export type ProgramSession = { access_token: string; refresh_token: string; expires_in: number; expires_at: number; token_type: "bearer"; user: User };

export type CurrentSession = { expires_in: number; expires_at: number; user: User };

export type SignIn = { email?: string; password?: string; code?: string; recovery_code?: string; program?: string; locale?: "en" | "de" };

export type Refresh = { refresh_token: string };

export type ContactMessage = { name: string; email: string; message: string; locale?: "en" | "de" };

export type NewAccount = { email?: string; password?: string; invitation?: string; locale?: "en" | "de" };

export type ProfileChange = { user_nick_name?: string; locale?: "en" | "de" };

export type Avatar = { avatar_url: string | null };

export type FileQuery = { prefix?: string; limit?: number; offset?: number; sortBy?: { column?: "name" | "created_at" | "updated_at" | "last_accessed_at"; order?: "asc" | "desc" }; search?: string };

export type StoredFile = { name: string; id: string | null; created_at: string | null; updated_at: string | null; last_accessed_at: string | null; metadata: { size: number; mimetype: string; cacheControl: string } | null };

export type StoredFiles = Array<StoredFile>;

export type FileRemoval = { prefixes: Array<string> };

export type UploadedFile = { path: string; fullPath: string };

export type GameForm = { game_name: string; game_acronym: string; game_slug: string; tagline_en: string; tagline_de: string; description_en: string; description_de: string; join_link: string; published: boolean };

export type NewGame = { game_name?: string; game_acronym?: string; catalogue_id?: string };

export type GameRecord = { game_id: number; revision: string; record: GameForm };

export type GameRow = { game_id: number; game_name: string; game_acronym: string; published: boolean; server_count: number };

export type GameRowPage = { data: Array<GameRow>; page: number; pages: number; total: number };

export type ServerForm = { game_id: number; server_name: string; user_max: number | null; visibility: "public" | "members" | "hidden"; server_locations: Array<string>; lifecycle: "active" | "maintenance" | "retired"; maintenance_until: string | null; host: string; game_port: number | null; query_port: number | null; adapter: "a2s" | "minecraft" | "satisfactory" | "palworld" | "terraria" | "hytale" | "bedrock" | "fivem" | "teeworlds" | "luanti" | "factorio" | "teamspeak" | "gamedig" | "tcp" | "heartbeat"; adapter_options: { countFromPlayerList?: boolean; trustRecord?: boolean; withoutTls?: boolean; gamedigType?: string; expect?: "connect" | "server_first" | { prefixHex: string } }; poll_interval_s: number | null; version: string; flavour: string; mods: Array<string>; show_details: boolean; player_list: boolean; join_link: string; join_code: string; password: string; password_access: "none" | "public" | "members" | "ask"; access_note_en: string; access_note_de: string; links: Array<{ name: string; label_en: string; label_de?: string; url: string }>; description_en: string; description_de: string };

export type NewServer = { game_id: number; server_name: string; user_max?: number | null; visibility?: "public" | "members" | "hidden"; server_locations?: Array<string>; lifecycle?: "active" | "maintenance" | "retired"; maintenance_until?: string | null; host?: string; game_port?: number | null; query_port?: number | null; adapter: "a2s" | "minecraft" | "satisfactory" | "palworld" | "terraria" | "hytale" | "bedrock" | "fivem" | "teeworlds" | "luanti" | "factorio" | "teamspeak" | "gamedig" | "tcp" | "heartbeat"; adapter_options?: { countFromPlayerList?: boolean; trustRecord?: boolean; withoutTls?: boolean; gamedigType?: string; expect?: "connect" | "server_first" | { prefixHex: string } }; poll_interval_s?: number | null; version?: string; flavour?: string; mods?: Array<string>; show_details?: boolean; player_list?: boolean; join_link?: string; join_code?: string; password?: string; password_access?: "none" | "public" | "members" | "ask"; access_note_en?: string; access_note_de?: string; links?: Array<{ name: string; label_en: string; label_de?: string; url: string }>; description_en?: string; description_de?: string };

export type ServerRecord = { server_id: number; revision: string; record: ServerForm };

export type SavedServerRecord = { server_id: number; revision: string; record: ServerForm; forgotten_secrets: Array<{ name: string; because: "host" | "adapter" }>; missing_secrets: Array<string> };

export type ServerRow = { server_id: number; game_id: number; game_name: string; server_name: string; server_locations: Array<string>; user_max: number | null; visibility: "public" | "members" | "hidden"; status: "online" | "degraded" | "offline" | "unknown" | "maintenance" | "inactive" };

export type ServerRowPage = { data: Array<ServerRow>; page: number; pages: number; total: number };

export type Guide = { steps: Array<{ title_en: string; title_de: string; text_en: string; text_de: string; links: Array<{ url: string; label_en: string; label_de: string }> }>; boxes: Array<{ title_en: string; title_de: string; text_en: string; text_de: string; links: Array<{ url: string; label_en: string; label_de: string }> }> };

export type GuideRecord = { game_id: number; revision: string; guide: Guide };

export type Order = { ids: Array<number> };

export type HeartbeatToken = { token: string };

export type GamePicture = { game_id: number; banner: string | null };

export type Media = { media_id: string; names: Array<string>; size: number; changed_at: string; used_by: Array<{ type: "game"; game_id: number; name: string } | { type: "site"; place: "logo" | "slide-1" | "slide-2" | "slide-3" }>; removable: boolean };

export type MediaPage = { data: Array<Media>; page: number; pages: number; total: number };

export type Heartbeat = { players: number | null; max_players?: number | null; version?: string | null };

export type OpenApi = { openapi: string };

export type Problem = { type: string; title: string; status: number; detail: string; code?: string; error_id?: string; errors?: Array<{ field: string; code: string; detail: string }> };

/** The typed calls of a client, by what they are about. */
export type Operations = {
  site: {
    /** The site, and how much is going on. */
    read(given?: Record<string, never>, options?: CallOptions): Promise<Answer<Site>>;
  };
  games: {
    /** The games, in the order of the home page. */
    list(given?: { page?: number; per_page?: number }, options?: CallOptions): ListAnswer<GamePage>;
    /** One game. */
    read(given: { game_id: number }, options?: CallOptions): Promise<Answer<Game>>;
  };
  servers: {
    /** The game servers, each with what is measured of it. */
    list(given?: { game?: string; status?: "online" | "degraded" | "offline" | "unknown" | "maintenance" | "inactive"; page?: number; per_page?: number }, options?: CallOptions): ListAnswer<GameServerPage>;
    /** One game server. */
    read(given: { server_id: number }, options?: CallOptions): Promise<Answer<GameServer>>;
    /** What is measured, of one game server. */
    readMetrics(given: { server_id: number }, options?: CallOptions): Promise<Answer<Metrics>>;
    /** How many people were on, and when it was down. */
    readHistory(given: { server_id: number; range?: "24h" | "7d" | "30d" | "1y" }, options?: CallOptions): Promise<Answer<History>>;
  };
  metrics: {
    /** What is measured, of all game servers. */
    list(given?: { game?: string; status?: "online" | "degraded" | "offline" | "unknown" | "maintenance" | "inactive"; page?: number; per_page?: number }, options?: CallOptions): ListAnswer<MetricsPage>;
  };
  openapi: {
    /** This document. */
    read(given?: Record<string, never>, options?: CallOptions): Promise<Answer<OpenApi>>;
  };
  contact: {
    /** Write to the people who run the site. */
    send(given: { body: ContactMessage }, options?: CallOptions): Promise<Answer<null>>;
  };
  profile: {
    /** One's own profile. */
    read(given?: Record<string, never>, options?: CallOptions): Promise<Answer<User>>;
    /** Change one's own profile. */
    update(given: { body: ProfileChange }, options?: CallOptions): Promise<Answer<User>>;
  };
  avatar: {
    /** Change one's own avatar. */
    update(given: { body: Blob | FormData }, options?: CallOptions): Promise<Answer<Avatar>>;
    /** Take one's own avatar away. */
    remove(given?: Record<string, never>, options?: CallOptions): Promise<Answer<Avatar>>;
  };
  admin: {
    games: {
      /** All games, unpublished ones too. */
      list(given?: { page?: number }, options?: CallOptions): ListAnswer<GameRowPage>;
      /** Make a game. */
      create(given: { body: NewGame }, options?: CallOptions): Promise<Answer<GameRecord>>;
      /** A game as it is edited. */
      read(given: { game_id: number }, options?: CallOptions): Promise<Answer<GameRecord>>;
      /** Change a game. */
      update(given: { game_id: number; body: GameForm; revision: string }, options?: CallOptions): Promise<Answer<GameRecord>>;
      /** Delete a game with its game servers and their history. */
      delete(given: { game_id: number; confirm: string }, options?: CallOptions): Promise<Answer<null>>;
      /** The guide of a game. */
      readGuide(given: { game_id: number }, options?: CallOptions): Promise<Answer<GuideRecord>>;
      /** Change the guide of a game. */
      updateGuide(given: { game_id: number; body: Guide; revision: string }, options?: CallOptions): Promise<Answer<GuideRecord>>;
      /** Give a game a picture of its own. */
      updatePicture(given: { game_id: number; body: Blob | FormData }, options?: CallOptions): Promise<Answer<GamePicture>>;
      /** Take the picture of a game away. */
      removePicture(given: { game_id: number }, options?: CallOptions): Promise<Answer<GamePicture>>;
      /** The game servers of a game in the order of its page. */
      readOrder(given: { game_id: number }, options?: CallOptions): Promise<Answer<Order>>;
      /** Put the game servers of a game in another order. */
      updateOrder(given: { game_id: number; body: Order }, options?: CallOptions): Promise<Answer<null>>;
    };
    servers: {
      /** All game servers, hidden ones too. */
      list(given?: { page?: number; game_id?: number }, options?: CallOptions): ListAnswer<ServerRowPage>;
      /** Make a game server. */
      create(given: { body: NewServer }, options?: CallOptions): Promise<Answer<SavedServerRecord>>;
      /** A game server as it is edited. */
      read(given: { server_id: number }, options?: CallOptions): Promise<Answer<ServerRecord>>;
      /** Change a game server. */
      update(given: { server_id: number; body: ServerForm; revision: string }, options?: CallOptions): Promise<Answer<SavedServerRecord>>;
      /** Delete a game server with its history. */
      delete(given: { server_id: number; confirm: string }, options?: CallOptions): Promise<Answer<null>>;
      /** Make the token by which a game machine reports itself. */
      renewHeartbeatToken(given: { server_id: number }, options?: CallOptions): Promise<Answer<HeartbeatToken>>;
      /** Take that token away. */
      removeHeartbeatToken(given: { server_id: number }, options?: CallOptions): Promise<Answer<null>>;
    };
    order: {
      /** The games in the order of the home page. */
      readGames(given?: Record<string, never>, options?: CallOptions): Promise<Answer<Order>>;
      /** Put the games in another order. */
      updateGames(given: { body: Order }, options?: CallOptions): Promise<Answer<null>>;
    };
    media: {
      /** Every uploaded picture, and what shows it. */
      list(given?: { page?: number }, options?: CallOptions): ListAnswer<MediaPage>;
      /** Take a picture away that nothing shows. */
      delete(given: { media_id: string }, options?: CallOptions): Promise<Answer<null>>;
    };
  };
  heartbeat: {
    /** A game machine reports itself. */
    send(given: { body: Heartbeat }, options?: CallOptions): Promise<Answer<null>>;
  };
};

/** Method and path of each of them, and whether it gives a list. */
const CALLS = {
  site: {
    read: ["get","/site"],
  },
  games: {
    list: ["get","/games",true],
    read: ["get","/games/{game_id}"],
  },
  servers: {
    list: ["get","/servers",true],
    read: ["get","/servers/{server_id}"],
    readMetrics: ["get","/servers/{server_id}/metrics"],
    readHistory: ["get","/servers/{server_id}/history"],
  },
  metrics: {
    list: ["get","/metrics",true],
  },
  openapi: {
    read: ["get","/openapi.json"],
  },
  contact: {
    send: ["post","/contact"],
  },
  profile: {
    read: ["get","/profile"],
    update: ["put","/profile"],
  },
  avatar: {
    update: ["put","/avatar"],
    remove: ["delete","/avatar"],
  },
  admin: {
    games: {
      list: ["get","/admin/games",true],
      create: ["post","/admin/games"],
      read: ["get","/admin/games/{game_id}"],
      update: ["put","/admin/games/{game_id}"],
      delete: ["delete","/admin/games/{game_id}"],
      readGuide: ["get","/admin/games/{game_id}/guide"],
      updateGuide: ["put","/admin/games/{game_id}/guide"],
      updatePicture: ["put","/admin/games/{game_id}/picture"],
      removePicture: ["delete","/admin/games/{game_id}/picture"],
      readOrder: ["get","/admin/games/{game_id}/order"],
      updateOrder: ["put","/admin/games/{game_id}/order"],
    },
    servers: {
      list: ["get","/admin/servers",true],
      create: ["post","/admin/servers"],
      read: ["get","/admin/servers/{server_id}"],
      update: ["put","/admin/servers/{server_id}"],
      delete: ["delete","/admin/servers/{server_id}"],
      renewHeartbeatToken: ["post","/admin/servers/{server_id}/heartbeat-token"],
      removeHeartbeatToken: ["delete","/admin/servers/{server_id}/heartbeat-token"],
    },
    order: {
      readGames: ["get","/admin/order/games"],
      updateGames: ["put","/admin/order/games"],
    },
    media: {
      list: ["get","/admin/media",true],
      delete: ["delete","/admin/media/{media_id}"],
    },
  },
  heartbeat: {
    send: ["post","/heartbeat"],
  },
} as const;

type Operation = readonly [method: string, path: string, list?: true];
type Given = Record<string, unknown> & { body?: unknown; revision?: string };

/** The calls, by a client's own way to call. */
export function bindOperations(call: Call, token: () => Promise<string | null>): Operations {
  async function send<T>([method, template]: Operation, { body, revision, ...rest }: Given, options: CallOptions) {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(rest[name]));
      delete rest[name];
      return value;
    });
    const single = method === "get" && path !== template;
    return call<T>(method, path, { ...options, body, revision, single, query: rest, token: await token() });
  }
  const bind = (node: object): unknown =>
    Array.isArray(node)
      ? (given: Given = {}, options: CallOptions = {}) => {
          const answer = send<ListPage>(node as unknown as Operation, given, options);
          return node[2] ? withSingle(answer) : answer;
        }
      : Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, bind(inner)]));
  return bind(CALLS) as Operations;
}
