// The live dashboard: a paged table of the game servers, and three totals.
import { appContext, siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { formatNumber } from "../../language.ts";
import { livePage } from "../../live/live-page.ts";
import { useLiveState, useTotals } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { sitePicture } from "../../share-picture.ts";
import { shareTags } from "../../share-tags.ts";
import { Announcer } from "../../ui/announcer/announcer.tsx";
import { EmptyState } from "../../ui/empty-state/empty-state.tsx";
import { Link } from "../../ui/link/link.tsx";
import { LiveSign } from "../../ui/live-sign/live-sign.tsx";
import { PlayerCount } from "../../ui/player-count/player-count.tsx";
import type { Route } from "./+types/dashboard";
import styles from "./dashboard.module.css";
import { ServerFinder } from "./servers/finder.tsx";
import { listServers } from "./servers/server-list.ts";

export const handle: RouteFacts = { filtered: { paged: true } };

export function loader({ context, request }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const list = listServers(site, context.get(appContext).dayCurves.read(), request);
  return {
    site_name: site.settings.site_name,
    list,
    live: livePage(site, { site: true, servers: list.servers.map(({ server_id }) => server_id) }),
    any_game: site.games.length > 0,
    share_picture: sitePicture(site),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { site_name, list, live, share_picture } = loaderData;
  const totals = live.totals.site;
  return shareTags({
    title: m.dashboard_title({ site: site_name }),
    description:
      list.total === 0 || !totals
        ? m.dashboard_description_first({ site: site_name })
        : m.dashboard_description({
            online: formatNumber(totals.servers_online),
            count: totals.servers_total,
            players: totals.players_known ? formatNumber(totals.players_online) : m.not_reported_spoken(),
          }),
    picture: share_picture,
  });
}

export default function Dashboard({ loaderData: { list, any_game } }: Route.ComponentProps) {
  const { state, delayed_since } = useLiveState();
  return (
    <div className={`page ${styles.dashboard}`}>
      <div className={styles.heading}>
        <h1>{m.nav_dashboard()}</h1>
        {list.total > 0 && <LiveSign state={state} delayedSince={delayed_since} />}
      </div>
      {list.total === 0 ? (
        <div className={styles.empty}>
          <EmptyState title={m.no_server_available()}>
            <p>{m.dashboard_empty()}</p>
            {any_game && <Link to="/#games">{m.dashboard_games()}</Link>}
          </EmptyState>
        </div>
      ) : (
        <>
          <Summary />
          <section className={styles.servers} aria-labelledby="servers-title">
            <h2 id="servers-title">{m.dashboard_table()}</h2>
            <ServerFinder path="/dashboard" list={list} rest="pages" labelledBy="servers-title" />
          </section>
        </>
      )}
    </div>
  );
}

function Summary() {
  const { players_online, players_known, servers_online, servers_total, fullest } = useTotals();
  const online = { online: formatNumber(servers_online), total: formatNumber(servers_total) };
  return (
    <section className={styles.summary} aria-label={m.dashboard_now()}>
      <p className={styles.players}>
        <span className={styles.label}>{m.players_now()}</span>
        <PlayerCount online={players_known ? players_online : null} max={null} size="l" />
      </p>
      <p className={styles.fact}>
        <span className={styles.label}>{m.servers_online()}</span>
        <span className={styles.figure}>{m.servers_of(online)}</span>
      </p>
      <p className={styles.fact}>
        <span className={styles.label}>{m.fullest_server()}</span>
        {fullest ? (
          <>
            <Link to={`/servers/${fullest.server_id}`} prefetch="intent">
              {fullest.server_name}
            </Link>
            <PlayerCount key={fullest.server_id} online={fullest.user_online} max={fullest.user_max} />
          </>
        ) : (
          <span className={styles.quiet}>{players_known ? m.nobody_on() : m.not_reported_spoken()}</span>
        )}
      </p>
      <Announcer
        text={
          players_known
            ? m.players_now_spoken({ players: formatNumber(players_online), ...online })
            : m.servers_online_spoken(online)
        }
      />
    </section>
  );
}
