// Defines what browsers and the site exchange about notifications: the shapes of the endpoints below `/push/`.

/** The events to follow of a game server, of the servers of a game, or of the site. */
export const FOLLOW_KINDS = ["server_up", "seat_free", "players_reached", "plan_soon", "news", "server_down"] as const;
export type FollowKind = (typeof FOLLOW_KINDS)[number];

/** A requested notification: of one game server, of the servers of a game, or (with neither) of the site. */
export type WantedFollow = {
  server_id?: number | undefined;
  game_id?: number | undefined;
  kind: FollowKind;
  /** The required number of players, 1 to 100,000; only of `players_reached`. */
  threshold?: number | undefined;
};

/** A browser's follow, as shown to its owner. */
export type ShownFollow = {
  follow_id: string;
  kind: FollowKind;
  threshold: number | null;
  server_id: number | null;
  game_id: number | null;
  /** The name of the game server or the game; null: it is about the site. */
  name: string | null;
};

/** A browser's subscription: `PushSubscription.toJSON()` as the Push API has it (keys in base64url). */
export type SentSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/**
 * Why an endpoint below `/push/` refuses a request. `off`: the operator has turned web push off. `unreadable`: no such request.
 * `not_allowed`: the subscription is of no push service that this site sends to. `not_found`: no such subscription, follow, game
 * server or game, or none that they may see. `too_many`: the browser has all follows that it may have, or too many browsers of one
 * account, at one network address or of strangers do. `often`: too many requests, Retry-After says when to retry. `away`: the site
 * cannot answer now.
 */
export type PushRefusal = "off" | "unreadable" | "not_allowed" | "not_found" | "too_many" | "often" | "away";

/** Replies of `/push/key`, and of everything else there. */
export type PushKeyAnswer = { key: string } | { error: PushRefusal };
export type FollowsAnswer = { follows: ShownFollow[] } | { error: PushRefusal };

/** The service worker, and where pages store what it needs while the site is unreachable. */
export const WORKER_PATH = "/worker.js";
export const OFFLINE_CACHE = "spawnpoint-offline";
export const SEEN_PATH = "/push/seen";
export const MINE_PATH = "/push/mine";
/** In local storage: the last known follows of this browser and this member, for the buttons of all pages. */
export const TOLD_ITEM = "spawnpoint-told";
/** A game server as last seen: `path` is its page, `address` what people type or paste to join. */
export type SeenAddress = { name: string; address: string; path: string };
