// The live dashboard: every game server in one table, and the three figures that sum it up.
import { Link } from "react-router";
import { siteContext } from "#web/context.ts";
import { summarize } from "../../live/summary.ts";
import { useLiveRow, useLiveRows, useLiveState } from "../../live/use-live.ts";
import { Announcer } from "../../ui/announcer/announcer.tsx";
import { CopyButton } from "../../ui/copy-button/copy-button.tsx";
import { LiveSign } from "../../ui/live-sign/live-sign.tsx";
import { PlayerCount } from "../../ui/player-count/player-count.tsx";
import { PlayersNow } from "../../ui/server-card/players-now.tsx";
import { StatusSign } from "../../ui/status-sign/status-sign.tsx";
import type { Route } from "./+types/dashboard";
import styles from "./dashboard.module.css";
import { shownStatus, showServer } from "./shown-server.ts";

const number = new Intl.NumberFormat("en");

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
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { site_name, facts } = loaderData;
  return [
    { title: `Dashboard – ${site_name}` },
    {
      name: "description",
      content: `Right now: ${facts.serversOnline} of ${facts.serversTotal} game servers online, players: ${facts.playersNow}. Every game server with its status, players and peak, live.`,
    },
  ];
}

export default function Dashboard({ loaderData: { servers } }: Route.ComponentProps) {
  const { state, delayed_since } = useLiveState();
  return (
    <div className={`page ${styles.dashboard}`}>
      <div className={styles.heading}>
        <h1>Dashboard</h1>
        <LiveSign state={state} delayed={delayed_since !== null} />
      </div>
      {servers.length === 0 ? (
        <div className={styles.empty}>
          <p className={styles.emptyTitle}>No Server Available</p>
          <p>As soon as a game server is announced, it shows up here by itself.</p>
          <Link to="/">See the games</Link>
        </div>
      ) : (
        <>
          <Summary servers={servers} />
          <table className={styles.table}>
            <caption>GameServers</caption>
            <thead>
              <tr>
                <th scope="col">Server</th>
                <th scope="col">Status</th>
                <th scope="col">UserOnline</th>
                <th scope="col">UserPeak</th>
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
  const online = `${number.format(serversOnline)} of ${number.format(serversTotal)}`;
  return (
    <section className={styles.summary} aria-label="Right now">
      <p className={styles.players}>
        <span className={styles.label}>Players now</span>
        <PlayerCount online={playersNow} max={null} size="l" />
      </p>
      <p className={styles.fact}>
        <span className={styles.label}>Servers online</span>
        <span className={styles.figure}>{online}</span>
      </p>
      <p className={`${styles.fact} ${styles.fullest}`}>
        <span className={styles.label}>Fullest server</span>
        {fullest && fullestServer ? (
          <>
            <Link to={`/servers/${fullestServer.server_id}`} prefetch="intent">
              {fullestServer.name}
            </Link>
            <PlayerCount key={fullest.server_id} online={fullest.user_online} max={fullest.user_max} />
          </>
        ) : (
          <span className={styles.quiet}>Nobody is on right now</span>
        )}
      </p>
      <Announcer text={`Players now: ${number.format(playersNow)}. Servers online: ${online}.`} />
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
          {server.address && <CopyButton text={server.address} label={`Copy address of ${server.name}`} />}
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
          Peak
        </span>
        {peak === null ? (
          <span className={styles.quiet}>
            <span aria-hidden="true">–</span>
            <span className="visually-hidden">not reported</span>
          </span>
        ) : (
          number.format(peak)
        )}
      </td>
    </tr>
  );
}
