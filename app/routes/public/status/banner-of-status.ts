// Turns incidents and plans into banner lines, on the pages that they concern.
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { localText } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import type { SiteBannerItem } from "../../../ui/site-banner/banner-item.ts";
import type { BannerPage } from "../banner-items.ts";

type About = { game_slug: string | null; servers: readonly number[] | null };

/** A game's items also concern its servers, a server's also its game's page, and all others every page. */
function concerns({ game_slug, servers }: About, page: BannerPage, gameOf: ReadonlyMap<number, string>): boolean {
  if (game_slug === null && servers === null) return true;
  if (page.of === "site") return false;
  const slug = page.of === "game" ? page.slug : page.game_slug;
  if (servers === null) return game_slug === slug;
  return servers.some((id) => (page.of === "server" ? id === page.server_id : gameOf.get(id) === slug));
}

const gamesOf = (site: SiteSnapshot) =>
  new Map(site.gameServers.map(({ server_id, game_slug }) => [server_id, game_slug]));

/** Returns the open incidents. */
export function incidentItems(site: SiteSnapshot, page: BannerPage): SiteBannerItem[] {
  const open = site.incidents.filter(({ closed_at }) => closed_at === null);
  if (open.length === 0) return [];
  const gameOf = gamesOf(site);
  return open
    .filter(({ game_slug, servers }) =>
      concerns({ game_slug, servers: servers?.map(({ server_id }) => server_id) ?? null }, page, gameOf),
    )
    .map(({ incident_id, title, updates }) => ({
      // Updates are shown even to readers who have dismissed the incident.
      key: `incident-${incident_id}-${updates[0]?.update_id ?? 0}`,
      kind: "incident" as const,
      text: localText(title),
      to: `/status#incident-${incident_id}`,
    }));
}

/** Returns plans that run or start within a day; repeated restarts have a countdown instead. */
export function planItems(site: SiteSnapshot, page: BannerPage): SiteBannerItem[] {
  const coming = site.plans.flatMap((plan) => {
    const at =
      plan.kind === "maintenance" || plan.repeats === "none" ? plan.occurrences.find(({ over }) => !over) : null;
    return at ? [{ plan, at }] : [];
  });
  if (coming.length === 0) return [];
  const gameOf = gamesOf(site);
  return coming
    .filter(({ plan }) =>
      concerns({ game_slug: plan.game_slug, servers: plan.server_id === null ? null : [plan.server_id] }, page, gameOf),
    )
    .map(({ plan, at }) => ({
      key: `plan-${plan.plan_id}-${Date.parse(at.starts_at) / 60_000}`,
      kind: "plan" as const,
      text: plan.title
        ? localText(plan.title)
        : plan.kind === "restart"
          ? m.banner_plan_restart()
          : m.banner_plan_maintenance(),
      to: `/status#plan-${plan.plan_id}`,
    }));
}
