// Status page: current problems, plans, and the last 90 days. From memory, so also during database outages.

import { nextOccurrences } from "#domain/plans/occurrences.ts";
import type { LiveRow } from "#shared/live-row.ts";
import type { PlanKind } from "#shared/plans.ts";
import { weekdayText } from "#shared/text/date-text.ts";
import { siteContext } from "#web/context.ts";
import { onceFor } from "#web/pages/catalog-index.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { formatNumber, here, language, localText } from "../../../language.ts";
import { livePage } from "../../../live/live-page.ts";
import { useLiveRows, useLiveState, useNow, useTotals } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { sitePicture } from "../../../share-picture.ts";
import { shareTags } from "../../../share-tags.ts";
import { Countdown, planKindText } from "../../../ui/countdown/countdown.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { LiveSign } from "../../../ui/live-sign/live-sign.tsx";
import { useReaderZone } from "../../../ui/reader-zone.ts";
import { durationText } from "../../../ui/relative-time/relative.ts";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { StatusSign } from "../../../ui/status-sign/status-sign.tsx";
import type { Route } from "./+types/status";
import { type ShownIncidentText, showIncidents } from "./shown-incidents.ts";
import css from "./status.module.css";

/** Most servers to name that aren't online; longer lists aren't read. */
const MOST_NAMED = 30;
/** Most servers whose every change the page follows. */
const MOST_FOLLOWED = 50;

const serverNames = onceFor(
  (gameServers) => new Map(gameServers.map(({ server_id, server_name }) => [server_id, server_name])),
);

export const handle: RouteFacts = { footer: m.statuspage_title };

export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const names = serverNames(site);
  const games = new Map(site.games.map(({ game_slug, game_name }) => [game_slug, game_name]));
  const now = Date.now();
  const plans = site.plans.map((plan) => ({
    plan_id: plan.plan_id,
    kind: plan.kind,
    repeats: plan.repeats,
    title: plan.title && localText(plan.title),
    about: aboutOf(plan, names, games),
    next: plan.ended ? null : nextOf(plan, now),
    past: plan.occurrences.filter(({ over }) => over).map(({ starts_at }) => starts_at),
  }));
  return {
    site_name: site.settings.site_name,
    ...standing(site),
    incidents: showIncidents(site.incidents, names, games),
    planned: plans
      .flatMap(({ next, past: _, ...plan }) => (next ? [{ ...plan, ...next }] : []))
      .sort((one, other) => one.starts_at.localeCompare(other.starts_at)),
    past: plans.flatMap(({ past, kind, title, about, plan_id }) => {
      const last = past.at(-1);
      return last ? [{ plan_id, kind, title, about, count: past.length, last }] : [];
    }),
    share_picture: sitePicture(site),
  };
}

/**
 * Returns the servers whose rows the page follows: all if few, else those that aren't online now; and counts the others by state.
 */
function standing(site: SiteSnapshot) {
  const isQuiet = (status: LiveRow["status"] | undefined) =>
    status === undefined || status === "online" || status === "inactive";
  const some =
    site.gameServers.length <= MOST_FOLLOWED
      ? site.gameServers
      : site.gameServers.filter(({ server_id }) => !isQuiet(site.rowOf(server_id)?.status)).slice(0, MOST_FOLLOWED);
  const followed = new Set(some.map(({ server_id }) => server_id));
  const rest = { offline: 0, maintenance: 0, unknown: 0, degraded: 0 };
  for (const { server_id, status } of site.live)
    if (!followed.has(server_id) && status in rest) rest[status as keyof typeof rest] += 1;
  return {
    servers: some.map(({ server_id, server_name }) => ({ server_id, name: server_name })),
    rest,
    live: livePage(site, { site: true, servers: [...followed] }),
  };
}

type About = { path: string; name: string } | null;

function aboutOf(
  { server_id, game_slug }: { server_id: number | null; game_slug: string | null },
  names: ReadonlyMap<number, string>,
  games: ReadonlyMap<string, string>,
): About {
  if (server_id !== null) return { path: `/servers/${server_id}`, name: names.get(server_id) ?? "" };
  return game_slug === null ? null : { path: `/games/${game_slug}`, name: games.get(game_slug) ?? "" };
}

/** Returns the running or announced occurrence; else the next by its rule. */
function nextOf(
  plan: Parameters<typeof nextOccurrences>[0] & {
    occurrences: { starts_at: string; ends_at: string; over: boolean }[];
  },
  now: number,
) {
  const open = plan.occurrences.find(({ over }) => !over);
  if (open) return { starts_at: open.starts_at, ends_at: open.ends_at };
  const last = Date.parse(plan.occurrences.at(-1)?.starts_at ?? "") || 0;
  const next = nextOccurrences(plan, now, 2).find(({ starts }) => starts > last);
  return next ? { starts_at: new Date(next.starts).toISOString(), ends_at: new Date(next.ends).toISOString() } : null;
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { site_name, share_picture } = loaderData;
  return shareTags({
    title: `${m.statuspage_title()} – ${site_name}`,
    description: m.statuspage_description({ site: site_name }),
    picture: share_picture,
  });
}

const REPEATS = { none: m.plan_repeats_none, daily: m.plan_repeats_daily, weekly: m.plan_repeats_weekly };

export default function StatusPage({ loaderData }: Route.ComponentProps) {
  const { servers, rest, incidents, planned, past } = loaderData;
  const open = incidents.filter(({ closed_at }) => closed_at === null);
  const closed = incidents.filter(({ closed_at }) => closed_at !== null);
  return (
    <div className={`page ${css.status}`}>
      <Now servers={servers} rest={rest} incident={open.length > 0} />
      {open.length > 0 && (
        <ul className={css.list}>
          {open.map((incident) => (
            <li key={incident.incident_id}>
              <Incident incident={incident} Heading="h2" />
            </li>
          ))}
        </ul>
      )}

      <section className={css.section} aria-labelledby="planned">
        <div className={css.head}>
          <h2 id="planned">{m.statuspage_planned()}</h2>
          <a href={here("/calendar.ics")} className={css.calendar}>
            {m.statuspage_calendar()}
          </a>
        </div>
        {planned.length === 0 ? (
          <NothingPlanned servers={servers} />
        ) : (
          <>
            <ul className={css.list}>
              {planned.map((plan) => (
                <li key={plan.plan_id} className={css.plan} id={`plan-${plan.plan_id}`}>
                  <h3>
                    <PlanName {...plan} />
                  </h3>
                  <Countdown kind={plan.kind} startsAt={plan.starts_at} endsAt={plan.ends_at} />
                  {plan.repeats !== "none" && <span className={css.quiet}>{REPEATS[plan.repeats]()}</span>}
                </li>
              ))}
            </ul>
            <Zone />
          </>
        )}
      </section>

      {/* Open incidents are shown above. */}
      {(closed.length > 0 || open.length === 0) && (
        <section className={css.section} aria-labelledby="incidents">
          <h2 id="incidents">{m.statuspage_incidents()}</h2>
          {closed.length === 0 ? (
            <p className={css.quiet}>{m.statuspage_no_incidents()}</p>
          ) : (
            <ul className={css.list}>
              {closed.map((incident) => (
                <li key={incident.incident_id}>
                  <Incident incident={incident} Heading="h3" />
                </li>
              ))}
            </ul>
          )}
        </section>
      )}

      {past.length > 0 && (
        <section className={css.section} aria-labelledby="past">
          <h2 id="past">{m.statuspage_past()}</h2>
          <ul className={css.past}>
            {past.map((plan) => (
              <li key={plan.plan_id}>
                <PlanName {...plan} />
                <span className={css.quiet}>
                  {m.statuspage_past_times({ count: plan.count })} · <LastDay at={plan.last} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

type NowProps = Pick<Route.ComponentProps["loaderData"], "servers" | "rest"> & { incident: boolean };

/** Overall status in a sentence, and the names of servers that aren't online. */
function Now({ servers, rest, incident }: NowProps) {
  const rows = useLiveRows();
  const now = useNow();
  const { state, delayed_since } = useLiveState();
  const { servers_online: up, servers_total: total } = useTotals();
  const names = new Map(servers.map(({ server_id, name }) => [server_id, name]));
  const others = rows.filter(
    ({ server_id, status }) => names.has(server_id) && status !== "inactive" && status !== "online",
  );
  const of = (status: keyof NowProps["rest"]) => rest[status] + others.filter((row) => row.status === status).length;
  const [down, work, unsure, checking] = [of("offline"), of("maintenance"), of("unknown"), of("degraded")];
  const text =
    total === 0
      ? m.statuspage_no_servers()
      : incident
        ? m.statuspage_incident()
        : down > 0
          ? m.statuspage_some_down({ count: down })
          : work > 0
            ? m.statuspage_work()
            : unsure > 0
              ? m.statuspage_unsure({ count: unsure })
              : checking > 0
                ? m.statuspage_checking({ count: checking })
                : delayed_since !== null
                  ? m.statuspage_delayed()
                  : m.statuspage_all_up();
  const counts = [
    // A server being checked counts as online until its failure is confirmed.
    m.servers_of_servers({ online: formatNumber(up - checking), count: total }),
    checking > 0 && m.statuspage_count_checking({ count: formatNumber(checking) }),
    unsure > 0 && m.statuspage_count_unknown({ count: formatNumber(unsure) }),
  ].filter((part) => part !== false);
  return (
    <header className={css.now}>
      <div className={css.head}>
        <h1>{m.statuspage_title()}</h1>
        {total > 0 && <LiveSign state={state} delayedSince={delayed_since} />}
      </div>
      <p className={css.answer}>{text}</p>
      {total > 0 && (
        <p className={css.quiet}>
          {delayed_since !== null && text !== m.statuspage_delayed() && `${m.statuspage_delayed()} `}
          {counts.join(" · ")}
        </p>
      )}
      {others.length > 0 && (
        <ul className={css.others}>
          {others.slice(0, MOST_NAMED).map(({ server_id, status, status_since }) => (
            <li key={server_id}>
              <StatusSign status={status} size="s" />
              <Link to={`/servers/${server_id}`}>{names.get(server_id)}</Link>
              {status === "offline" && status_since && (
                <span className={css.quiet}>
                  <RelativeTime at={status_since} now={now} form="lasting" />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </header>
  );
}

/** An admin's manual maintenance is shown above, and is no plan. */
function NothingPlanned({ servers }: { servers: { server_id: number }[] }) {
  const rows = useLiveRows();
  const ids = new Set(servers.map(({ server_id }) => server_id));
  const isWorkedOn = rows.some(({ server_id, status }) => status === "maintenance" && ids.has(server_id));
  return <p className={css.quiet}>{isWorkedOn ? m.statuspage_nothing_else() : m.statuspage_nothing_planned()}</p>;
}

function PlanName({ kind, title, about }: { kind: PlanKind; title: string | null; about: About }) {
  return (
    <span className={css.name}>
      {title ?? planKindText(kind)}
      {" · "}
      {about ? <Link to={about.path}>{about.name}</Link> : m.plan_of_site()}
    </span>
  );
}

/** `Heading`: by its place on the page; open incidents come before all sections. */
function Incident({ incident, Heading }: { incident: ShownIncidentText; Heading: "h2" | "h3" }) {
  const now = useNow();
  const { incident_id, title, opened_at, closed_at, about, updates } = incident;
  return (
    <article className={css.incident} id={`incident-${incident_id}`} data-state={closed_at ? "closed" : "open"}>
      <Heading>{title}</Heading>
      <p className={css.quiet}>
        <strong>
          {closed_at
            ? m.statuspage_closed({ duration: durationText(Date.parse(opened_at), Date.parse(closed_at), language()) })
            : m.statuspage_open()}
        </strong>
        {" · "}
        <RelativeTime at={opened_at} now={now} />
        {about.map(({ path, name }) => (
          <span key={path}>
            {" · "}
            <Link to={path}>{name}</Link>
          </span>
        ))}
      </p>
      {updates.length > 0 && (
        <ol className={css.updates}>
          {updates.map(({ update_id, text, at }) => (
            <li key={update_id}>
              <RelativeTime at={at} now={now} />
              <p>{text}</p>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

function LastDay({ at }: { at: string }) {
  const { timeZone } = useReaderZone();
  return (
    <time dateTime={at}>{m.statuspage_past_last({ time: weekdayText(Date.parse(at), language(), timeZone) })}</time>
  );
}

function Zone() {
  const { timeZone } = useReaderZone();
  return <p className={css.quiet}>{m.statuspage_zone({ zone: timeZone.replaceAll("_", " ") })}</p>;
}
