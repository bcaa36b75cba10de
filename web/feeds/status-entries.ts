// Turns incidents and plans into entries of feeds, in plain words.
import type { LocalText } from "#db/schema/index.ts";
import type { ShownIncident, ShownPlan } from "#domain/plans/shown-status.ts";
import type { Locale } from "#shared/locale.ts";
import { zonedMomentText } from "#shared/text/date-text.ts";
import { escapeHtml } from "#shared/text/escape-html.ts";
import { message } from "../messages.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import type { FeedItem } from "./feed-items.ts";
import type { Scope } from "./scope.ts";

/** Checks whether an entry belongs into a feed; entries about the whole site belong into all. */
function isIn(site: SiteSnapshot, scope: Scope, gameSlug: string | null, servers: readonly number[] | null): boolean {
  if (scope.of === "site" || (gameSlug === null && servers === null)) return true;
  const slug = scope.of === "game" ? scope.slug : scope.game_slug;
  if (servers === null) return gameSlug === slug;
  if (scope.of === "server") return servers.includes(scope.server_id);
  return site.gameServers.some(({ server_id, game_slug }) => game_slug === slug && servers.includes(server_id));
}

/** `lang`: if it differs from the entry's. */
const paragraph = (text: string, lang?: Locale): string =>
  `<p${lang ? ` lang="${lang}"` : ""}>${escapeHtml(text).replaceAll("\n", "<br>")}</p>`;

/** Lists incidents of the last 90 days with their updates, the newest first. */
export function incidentEntries(site: SiteSnapshot, scope: Scope, locale: Locale): FeedItem[] {
  const inWords = (text: LocalText): { text: string; lang: Locale } => {
    const own = text[locale];
    return own ? { text: own, lang: locale } : { text: text.en, lang: "en" };
  };
  const entry = ({ incident_id, title, opened_at, closed_at, updated_at, updates }: ShownIncident): FeedItem => {
    const called = inWords(title);
    const texts = updates.map(({ text }) => inWords(text));
    if (closed_at) texts.unshift({ text: message(locale, "statuspage_ended"), lang: locale });
    return {
      path: "/status",
      hash: `incident-${incident_id}`,
      title: called.text,
      summary: (texts[0] ?? called).text,
      html: texts.map(({ text, lang }) => paragraph(text, lang === called.lang ? undefined : lang)).join(""),
      lang: called.lang,
      published_at: opened_at,
      updated_at,
    };
  };
  return site.incidents
    .filter(({ game_slug, servers }) =>
      isIn(site, scope, game_slug, servers?.map(({ server_id }) => server_id) ?? null),
    )
    .map(entry);
}

/** Lists announced plans that do not repeat: feeds are read for news. */
export function planEntries(site: SiteSnapshot, scope: Scope, locale: Locale): FeedItem[] {
  return site.plans
    .filter(
      ({ repeats, ended, game_slug, server_id }) =>
        repeats === "none" && !ended && isIn(site, scope, game_slug, server_id === null ? null : [server_id]),
    )
    .map((plan): FeedItem => {
      const what = message(locale, plan.kind === "restart" ? "calendar_restart" : "calendar_maintenance", {
        name: nameOf(site, plan),
      });
      const starts = Temporal.PlainDateTime.from(plan.first_local).toZonedDateTime(plan.time_zone);
      const text = zonedMomentText(starts.epochMilliseconds, locale, plan.time_zone);
      return {
        path: "/status",
        hash: `plan-${plan.plan_id}`,
        title: plan.title ? plan.title[locale] || plan.title.en : what,
        summary: `${what}, ${text}`,
        html: paragraph(`${what}\n${text}`),
        // The language of the description; the title may be a fallback in English.
        lang: locale,
        published_at: plan.updated_at,
        updated_at: plan.updated_at,
      };
    });
}

function nameOf(site: SiteSnapshot, { server_id, game_slug }: ShownPlan): string {
  if (server_id !== null) return site.gameServers.find((one) => one.server_id === server_id)?.server_name ?? "";
  return site.games.find((one) => one.game_slug === game_slug)?.game_name ?? site.settings.site_name;
}
