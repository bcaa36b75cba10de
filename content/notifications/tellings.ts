// Texts of each kind of event, as a title and a line: the same in a push, a mail and a Discord post.

/** Data of an event: names as an admin wrote them, facts as recorded. */
export type Told = {
  server_id: number | null;
  server_name: string | null;
  game_name: string | null;
  game_slug: string | null;
  facts: Record<string, unknown>;
};

/** Plain text: a title of at most 60 characters, a line of at most 140, and the page of this site to link. */
export type Telling = { title: string; body: string; path: string };

type Words = { title: string; body: string };
type Written = { en(told: Told): Words; de(told: Told): Words; path(told: Told): string };

const TITLE = 60;
const BODY = 140;

/** A name for a title, cut to keep the rest readable. */
const server = ({ server_name, game_name }: Told): string => clipped(server_name ?? game_name ?? "", 36);

/** Reads a number from the facts, default 0. */
const number = ({ facts }: Told, name: string): number => Number(facts[name] ?? 0) || 0;

/** Reads a text from the facts by language; falls back to English. */
function text({ facts }: Told, name: string, locale: "en" | "de"): string {
  const value = facts[name];
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  const { en, de } = value as { en?: unknown; de?: unknown };
  return String((locale === "de" ? de || en : en) ?? "");
}

const serverPage = ({ server_id, game_slug }: Told): string =>
  server_id !== null ? `/servers/${server_id}` : game_slug !== null ? `/games/${game_slug}` : "/";

/** `12 of 16`; without a known maximum `12`. */
const ofPlaces = (told: Told, word: string): string => {
  const most = number(told, "user_max");
  return most > 0 ? `${number(told, "user_online")} ${word} ${most}` : `${number(told, "user_online")}`;
};

/** Formats a duration for one line. */
function duration(seconds: number, locale: "en" | "de"): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 100)
    return locale === "de" ? plural(minutes, "Minute", "Minuten") : plural(minutes, "minute", "minutes");
  const hours = Math.round(minutes / 60);
  return locale === "de" ? plural(hours, "Stunde", "Stunden") : plural(hours, "hour", "hours");
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Minutes until a plan starts; at least one. */
const minutesUntil = (told: Told, now = Date.now()): number => {
  const at = Date.parse(String(told.facts.starts_at ?? ""));
  return Number.isNaN(at) ? 10 : Math.max(1, Math.round((at - now) / 60_000));
};

/** Subject of a plan: empty for the whole site. */
const ofWhat = (told: Told): string => (server(told) ? `: ${server(told)}` : "");
const isRestart = ({ facts }: Told): boolean => facts.plan === "restart";
const planned = (told: Told, locale: "en" | "de"): string =>
  text(told, "title", locale) ||
  (locale === "de"
    ? `Dauert etwa ${duration(number(told, "minutes") * 60, "de")}.`
    : `It takes about ${duration(number(told, "minutes") * 60, "en")}.`);

const incident = (en: string, de: string): Written => ({
  en: (told) => ({ title: `${en}: ${text(told, "title", "en") || server(told)}`, body: text(told, "text", "en") }),
  de: (told) => ({ title: `${de}: ${text(told, "title", "de") || server(told)}`, body: text(told, "text", "de") }),
  path: () => "/status",
});

/** THE TABLE of texts, by kind of event (domain/notifications/event-kinds.ts). */
export const TELLINGS = {
  server_down: {
    en: (told) => ({ title: `${server(told)} is down`, body: "It does not answer. You can be told when it is back." }),
    de: (told) => ({
      title: `${server(told)} ist down`,
      body: "Er antwortet nicht. Du kannst dir sagen lassen, wenn er wieder da ist.",
    }),
    path: serverPage,
  },
  server_up: {
    en: (told) => ({ title: `${server(told)} is back`, body: "It answers again. See you there!" }),
    de: (told) => ({ title: `${server(told)} ist wieder da`, body: "Er antwortet wieder. Wir sehen uns dort!" }),
    path: serverPage,
  },
  seat_free: {
    en: (told) => ({ title: `A free seat on ${server(told)}`, body: `${ofPlaces(told, "of")} are on. Come in!` }),
    de: (told) => ({
      title: `Ein Platz frei auf ${server(told)}`,
      body: `${ofPlaces(told, "von")} sind drauf. Komm rein!`,
    }),
    path: serverPage,
  },
  server_full: {
    en: (told) => ({ title: `${server(told)} is full`, body: `${ofPlaces(told, "of")} are on.` }),
    de: (told) => ({ title: `${server(told)} ist voll`, body: `${ofPlaces(told, "von")} sind drauf.` }),
    path: serverPage,
  },
  players_reached: {
    en: (told) => ({
      title: `${plural(number(told, "user_online"), "player", "players")} on ${server(told)}`,
      body: `You wanted to know when ${number(told, "threshold")} or more are on.`,
    }),
    de: (told) => ({
      title: `${number(told, "user_online")} Spieler auf ${server(told)}`,
      body: `Du wolltest wissen, wann ${number(told, "threshold")} oder mehr drauf sind.`,
    }),
    path: serverPage,
  },
  plan_soon: {
    en: (told) => ({
      title: `${isRestart(told) ? "Restart" : "Maintenance"} in ${duration(minutesUntil(told) * 60, "en")}${ofWhat(told)}`,
      body: planned(told, "en"),
    }),
    de: (told) => ({
      title: `${isRestart(told) ? "Neustart" : "Wartung"} in ${duration(minutesUntil(told) * 60, "de")}${ofWhat(told)}`,
      body: planned(told, "de"),
    }),
    path: (told) => (server(told) ? serverPage(told) : "/status"),
  },
  news: {
    en: (told) => ({ title: text(told, "title", "en") || "News", body: text(told, "text", "en") }),
    de: (told) => ({ title: text(told, "title", "de") || "Neuigkeiten", body: text(told, "text", "de") }),
    path: ({ facts }) => (typeof facts.slug === "string" ? `/news/${facts.slug}` : "/news"),
  },
  incident_opened: incident("Trouble", "Störung"),
  incident_updated: incident("Update", "Neues zur Störung"),
  incident_closed: incident("Solved", "Behoben"),
  site_trouble: {
    en: (told) => ({ title: text(told, "title", "en") || "The site needs you", body: text(told, "text", "en") }),
    de: (told) => ({ title: text(told, "title", "de") || "Die Seite braucht dich", body: text(told, "text", "de") }),
    path: ({ facts }) => (typeof facts.path === "string" ? facts.path : "/admin/dashboard"),
  },
  site_trouble_over: {
    en: (told) => ({ title: `Solved: ${text(told, "title", "en")}`, body: text(told, "text", "en") }),
    de: (told) => ({ title: `Behoben: ${text(told, "title", "de")}`, body: text(told, "text", "de") }),
    path: ({ facts }) => (typeof facts.path === "string" ? facts.path : "/admin/dashboard"),
  },
} as const satisfies Record<string, Written>;

/** Returns an event's texts in a language, cut to what a phone shows. Addresses have the language. */
export function tellingOf(kind: keyof typeof TELLINGS, told: Told, locale: "en" | "de"): Telling {
  const written: Written = TELLINGS[kind];
  const { title, body } = written[locale](told);
  const path = written.path(told);
  return {
    title: clipped(title.replace(/: $/, ""), TITLE),
    body: clipped(body, BODY),
    path: locale === "de" ? (path === "/" ? "/de" : `/de${path}`) : path,
  };
}

/** Cuts to one line: whole characters, with an ellipsis if something is missing. */
function clipped(words: string, most: number): string {
  const characters = [...words.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim()];
  return characters.length <= most
    ? characters.join("")
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}
