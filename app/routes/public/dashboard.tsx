// The live dashboard: every game server in one table, and the three figures that sum it up.
import { siteContext } from "#web/context.ts";
import { formatNumber } from "../../language.ts";
import { summarize } from "../../live/summary.ts";
import { useLiveRow, useLiveRows, useLiveState } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { sitePicture } from "../../share-picture.ts";
import { shareTags } from "../../share-tags.ts";
import { Announcer } from "../../ui/announcer/announcer.tsx";
import { CopyButton } from "../../ui/copy-button/copy-button.tsx";
import { Link } from "../../ui/link/link.tsx";
import { LiveSign } from "../../ui/live-sign/live-sign.tsx";
import { PlayerCount } from "../../ui/player-count/player-count.tsx";
import { PlayersNow } from "../../ui/server-card/players-now.tsx";
import { StatusSign } from "../../ui/status-sign/status-sign.tsx";
import type { Route } from "./+types/dashboard";
import styles from "./dashboard.module.css";
import { shownStatus, showServer } from "./shown-server.ts";

type Row = Route.ComponentProps["loaderData"]["servers"][number];

export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const { playersNow, serversOnline, serversTotal } = summarize(site.live);
  return {
    site_name: site.settings.site_name,
    // In the order of the games: a row never jumps because a figure changed.
    servers: site.gameServers.map((server) => {
      const { server_id, name, address, max, lifecycle } = showServer(server);
      return { server_id, name, address, max, lifecycle, game_name: server.game_name };
    }),
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
      total: formatNumber(facts.serversTotal),
      players: formatNumber(facts.playersNow),
    }),
    picture: share_picture,
  });
}

export default function Dashboard({ loaderData: { servers } }: Route.ComponentProps) {
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
          <table className={styles.table}>
            <caption>{m.dashboard_table()}</caption>
            <thead>
              <tr>
                <th scope="col">{m.dashboard_server()}</th>
                <th scope="col">{m.dashboard_status()}</th>
                <th scope="col">{m.dashboard_online()}</th>
                <th scope="col">{m.dashboard_peak()}</th>
              </tr>
            </thead>
            <tbody>
              {servers.map((server) => (
                <ServerRow key={server.server_id} server={server} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  );
}

function Summary({ servers }: { servers: Row[] }) {
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
      <p className={`${styles.fact} ${styles.fullest}`}>
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

/** On phones it looks like a small card; the elements stay those of a table, and browsers keep saying so. */
function ServerRow({ server }: { server: Row }) {
  const row = useLiveRow(server.server_id);
  const status = shownStatus(server, row);
  const peak = row?.user_peak ?? null;
  return (
    <tr>
      <th scope="row" aria-label={`${server.name}, ${server.game_name}`}>
        <div className={styles.who}>
          <div className={styles.names}>
            <Link to={`/servers/${server.server_id}`} prefetch="intent" viewTransition className={styles.name}>
              {server.name}
            </Link>
            <span className={styles.game}>{server.game_name}</span>
          </div>
          {server.address && <CopyButton text={server.address} label={m.copy_label({ server: server.name })} />}
        </div>
      </th>
      <td className={styles.status}>
        <StatusSign status={status} size="s" />
      </td>
      <td className={styles.online}>
        <PlayersNow status={status} online={row?.user_online ?? null} max={row?.user_max ?? server.max} />
      </td>
      <td className={styles.peak}>
        <span className={styles.peakLabel} aria-hidden="true">
          {m.fact_peak()}
        </span>
        {peak === null ? (
          <span className={styles.quiet}>
            <span aria-hidden="true">–</span>
            <span className="visually-hidden">{m.not_reported_spoken()}</span>
          </span>
        ) : (
          formatNumber(peak)
        )}
      </td>
    </tr>
  );
}
