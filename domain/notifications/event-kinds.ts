// Defines every kind of notification event: its lifetime, which follows and rules match it, and whether it is still true when it is
// due.
import type { FollowKind } from "#shared/push.ts";
import type { ShownStatus } from "#shared/statuses.ts";
import { fitsThreshold, isClearlyBelow } from "./watches.ts";

/** A game server's state just before a notification is sent. */
export type ServerNow = {
  /** As shown to people: the lifecycle first, then the age of the measurement. */
  shown: ShownStatus;
  status_since: Date | null;
  /** When the last judged check was sent. */
  last_asked_at: Date | null;
  user_online: number | null;
  /** As measured, or as the admin set it. */
  user_max: number | null;
  /** In maintenance, and offline when that began. */
  was_down: boolean;
};

export type EventFacts = Record<string, unknown>;
type Happened = { happened_at: Date; facts: EventFacts };

/** `wait`: unknown for now. */
export type StillTrue = "yes" | "no" | "wait";

/** Topics of operators' rules, in the admin's order of choice. */
export const RULE_TOPICS = ["outages", "full", "plans", "news", "incidents", "troubles"] as const;
export type RuleTopic = (typeof RULE_TOPICS)[number];

/** The follow, and the rule topic, that match this kind. At least one of the two, or the kind would reach no target. */
type AskedFor = { followedAs: FollowKind; topic: RuleTopic | null } | { followedAs: null; topic: RuleTopic };

export type EventKindFacts = AskedFor & {
  /** Seconds after which it isn't sent any more. */
  lifetimeS: number;
  /** At most once an hour per target, game server and kind. */
  onceAnHour: boolean;
  /** Sent only after a second check after the event agrees. */
  twoAnswers: boolean;
  /** True if it can wait for a member's digest; urgent kinds are sent at once all the same. */
  inDigest: boolean;
  /** `now` is null for an event about no game server; such an event stays true until it expires. */
  stillTrue(event: Happened, now: ServerNow | null): StillTrue;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** For written texts and past events, which stay true. */
const always = (): StillTrue => "yes";

/** For active game servers with a recent check. */
const whileWatched =
  (holds: (now: ServerNow, event: Happened) => boolean | "wait") =>
  (event: Happened, now: ServerNow | null): StillTrue => {
    if (now === null || now.shown === "maintenance" || now.shown === "inactive") return "no";
    if (now.shown === "unknown" || now.shown === "degraded") return "wait";
    const held = holds(now, event);
    return held === "wait" ? held : held ? "yes" : "no";
  };

/** True if the event's outage is the current one: the server wasn't up in between. */
const isSameOutage = (now: ServerNow, event: Happened): boolean =>
  now.shown === "offline" && (now.status_since?.getTime() ?? 0) <= event.happened_at.getTime();

/** `wait` just below the threshold: the watch isn't rearmed by then, so it isn't over yet. */
const reaches = (now: ServerNow, threshold: number): boolean | "wait" =>
  fitsThreshold("players_reached", threshold, now) ||
  (now.user_online !== null && !isClearlyBelow(now.user_online, threshold) ? "wait" : false);

/**
 * For a server that was up when its maintenance began, its return is no news. For one that was down, wait and notify after the
 * maintenance.
 */
const isBack = (event: Happened, now: ServerNow | null): StillTrue =>
  now?.shown === "maintenance" && now.was_down ? "wait" : whileWatched(({ shown }) => shown === "online")(event, now);

export const EVENT_KINDS = {
  server_down: {
    lifetimeS: HOUR,
    followedAs: "server_down",
    topic: "outages",
    onceAnHour: true,
    twoAnswers: false,
    inDigest: true,
    stillTrue: whileWatched(isSameOutage),
  },
  server_up: {
    lifetimeS: 30 * MINUTE,
    followedAs: "server_up",
    topic: "outages",
    onceAnHour: true,
    twoAnswers: true,
    inDigest: true,
    stillTrue: isBack,
  },
  seat_free: {
    lifetimeS: 10 * MINUTE,
    followedAs: "seat_free",
    topic: "full",
    onceAnHour: true,
    twoAnswers: true,
    inDigest: false,
    stillTrue: whileWatched((now) => fitsThreshold("seat_free", 0, now)),
  },
  server_full: {
    lifetimeS: 10 * MINUTE,
    followedAs: null,
    topic: "full",
    onceAnHour: true,
    twoAnswers: true,
    inDigest: false,
    stillTrue: whileWatched((now) => fitsThreshold("server_full", 0, now)),
  },
  players_reached: {
    lifetimeS: 20 * MINUTE,
    followedAs: "players_reached",
    topic: null,
    onceAnHour: true,
    twoAnswers: true,
    inDigest: false,
    stillTrue: whileWatched((now, { facts }) => reaches(now, Number(facts.threshold))),
  },
  plan_soon: {
    lifetimeS: 10 * MINUTE,
    followedAs: "plan_soon",
    topic: "plans",
    onceAnHour: false,
    twoAnswers: false,
    inDigest: false,
    stillTrue: always,
  },
  news: {
    lifetimeS: 2 * DAY,
    followedAs: "news",
    topic: "news",
    onceAnHour: false,
    twoAnswers: false,
    inDigest: true,
    stillTrue: always,
  },
  incident_opened: {
    lifetimeS: 6 * HOUR,
    followedAs: "news",
    topic: "incidents",
    onceAnHour: false,
    twoAnswers: false,
    inDigest: true,
    stillTrue: always,
  },
  incident_updated: {
    lifetimeS: 6 * HOUR,
    followedAs: "news",
    topic: "incidents",
    onceAnHour: false,
    twoAnswers: false,
    inDigest: true,
    stillTrue: always,
  },
  incident_closed: {
    lifetimeS: 6 * HOUR,
    followedAs: "news",
    topic: "incidents",
    onceAnHour: false,
    twoAnswers: false,
    inDigest: true,
    stillTrue: always,
  },
  site_trouble: {
    lifetimeS: DAY,
    followedAs: null,
    topic: "troubles",
    onceAnHour: false,
    twoAnswers: false,
    inDigest: false,
    stillTrue: always,
  },
  site_trouble_over: {
    lifetimeS: DAY,
    followedAs: null,
    topic: "troubles",
    onceAnHour: false,
    twoAnswers: false,
    inDigest: false,
    stillTrue: always,
  },
} as const satisfies Record<string, EventKindFacts>;

export type EventKind = keyof typeof EVENT_KINDS;
const EVENT_KIND_NAMES = Object.keys(EVENT_KINDS) as EventKind[];

/** The facts of a kind; null for a kind of another version. */
export const factsOfKind = (kind: string): EventKindFacts | null =>
  Object.hasOwn(EVENT_KINDS, kind) ? EVENT_KINDS[kind as EventKind] : null;

/** Event kinds of rule topics. */
export const kindsOfTopics = (topics: readonly RuleTopic[]): EventKind[] =>
  RULE_TOPICS.filter((topic) => topics.includes(topic)).flatMap((topic) =>
    EVENT_KIND_NAMES.filter((kind) => EVENT_KINDS[kind].topic === topic),
  );

/** Kinds of follows of a game server, a game or the site. */
export const FOLLOWABLE: Record<"server" | "game" | "site", readonly FollowKind[]> = {
  server: ["server_up", "seat_free", "players_reached", "plan_soon", "news", "server_down"],
  game: ["server_up", "seat_free", "players_reached", "plan_soon", "news", "server_down"],
  site: ["plan_soon", "news"],
};
