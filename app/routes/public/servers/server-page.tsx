// One game server: status, players, how to join; how and when it was measured.
import { findPlayerNames } from "#domain/game-servers/player-lists.ts";
import { planOf } from "#domain/plans/shown-status.ts";
import { askedEveryS } from "#shared/asked-every.ts";
import type { LiveRow } from "#shared/live-row.ts";
import { appContext, memberContext, siteContext } from "#web/context.ts";
import { gameServersOf } from "#web/pages/catalog-index.ts";
import { inTime } from "#web/pages/in-time.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { gamePicture } from "../../../game-picture.ts";
import { formatNumber } from "../../../language.ts";
import { livePage } from "../../../live/live-page.ts";
import { useAsked, useLiveRow, useLiveState, useNow } from "../../../live/use-live.ts";
import { useWaiting } from "../../../live/use-waiting.ts";
import { m } from "../../../paraglide/messages.js";
import { useSeenAddress } from "../../../push/use-seen-address.ts";
import { serverSharePicture } from "../../../share-picture.ts";
import { shareTags } from "../../../share-tags.ts";
import { breadcrumbs, gameServerThing, graphOf } from "../../../structured-data.ts";
import { AddressBox, isMainWay } from "../../../ui/address-box/address-box.tsx";
import { Announcer } from "../../../ui/announcer/announcer.tsx";
import { CopyButton } from "../../../ui/copy-button/copy-button.tsx";
import { Countdown } from "../../../ui/countdown/countdown.tsx";
import { EntryNeeds } from "../../../ui/entry-needs/entry-needs.tsx";
import { fillGuide } from "../../../ui/guide/fill-guide.ts";
import { Guide } from "../../../ui/guide/guide.tsx";
import { PageIcon } from "../../../ui/icon/more-icons.tsx";
import { JoinLink } from "../../../ui/join-link/join-link.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { LiveSign } from "../../../ui/live-sign/live-sign.tsx";
import { PictureFrame } from "../../../ui/picture/picture-frame.tsx";
import { TravellingPicture } from "../../../ui/picture/travelling-picture.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { PlayersNow } from "../../../ui/server-card/players-now.tsx";
import { ShareLink } from "../../../ui/share-link/share-link.tsx";
import { ReachableFrom } from "../../../ui/status-sign/reachable-from.tsx";
import { StatusSign, statusText } from "../../../ui/status-sign/status-sign.tsx";
import { UnknownReason } from "../../../ui/status-sign/unknown-reason.tsx";
import { TellMe } from "../../../ui/tell-me/tell-me.tsx";
import type { Route } from "./+types/server-page";
import { requireShownServer } from "./asked-server.ts";
import { ServerEmbed } from "./embed.tsx";
import { ServerFacts } from "./facts.tsx";
import { ServerHistory } from "./history.tsx";
import { guideValues, portsOf, sharedServer, shownStatus } from "./known-values.ts";
import { ServerSays } from "./says.tsx";
import styles from "./server-page.module.css";
import { showDetails } from "./shown-details.ts";
import { showGuide, showServer } from "./shown-server.ts";
import { type NamesNow, WhoIsOn } from "./who-is-on.tsx";

/** Longer names get a smaller font. */
const LONG_NAME = 40;

/** Most ports of a game in its guide. */
const MOST_PORTS = 24;

export const handle: RouteFacts = {
  sitemap: ({ gameServers }) => gameServers.map(({ server_id }) => ({ params: { serverId: String(server_id) } })),
};

export async function loader({ context, params }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const { server, game, row } = requireShownServer(site, params.serverId);
  const shown = showServer(server);
  const { db, histories, toldDetails, optionalPartMs } = context.get(appContext);
  const isMember = context.get(memberContext) !== null;
  const [history, told, names] = await Promise.all([
    histories.findSummary(server.server_id),
    toldDetails.find(server),
    server.player_list && isMember ? inTime(findPlayerNames(db, server.server_id), optionalPartMs) : null,
  ]);
  const plan = planOf(server, site.plans);
  const names_now: NamesNow = isMember ? names : "for_members";
  return {
    site_name: site.settings.site_name,
    site_url: site.site_url,
    game: { slug: game.game_slug, name: game.game_name, picture: gamePicture(game) },
    server: shown,
    live: livePage(site, { servers: [server.server_id] }),
    measured: {
      every_s: server.poll_interval_s ?? site.poll_interval_s,
      latency_ms: site.asked.get(server.server_id)?.latency_ms ?? null,
      asked_at: site.asked.get(server.server_id)?.at ?? null,
      places: site.places.get(server.server_id) ?? [],
    },
    guide: showGuide(game),
    ports: portsOf(gameServersOf(site, game.game_slug).slice(0, MOST_PORTS).map(showServer)),
    history,
    ...(plan && { plan }),
    details: showDetails(server, told),
    /** Only members see names. Undefined: the list is off. */
    names: server.player_list ? names_now : undefined,
    signed_in: isMember,
    facts: { status: row?.status ?? "unknown", online: row?.user_online ?? null, max: row?.user_max ?? null },
    share_picture: serverSharePicture(site, server, game),
    thing: graphOf(
      breadcrumbs(site, [
        { name: game.game_name, path: `/games/${game.game_slug}` },
        { name: shown.server_name, path: `/servers/${shown.server_id}` },
      ]),
      gameServerThing(site, shown, game),
    ),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { server, game, facts, site_name, share_picture, thing } = loaderData;
  const known = { server: server.server_name, game: game.name, status: statusText(facts.status) };
  const description =
    facts.online === null
      ? m.server_description(known)
      : facts.max === null
        ? m.server_description_players({ ...known, players: formatNumber(facts.online) })
        : m.server_description_of({
            ...known,
            players: formatNumber(facts.online),
            max: formatNumber(facts.max),
          });
  const title = `${server.server_name} – ${game.name} – ${site_name}`;
  return shareTags({ title, description, picture: share_picture, thing });
}

export default function ServerPage({ loaderData }: Route.ComponentProps) {
  const { server, measured, guide, history, details, names, site_url } = loaderData;
  const row = useLiveRow(server.server_id);
  // The live stream sends poll times every few seconds, and may not have the first one yet.
  const asked = useAsked(server.server_id) ?? measured.asked_at;
  const now = useNow();
  const status = shownStatus(server, row);
  const online = row?.user_online ?? null;
  const values = guideValues(server, row, loaderData.ports);
  const waiting = useWaiting(server.server_id, isDown(status));
  useSeenAddress(server.server_name, server.address);
  const everyS = askedEveryS(measured.every_s, status, waiting);

  return (
    <article className={styles.server} key={server.server_id}>
      <Opening page={loaderData} row={row} status={status} waiting={waiting} everyS={everyS} now={now} />

      {guide.steps.length > 0 && (
        <section className={`page ${styles.section}`} aria-labelledby="how-to">
          <h2 id="how-to">{m.guide_title()}</h2>
          <Guide
            steps={guide.steps.map((step) => fillGuide(step, values))}
            boxes={guide.boxes.map((box) => fillGuide(box, values))}
          />
        </section>
      )}

      <ServerSays icon={details.icon} lines={details.lines} />

      {/* Past players aren't shown, for privacy. */}
      {names !== undefined && (status === "online" || status === "degraded") && (
        <WhoIsOn names={names} online={online} />
      )}

      <ServerFacts
        server={server}
        toldMods={details.mods}
        row={row}
        status={status}
        everyS={everyS}
        latencyMs={measured.latency_ms}
        places={measured.places}
        asked={asked}
        now={now}
      />

      <ServerHistory serverId={server.server_id} history={history} everyS={measured.every_s} />

      {/* Values for members only are shown nowhere else. */}
      {server.visibility === "public" && (
        <ServerEmbed serverId={server.server_id} name={server.server_name} siteUrl={site_url} />
      )}

      {server.address && (
        <div className={styles.thumb}>
          <CopyButton
            text={server.address}
            label={m.copy_address()}
            accessibleName={m.copy_address_label({ server: server.server_name })}
            main={isMainWay(server.join_href, status)}
          />
          {server.join_href && (
            <JoinLink href={server.join_href} name={server.server_name} down={status === "offline"} />
          )}
        </div>
      )}
    </article>
  );
}

const isDown = (status: OpeningProps["status"]): boolean => status === "offline" || status === "degraded";

type OpeningProps = {
  page: Route.ComponentProps["loaderData"];
  row: LiveRow | undefined;
  status: ReturnType<typeof shownStatus>;
  /** It is polled more often while this page waits for it. */
  waiting: boolean;
  everyS: number;
  now: number;
};

/** The picture with name, state, address and what people do with them. */
function Opening({ page, row, status, waiting, everyS, now }: OpeningProps) {
  const { game, server } = page;
  const { state, delayed_since } = useLiveState();
  return (
    <header className={`page ${styles.opening}`}>
      <TravellingPicture game={`/games/${game.slug}`}>
        <div className={styles.picture}>
          <PictureFrame files={game.picture} alt="" sizes="(width > 1000px) 68vw, 100vw" priority />
        </div>
      </TravellingPicture>
      <Link to={`/games/${game.slug}`} className={styles.back} prefetch="intent">
        <PageIcon shape="arrow-left" size={18} />
        <span className={styles.backTo}>{game.name}</span>
      </Link>
      <h1 data-long={server.server_name.length > LONG_NAME || undefined}>{server.server_name}</h1>
      {server.description && <p className={styles.description}>{server.description}</p>}
      <State page={page} row={row} status={status} waiting={waiting} everyS={everyS} now={now} />
      <div className={styles.way}>
        {(server.address || !server.join_code) && (
          <AddressBox
            name={server.server_name}
            address={server.address}
            joinHref={server.join_href}
            status={status}
            main={isMainWay(server.join_href, status)}
            buttonsElsewhere
          />
        )}
        {(server.address || server.join_code) && (
          <EntryNeeds
            name={server.server_name}
            joinCode={server.join_code}
            password={server.password}
            access={server.password_access}
            note={server.access_note}
            asks={row?.password_protected === true}
          />
        )}
      </div>
      <div className={styles.foot}>
        <TellMe
          about={{ server_id: server.server_id }}
          name={server.server_name}
          down={status === "offline"}
          places={row?.user_max ?? server.user_max}
          member={page.signed_in}
        />
        <ShareLink server={sharedServer(server, game.name)} />
        <LiveSign state={state} delayedSince={delayed_since} />
      </div>
    </header>
  );
}

/** Status, what is planned, and players. */
function State({ page: { server, plan }, row, status, waiting, everyS, now }: OpeningProps) {
  const online = row?.user_online ?? null;
  const closed = status === "inactive" || status === "maintenance";
  const every = m.every_seconds({ count: everyS });
  const sinceMeasured = closed ? null : row?.status_since;
  return (
    <div className={styles.state}>
      <p className={styles.status}>
        <StatusSign status={status} />
        {sinceMeasured && (
          <span className={styles.since}>
            <RelativeTime at={sinceMeasured} now={now} form="lasting" />
          </span>
        )}
      </p>
      {plan && (
        <p className={styles.asked}>
          <Countdown kind={plan.kind} startsAt={plan.starts_at} endsAt={plan.ends_at} />
        </p>
      )}
      <UnknownReason reason={row?.unknown_reason} />
      <ReachableFrom places={row?.reachable_from} />
      {isDown(status) && (
        <p className={styles.asked}>{waiting ? m.server_asked_waiting({ every }) : m.server_asked({ every })}</p>
      )}
      {!closed && (
        <p className={styles.players}>
          <PlayersNow status={status} online={online} max={row?.user_max ?? server.user_max} size="l" />
          {/* For screen readers the figure itself includes "players". */}
          <span className={styles.label} aria-hidden={online !== null}>
            {m.players_now_after()}
          </span>
          {row?.bots_online !== undefined && (
            <span className={styles.label}>{m.bots_after({ count: row.bots_online })}</span>
          )}
        </p>
      )}
      <Announcer
        text={
          online === null
            ? m.server_spoken({ server: server.server_name, status: statusText(status) })
            : m.server_spoken_players({
                server: server.server_name,
                status: statusText(status),
                players: formatNumber(online),
              })
        }
      />
    </div>
  );
}
