// The live dashboard: every game server in one table, and the three figures that sum it up.

import { filterChoices, PAGE_ROWS } from "#shared/server-filter.ts";
import { summarize } from "#shared/summary.ts";
import { appContext, siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { formatNumber } from "../../language.ts";
import { livePage } from "../../live/live-page.ts";
import { useLiveRows, useLiveState } from "../../live/use-live.ts";
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
import { locationTexts } from "./location-text.ts";
import { type FindableServer, findableServers } from "./servers/findable-servers.ts";
import { ServerFinder } from "./servers/finder.tsx";

export const handle: RouteFacts = { filtered: { paged: true } };

export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const { playersNow, playersKnown, serversOnline, serversTotal } = summarize(site.live);
  const servers = findableServers(site, context.get(appContext).dayCurves.read());
  return {
    site_name: site.settings.site_name,
    servers,
    live: livePage(site, { site: true, servers: servers.map(({ server_id }) => server_id) }),
    any_game: site.games.length > 0,
    choices: filterChoices(servers),
    places: locationTexts(servers),
    rows: PAGE_ROWS,
    facts: { playersNow: playersKnown ? playersNow : null, serversOnline, serversTotal },
    share_picture: sitePicture(site),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { site_name, servers, facts, share_picture } = loaderData;
  return shareTags({
    title: m.dashboard_title({ site: site_name }),
    description:
      servers.length === 0
        ? m.dashboard_description_first({ site: site_name })
        : m.dashboard_description({
            online: formatNumber(facts.serversOnline),
            count: facts.serversTotal,
            players: facts.playersNow === null ? m.not_reported_spoken() : formatNumber(facts.playersNow),
          }),
    picture: share_picture,
  });
}

export default function Dashboard({ loaderData: { servers, any_game, choices, places, rows } }: Route.ComponentProps) {
  const { state, delayed_since } = useLiveState();
  return (
    <div className={`page ${styles.dashboard}`}>
      <div className={styles.heading}>
        <h1>{m.nav_dashboard()}</h1>
        {servers.length > 0 && <LiveSign state={state} delayed={delayed_since !== null} />}
      </div>
      {servers.length === 0 ? (
        <div className={styles.empty}>
          <EmptyState title={m.no_server_available()}>
            <p>{m.dashboard_empty()}</p>
            {any_game && <Link to="/#games">{m.dashboard_games()}</Link>}
          </EmptyState>
        </div>
      ) : (
        <>
          <Summary servers={servers} />
          <section className={styles.servers} aria-labelledby="servers-title">
            <h2 id="servers-title">{m.dashboard_table()}</h2>
            <ServerFinder
              path="/dashboard"
              servers={servers}
              choices={choices}
              places={places}
              rows={rows}
              rest="pages"
              labelledBy="servers-title"
            />
          </section>
        </>
      )}
    </div>
  );
}

function Summary({ servers }: { servers: FindableServer[] }) {
  const { playersNow, playersKnown, serversOnline, serversTotal, fullest } = summarize(useLiveRows());
  const fullestServer = servers.find(({ server_id }) => server_id === fullest?.server_id);
  const online = { online: formatNumber(serversOnline), total: formatNumber(serversTotal) };
  return (
    <section className={styles.summary} aria-label={m.dashboard_now()}>
      <p className={styles.players}>
        <span className={styles.label}>{m.players_now()}</span>
        <PlayerCount online={playersKnown ? playersNow : null} max={null} size="l" />
      </p>
      <p className={styles.fact}>
        <span className={styles.label}>{m.servers_online()}</span>
        <span className={styles.figure}>{m.servers_of(online)}</span>
      </p>
      <p className={styles.fact}>
        <span className={styles.label}>{m.fullest_server()}</span>
        {fullest && fullestServer ? (
          <>
            <Link to={`/servers/${fullestServer.server_id}`} prefetch="intent">
              {fullestServer.name}
            </Link>
            <PlayerCount key={fullest.server_id} online={fullest.user_online} max={fullest.user_max} />
          </>
        ) : (
          <span className={styles.quiet}>{playersKnown ? m.nobody_on() : m.not_reported_spoken()}</span>
        )}
      </p>
      <Announcer
        text={
          playersKnown
            ? m.players_now_spoken({ players: formatNumber(playersNow), ...online })
            : m.servers_online_spoken(online)
        }
      />
    </section>
  );
}
