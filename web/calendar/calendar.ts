// Formats plans as an iCalendar (RFC 5545): one event per plan, which repeats by the wall clock of its own time zone.
import ical, {
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventRepeatingFreq,
  ICalEventTransparency,
} from "ical-generator";
import { isOddTime } from "#domain/plans/occurrences.ts";
import type { ShownPlan } from "#domain/plans/shown-status.ts";
import { addressIn, type Locale } from "#shared/locale.ts";
import type { Scope } from "../feeds/scope.ts";
import { message } from "../messages.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import { vtimezone } from "./vtimezone.ts";

const FREQ = { daily: ICalEventRepeatingFreq.DAILY, weekly: ICalEventRepeatingFreq.WEEKLY };
const STEP = { daily: 1, weekly: 7 };
/** The range that is searched for nights on which clocks change. */
const LOOKED_BACK_DAYS = 90;
const LOOKED_AHEAD_DAYS = 800;

/** Lists the plans of a calendar: a game's include its servers', and a server's those of its game; all include the site's. */
function plansOf(site: SiteSnapshot, scope: Scope): ShownPlan[] {
  const gameOf = new Map(site.gameServers.map(({ server_id, game_slug }) => [server_id, game_slug]));
  return site.plans.filter(({ server_id, game_slug }) => {
    if (scope.of === "site" || (server_id === null && game_slug === null)) return true;
    if (scope.of === "game") return game_slug === scope.slug || gameOf.get(server_id ?? 0) === scope.slug;
    return server_id === scope.server_id || game_slug === scope.game_slug;
  });
}

/** Gets the name of a plan's game or server; empty for the site. */
function aboutOf(site: SiteSnapshot, { server_id, game_slug }: ShownPlan): string {
  if (server_id !== null) return site.gameServers.find((server) => server.server_id === server_id)?.server_name ?? "";
  return site.games.find((game) => game.game_slug === game_slug)?.game_name ?? "";
}

/**
 * Formats the calendar. Its events keep their names (UID) for ever, so that subscribed calendars move them instead of duplicating
 * them; an ended plan names its end.
 * @param siteUrl the site's own address, which the names contain, whatever address was requested
 */
export function calendarOf(site: SiteSnapshot, scope: Scope, locale: Locale, siteUrl: string, now: number): string {
  const plans = plansOf(site, scope).filter(({ ended, occurrences }) => !ended || occurrences.length > 0);
  const first = Math.min(
    now,
    ...plans.map((plan) => onClock(Temporal.PlainDateTime.from(plan.first_local), plan).epochMilliseconds),
  );
  const { site_name } = site.settings;
  const calendar = ical({
    name: escaped(
      message(locale, "calendar_name", { name: scope.of === "site" ? site_name : `${scope.name} – ${site_name}` }),
    ),
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: "Spawnpoint", product: "Plans", language: locale.toUpperCase() },
    timezone: { name: null, generator: (zone) => vtimezone(zone, first, now) },
  });
  for (const plan of plans) addPlan(calendar, site, plan, { locale, host: new URL(siteUrl).host, now });
  const text = calendar.toString();
  // A calendar holds one component at least (RFC 5545, section 3.6), and some programs accept no other.
  return plans.length > 0 ? text : text.replace(/(?=END:VCALENDAR)/, `${vtimezone("UTC", 0, now)}\r\n`);
}

function addPlan(
  calendar: ICalCalendar,
  site: SiteSnapshot,
  plan: ShownPlan,
  { locale, host, now }: { locale: Locale; host: string; now: number },
): void {
  const about = aboutOf(site, plan) || site.settings.site_name;
  const title = plan.title ? plan.title[locale] || plan.title.en : null;
  const what = message(locale, plan.kind === "restart" ? "calendar_restart" : "calendar_maintenance", { name: about });
  const id = `plan-${plan.plan_id}`;
  const common = {
    summary: title ? `${title} – ${about}` : what,
    description: title ? what : null,
    url: new URL(addressIn(locale, "/status"), site.site_url).href,
    stamp: new Date(plan.updated_at),
    lastModified: new Date(plan.updated_at),
    transparency: ICalEventTransparency.TRANSPARENT,
  };
  /** In UTC, which every program understands alike. */
  const single = (name: string, wall: Temporal.PlainDateTime) => {
    const start = onClock(wall, plan).toInstant();
    calendar.createEvent({ ...common, id: `${name}@${host}`, start, end: start.add({ minutes: plan.minutes }) });
  };
  const { repeats } = plan;
  const first = Temporal.PlainDateTime.from(plan.first_local);
  if (repeats === "none") {
    single(id, first);
    return;
  }
  // A rule begins with a time that exists, and only once.
  const isOdd = (wall: Temporal.PlainDateTime) => isOddTime(wall, plan.time_zone);
  const begin = isOdd(first) ? first.add({ days: STEP[repeats] }) : first;
  const start = onClock(begin, plan);
  const odd = plan.ended ? [] : laterStarts(first, STEP[repeats], plan.time_zone, now).filter(isOdd);
  const last = plan.ended ? plan.occurrences.at(-1) : undefined;
  calendar.createEvent({
    ...common,
    id: `${id}@${host}`,
    timezone: plan.time_zone,
    start,
    end: start.add({ minutes: plan.minutes }),
    repeating: {
      freq: FREQ[repeats],
      ...(last ? { until: new Date(last.starts_at) } : {}),
      // The library prints text that ends in Z unchanged, but would move a Temporal time that does not exist.
      ...(odd.length > 0 ? { exclude: odd.map((wall) => `${wall.toString({ smallestUnit: "second" })}Z`) } : {}),
    },
  });
  for (const wall of isOdd(first) ? [first, ...odd] : odd) single(`${id}-${wall.toPlainDate().toString()}`, wall);
}

/** Escapes what the library leaves unescaped in names. */
const escaped = (text: string): string => text.replace(/[\\;,]/g, "\\$&").replace(/\s+/g, " ");

const onClock = (wall: Temporal.PlainDateTime, { time_zone }: ShownPlan): Temporal.ZonedDateTime =>
  wall.toZonedDateTime(time_zone, { disambiguation: "compatible" });

/**
 * Lists the starts after the first, from the range around today. Programs interpret rules differently for nights that lack such a
 * time, or have it twice (RFC 5545 omits the first in 3.3.10, and uses the earlier of the second in 3.3.5): the rule excludes both,
 * and each is an event of its own.
 */
function laterStarts(first: Temporal.PlainDateTime, step: number, timeZone: string, now: number) {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const since = first.toPlainDate().until(today, { largestUnit: "days" }).days;
  const from = Math.max(1, Math.floor(since / step) - Math.ceil(LOOKED_BACK_DAYS / step));
  return Array.from({ length: Math.ceil((LOOKED_BACK_DAYS + LOOKED_AHEAD_DAYS) / step) }, (_, turn) =>
    first.add({ days: (from + turn) * step }),
  );
}
