// A game page: description, live game servers, and how to join.
import { memo, useState } from "react";
import { data } from "react-router";
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import { type planOf, plansOf } from "#domain/plans/shown-status.ts";
import { appContext, memberContext, siteContext } from "#web/context.ts";
import { gameServersOf } from "#web/pages/catalog-index.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { gamePicture } from "../../game-picture.ts";
import { formatNumber, here, localText } from "../../language.ts";
import { livePage } from "../../live/live-page.ts";
import { useGameTotals, useLiveReader, useLiveRow, useLiveState } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { gameSharePicture } from "../../share-picture.ts";
import { shareTags } from "../../share-tags.ts";
import { breadcrumbs, graphOf } from "../../structured-data.ts";
import { Announcer } from "../../ui/announcer/announcer.tsx";
import { EmptyState } from "../../ui/empty-state/empty-state.tsx";
import { fillGuide } from "../../ui/guide/fill-guide.ts";
import { Guide } from "../../ui/guide/guide.tsx";
import { Link } from "../../ui/link/link.tsx";
import { LiveSign } from "../../ui/live-sign/live-sign.tsx";
import { type PictureFiles, PictureFrame } from "../../ui/picture/picture-frame.tsx";
import { TravellingPicture } from "../../ui/picture/travelling-picture.tsx";
import { PlayerCount } from "../../ui/player-count/player-count.tsx";
import { ServerCard } from "../../ui/server-card/server-card.tsx";
import { type Collecting, type Curve, packDay } from "../../ui/sparkline/draw-curve.ts";
import { TellMe } from "../../ui/tell-me/tell-me.tsx";
import type { Route } from "./+types/game-page";
import styles from "./game-page.module.css";
import { ServerFinder } from "./servers/finder.tsx";
import { guideValues, portsOf, sharedServer, shownStatus } from "./servers/known-values.ts";
import { listServers } from "./servers/server-list.ts";
import { type ShownServer, showGuide, showServer } from "./servers/shown-server.ts";

/** Longer names get a smaller font. */
const LONG_NAME = 40;

/** Most game servers with a card each. More are shown as a list, which takes a fifth of the space. */
const MOST_CARDS = 24;

export const handle: RouteFacts = {
  turn: "site",
  filtered: { paged: true, ofParam: true },
  sitemap: ({ games }) => games.map(({ game_slug }) => ({ params: { slug: game_slug } })),
};

export function loader({ context, params, request }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const game = site.games.find(({ game_slug }) => game_slug === params.slug);
  if (!game) throw data(null, { status: 404 });
  const own = gameServersOf(site, game.game_slug);
  const curves = context.get(appContext).dayCurves.read();
  const list = own.length > MOST_CARDS ? listServers(site, curves, request, { game: game.game_slug }) : null;
  const guided = list ? own.filter(({ server_id }) => server_id === firstUp(own, site)) : own;
  const servers = guided.map(showServer);
  const ids = servers.map(({ server_id }) => server_id);
  const live = livePage(site, {
    games: [game.game_id],
    servers: [...new Set([...ids, ...(list?.servers ?? []).map(({ server_id }) => server_id)])],
  });
  return {
    site_name: site.settings.site_name,
    game_id: game.game_id,
    slug: game.game_slug,
    name: game.game_name,
    tagline: localText(game.tagline),
    description: localText(game.description),
    picture: gamePicture(game),
    /** Those with a card; beside a list, the one that the guide is filled for. */
    servers,
    list,
    live,
    ports: portsOf(own.slice(0, MOST_CARDS).map(showServer)),
    any_server: site.gameServers.length > 0,
    asleep: own.length > 0 && own.every(({ lifecycle }) => lifecycle === "retired"),
    curves: Object.fromEntries(ids.map((id) => [id, packDay(curves.get(id), site.asked.get(id)?.first_at ?? null)])),
    ...plansOf(game.game_slug, ids, site.plans),
    guide: showGuide(game),
    share_picture: gameSharePicture(site, game),
    signed_in: context.get(memberContext) !== null,
    thing: graphOf(breadcrumbs(site, [{ name: game.game_name, path: `/games/${game.game_slug}` }])),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { name, tagline, site_name, share_picture, thing } = loaderData;
  const totals = loaderData.live.totals.games?.[loaderData.game_id];
  const live =
    !totals || totals.servers_total === 0
      ? m.game_description({ game: name, tagline })
      : m.game_description_live({
          game: name,
          online: formatNumber(totals.servers_online),
          total: formatNumber(totals.servers_total),
          players: totals.players_known ? formatNumber(totals.players_online) : m.not_reported_spoken(),
        });
  const title = m.game_title({ game: name, site: site_name });
  return shareTags({ title, description: live, picture: share_picture, thing });
}

/** Returns the first server that is online, else the first that can be joined: the guide is filled for it. */
function firstUp(own: GameServer[], { rowOf }: Pick<SiteSnapshot, "rowOf">): number | undefined {
  const up = own.find(({ server_id }) => rowOf(server_id)?.status === "online");
  return (up ?? own.find(({ host }) => host !== null) ?? own[0])?.server_id;
}

export default function GamePage({ loaderData: game }: Route.ComponentProps) {
  const { state, delayed_since } = useLiveState();
  return (
    <div className={styles.game}>
      <header className={`page ${styles.opening}`}>
        <h1 data-long={game.name.length > LONG_NAME || undefined}>{game.name}</h1>
        <section className={styles.info} aria-label={m.game_about({ game: game.name })}>
          <TravellingPicture game={`/games/${game.slug}`}>
            <div className={styles.picture}>
              <PictureFrame files={game.picture} alt="" sizes="(width > 1400px) 70vw, 100vw" priority />
            </div>
          </TravellingPicture>
          <div className={styles.words}>
            <p className={styles.tagline}>{game.tagline}</p>
            <PlayingNow gameId={game.game_id} />
            <p className={styles.description}>{game.description}</p>
            {game.servers.length > 0 && !game.asleep && (
              <div className={styles.tell}>
                <TellMe about={{ game_id: game.game_id }} name={game.name} member={game.signed_in} />
              </div>
            )}
          </div>
        </section>
      </header>

      <section className={`page ${styles.section}`} aria-labelledby="server">
        <div className={styles.heading}>
          <h2 id="server">{m.game_servers_title()}</h2>
          {game.servers.length > 0 && <LiveSign state={state} delayedSince={delayed_since} />}
        </div>
        {game.asleep && <p className={styles.asleep}>{m.game_inactive({ game: game.name })}</p>}
        {game.servers.length === 0 ? (
          <EmptyState title={m.no_server_available()}>
            <p>{m.game_without_server()}</p>
            {game.any_server && <Link to="/dashboard">{m.game_other_servers()}</Link>}
          </EmptyState>
        ) : game.list ? (
          <ServerFinder
            path={`/games/${game.slug}`}
            list={game.list}
            rest="pages"
            labelledBy="server"
            key={game.slug}
          />
        ) : (
          <ul className={styles.cards} data-count={game.servers.length}>
            {game.servers.map((server) => (
              <li key={server.server_id}>
                <LiveCard
                  server={server}
                  game={game.name}
                  image={game.picture}
                  curve={game.curves[server.server_id] ?? null}
                  plan={game.plans?.[server.server_id] ?? null}
                />
              </li>
            ))}
          </ul>
        )}
      </section>

      {game.guide.steps.length > 0 && (
        <HowTo key={game.slug} guide={game.guide} servers={game.servers} ports={game.ports} />
      )}
    </div>
  );
}

/** The game's total; left out if no game server reports players. */
function PlayingNow({ gameId }: { gameId: number }) {
  const { players_online, players_reported, servers_online, servers_total } = useGameTotals(gameId);
  if (servers_total === 0) return null;
  const counts = { online: formatNumber(servers_online), total: formatNumber(servers_total) };
  const online = m.servers_online_spoken(counts);
  return (
    <div className={styles.now}>
      {players_reported && (
        <p className={styles.figure}>
          <PlayerCount online={players_online} max={null} size="l" />
          <span aria-hidden="true">{m.playing_now_after()}</span>
        </p>
      )}
      <p className={styles.online}>{online}</p>
      <Announcer
        text={players_reported ? m.players_now_spoken({ players: formatNumber(players_online), ...counts }) : online}
      />
    </div>
  );
}

type LiveCardProps = {
  server: ShownServer;
  game: string;
  image: PictureFiles | null;
  curve: Curve | Collecting | null;
  plan: ReturnType<typeof planOf>;
};

/** Doesn't rerender while another one changes. */
const LiveCard = memo(({ server, game, image, curve, plan }: LiveCardProps) => {
  const row = useLiveRow(server.server_id);
  return (
    <ServerCard
      href={`/servers/${server.server_id}`}
      name={server.server_name}
      description={server.description}
      status={shownStatus(server, row)}
      reachableFrom={row?.reachable_from}
      unknownReason={row?.unknown_reason}
      online={row?.user_online ?? null}
      max={row?.user_max ?? server.user_max}
      peak={row?.user_peak ?? null}
      version={row?.version ?? server.version}
      flavour={server.flavour}
      mods={server.mods}
      locations={server.server_locations}
      address={server.address}
      joinHref={server.join_href}
      accessNote={server.access_note}
      asksForPassword={row?.password_protected === true}
      shared={sharedServer(server, game)}
      image={image}
      curve={curve}
      plan={plan}
    />
  );
});

type HowToProps = {
  guide: Route.ComponentProps["loaderData"]["guide"];
  servers: ShownServer[];
  ports: number[];
};

/** Guide for one game server, initially the first that is online. Stays the same while statuses change. */
function HowTo({ guide, servers, ports }: HowToProps) {
  const readRows = useLiveReader();
  const [chosen, choose] = useState(() => {
    const up = servers.find(({ server_id }) =>
      readRows().some((row) => row.server_id === server_id && row.status === "online"),
    );
    return (up ?? servers.find(({ address }) => address) ?? servers[0])?.server_id;
  });
  const server = servers.find(({ server_id }) => server_id === chosen) ?? servers[0];
  const row = useLiveRow(server?.server_id ?? 0);
  const values = guideValues(server, row, ports);
  return (
    <section className={`page ${styles.section}`} aria-labelledby="how-to">
      <div className={styles.heading}>
        <h2 id="how-to">{m.guide_title()}</h2>
      </div>
      {server && servers.length > 1 && (
        <nav className={styles.choice} aria-label={m.guide_choice()}>
          {/* Each links to the guide on the game server's page; script fills it in here. */}
          {servers.map(({ server_id, server_name }) => (
            <a
              key={server_id}
              href={here(`/servers/${server_id}#how-to`)}
              aria-current={server_id === server.server_id ? "true" : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                choose(server_id);
              }}
            >
              {server_name}
            </a>
          ))}
        </nav>
      )}
      <Guide
        steps={guide.steps.map((step) => fillGuide(step, values))}
        boxes={guide.boxes.map((box) => fillGuide(box, values))}
      />
    </section>
  );
}
