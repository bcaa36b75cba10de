// THE TABLE of what people and programs are told: how long each kind is worth telling, who may follow it, and whether it is
// still so when its turn comes.
import type { FollowKind } from "#shared/push.ts";
import type { ShownStatus } from "#shared/statuses.ts";
import { fitsThreshold, isClearlyBelow } from "./watches.ts";

/** What is known of a game server in the moment that somebody is about to be told of it. */
export type ServerNow = {
  /** As people are shown it: the lifecycle first, then the age of the measurement. */
  shown: ShownStatus;
  status_since: Date | null;
  /** The last question that was judged. */
  last_asked_at: Date | null;
  user_online: number | null;
  /** As measured, or as the admin says. */
  user_max: number | null;
  /** It is in maintenance, and was down when that began. */
  was_down: boolean;
};

export type EventFacts = Record<string, unknown>;
type Happened = { happened_at: Date; facts: EventFacts };

/** `wait`: nobody can tell now. */
export type StillTrue = "yes" | "no" | "wait";

/** What an operator's rule can be about, as admins choose it. */
export const RULE_TOPICS = ["outages", "full", "plans", "news", "incidents", "troubles"] as const;
export type RuleTopic = (typeof RULE_TOPICS)[number];

/** The follow that asks for it, and the topic of the rules that do. One for which neither does would be told to nobody. */
type AskedFor = { followedAs: FollowKind; topic: RuleTopic | null } | { followedAs: null; topic: RuleTopic };

export type EventKindFacts = AskedFor & {
  /** After so many seconds nobody is told any more. */
  lifetimeS: number;
  /** At most once an hour for one target, game server and kind. */
  onceAnHour: boolean;
  /** Nobody is told before a second answer after the event agrees. */
  twoAnswers: boolean;
  /** Whether it can wait for a member's daily mail; what is of the moment comes at once all the same. */
  inDigest: boolean;
  /** `now` is null where the event is about no game server. What is about none stays true until it ends. */
  stillTrue(event: Happened, now: ServerNow | null): StillTrue;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What was written by hand, or has happened, stays so. */
const always = (): StillTrue => "yes";

/** Of a game server that is meant to run and was looked at of late. */
const whileWatched =
  (holds: (now: ServerNow, event: Happened) => boolean | "wait") =>
  (event: Happened, now: ServerNow | null): StillTrue => {
    if (now === null || now.shown === "maintenance" || now.shown === "inactive") return "no";
    if (now.shown === "unknown" || now.shown === "degraded") return "wait";
    const held = holds(now, event);
    return held === "wait" ? held : held ? "yes" : "no";
  };

/** The outage of the event is the one of now: it was not up in between. */
const isSameOutage = (now: ServerNow, event: Happened): boolean =>
  now.shown === "offline" && (now.status_since?.getTime() ?? 0) <= event.happened_at.getTime();

/** A few fewer than were wanted: the watch does not fire anew for the same few, so that nobody says yet that it is over. */
const reaches = (now: ServerNow, threshold: number): boolean | "wait" =>
  fitsThreshold("players_reached", threshold, now) ||
  (now.user_online !== null && !isClearlyBelow(now.user_online, threshold) ? "wait" : false);

/**
 * What was up when its maintenance began is no news afterwards; what was down is waited for by somebody, and is told once the
 * maintenance is over.
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

/** The facts of a kind; null for one that another version knows. */
export const factsOfKind = (kind: string): EventKindFacts | null =>
  Object.hasOwn(EVENT_KINDS, kind) ? EVENT_KINDS[kind as EventKind] : null;

/** The kinds of events that a rule about some topics stands for. */
export const kindsOfTopics = (topics: readonly RuleTopic[]): EventKind[] =>
  RULE_TOPICS.filter((topic) => topics.includes(topic)).flatMap((topic) =>
    EVENT_KIND_NAMES.filter((kind) => EVENT_KINDS[kind].topic === topic),
  );

/** What of a game server, a game or the site can be followed. */
export const FOLLOWABLE: Record<"server" | "game" | "site", readonly FollowKind[]> = {
  server: ["server_up", "seat_free", "players_reached", "plan_soon", "news", "server_down"],
  game: ["server_up", "seat_free", "players_reached", "plan_soon", "news", "server_down"],
  site: ["plan_soon", "news"],
};
