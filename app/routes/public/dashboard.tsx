// The live dashboard: every game server in one table, and the three figures that sum it up.

import { filterChoices, PAGE_ROWS } from "#shared/server-filter.ts";
import { summarize } from "#shared/summary.ts";
import { appContext, siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { formatNumber } from "../../language.ts";
import { useLiveRows, useLiveState } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { sitePicture } from "../../share-picture.ts";
import { shareTags } from "../../share-tags.ts";
import { Announcer } from "../../ui/announcer/announcer.tsx";
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
  const { playersNow, serversOnline, serversTotal } = summarize(site.live);
  const servers = findableServers(site, context.get(appContext).dayCurves.read());
  return {
    site_name: site.settings.site_name,
    servers,
    choices: filterChoices(servers),
    places: locationTexts(servers),
    rows: PAGE_ROWS,
    facts: { playersNow, serversOnline, serversTotal },
    share_picture: sitePicture(site),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { site_name, facts, share_picture } = loaderData;
  return shareTags({
    title: m.dashboard_title({ site: site_name }),
    description: m.dashboard_description({
      online: formatNumber(facts.serversOnline),
      count: facts.serversTotal,
      players: formatNumber(facts.playersNow),
    }),
    picture: share_picture,
  });
}

export default function Dashboard({ loaderData: { servers, choices, places, rows } }: Route.ComponentProps) {
  const { state, delayed_since } = useLiveState();
  return (
    <div className={`page ${styles.dashboard}`}>
      <div className={styles.heading}>
        <h1>{m.nav_dashboard()}</h1>
        <LiveSign state={state} delayed={delayed_since !== null} />
      </div>
      {servers.length === 0 ? (
        <div className={styles.empty}>
          <p className={styles.emptyTitle}>{m.no_server_available()}</p>
          <p>{m.dashboard_empty()}</p>
          <Link to="/">{m.dashboard_games()}</Link>
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
  const { playersNow, serversOnline, serversTotal, fullest } = summarize(useLiveRows());
  const fullestServer = servers.find(({ server_id }) => server_id === fullest?.server_id);
  const online = { online: formatNumber(serversOnline), total: formatNumber(serversTotal) };
  return (
    <section className={styles.summary} aria-label={m.dashboard_now()}>
      <p className={styles.players}>
        <span className={styles.label}>{m.players_now()}</span>
        <PlayerCount online={playersNow} max={null} size="l" />
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
          <span className={styles.quiet}>{m.nobody_on()}</span>
        )}
      </p>
      <Announcer text={m.players_now_spoken({ players: formatNumber(playersNow), ...online })} />
    </section>
  );
}
