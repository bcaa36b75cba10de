// The home page: slides with the brand, the state of the game servers, and the games.
import { memo } from "react";
import { may } from "#domain/permissions.ts";
import { isDefaultTagline } from "#domain/site/settings.ts";
import { isAsked } from "#shared/adapters.ts";
import { appContext, memberContext, siteContext } from "#web/context.ts";
import { gameServersOf } from "#web/pages/catalog-index.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { gamePicture } from "../../game-picture.ts";
import { formatNumber, localText } from "../../language.ts";
import { livePage } from "../../live/live-page.ts";
import { useGameTotals, useLiveState, useTotals } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { sitePicture } from "../../share-picture.ts";
import { shareTags } from "../../share-tags.ts";
import { slidePictures } from "../../site-pictures.ts";
import { graphOf, siteThings } from "../../structured-data.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { GameCard } from "../../ui/game-card/game-card.tsx";
import { Link } from "../../ui/link/link.tsx";
import { LANDSCAPE_MEDIA, type PictureFiles, PORTRAIT_MEDIA } from "../../ui/picture/picture-frame.tsx";
import { PlayerCount } from "../../ui/player-count/player-count.tsx";
import { useRecentText } from "../../ui/recent-text.ts";
import { SLIDE_SIZES, Slideshow } from "../../ui/slideshow/slideshow.tsx";
import type { Route } from "./+types/home";
import { FirstAct, FirstDay } from "./first-day.tsx";
import { firstDayTexts } from "./first-day-texts.ts";
import { columnsFor } from "./games/columns.ts";
import { dayOfGames, playedFirst } from "./games/listed-games.ts";
import css from "./home.module.css";
import { ServerFinder } from "./servers/finder.tsx";
import { listServers } from "./servers/server-list.ts";

/** Few enough to take in at a glance; the dashboard has all. */
const ROWS = 6;

/** Most games with a card here; their own page lists all. */
const CARDS = 24;

/** Describes the poll interval if all game servers share it: some report themselves or have their own. */
function howAsked({ gameServers, poll_interval_s: every }: SiteSnapshot): string {
  const isUsual = gameServers.every(
    ({ lifecycle, adapter, poll_interval_s: own }) =>
      lifecycle !== "active" || (isAsked(adapter) && (own ?? every) === every),
  );
  if (!isUsual) return m.home_status_text_mixed();
  return m.home_status_text({ every: m.every_seconds({ count: every }) });
}

/** The list continues on the dashboard. */
export const handle: RouteFacts = { filtered: { paged: false } };

export function loader({ context, request }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const { settings } = site;
  const curves = context.get(appContext).dayCurves.read();
  const list = listServers(site, curves, request, { rows: ROWS, paged: false });
  const games = site.games.length > CARDS ? playedFirst(site).slice(0, CARDS) : site.games;
  const dayOf = dayOfGames(site, curves);
  const first = site.gameServers.length === 0;
  const maySetUp = may(context.get(memberContext)?.role ?? null, "settings:write");
  const site_name = settings.site_name;
  // The default tagline isn't true without game servers; an operator's own is kept.
  const tagline = first && isDefaultTagline(settings.tagline) ? m.home_first_tagline() : localText(settings.tagline);
  return {
    site_name,
    tagline,
    title: first ? m.home_title_first({ site: site_name }) : m.home_title({ site: site_name }),
    description: (first ? m.home_description_first({ tagline }) : m.home_description({ tagline })).trim(),
    // Sent only when needed: sites with game servers don't load these texts.
    first: first ? firstDayTexts({ maySetUp, anyGame: site.games.length > 0, discordUrl: settings.discord_url }) : null,
    status_text: first ? null : howAsked(site),
    slides: slidePictures(settings.slides),
    games: games.map((game) => ({
      id: game.game_id,
      slug: game.game_slug,
      name: game.game_name,
      tagline: localText(game.tagline),
      picture: gamePicture(game),
      any_server: gameServersOf(site, game.game_slug).length > 0,
      curve: dayOf(game.game_slug),
    })),
    games_total: site.games.length,
    list,
    live: livePage(site, {
      site: true,
      games: games.map(({ game_id }) => game_id),
      servers: list.servers.map(({ server_id }) => server_id),
    }),
    share_picture: sitePicture(site),
    thing: graphOf(...siteThings(site)),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [{ title: m.nav_home() }];
  const { title, description, share_picture, thing } = loaderData;
  return shareTags({ title, description, picture: share_picture, thing });
}

/** Preloads the first slide, before its markup has been parsed. */
function Preload({ files, media }: { files: PictureFiles | null | undefined; media: string }) {
  if (!files) return null;
  return (
    <link
      rel="preload"
      as="image"
      type="image/avif"
      href={files.fallback}
      imageSrcSet={files.avif}
      imageSizes={SLIDE_SIZES}
      media={media}
      fetchPriority="high"
    />
  );
}

/** Picks the font size by the name's length. */
const howLong = ({ length }: string) => (length > 40 ? "very" : length > 16 ? "" : undefined);

/** Splits a text into sentences, so that lines break between them first. */
const sentences = (text: string) => text.split(/(?<=[.!?])\s+/);

export default function Home({ loaderData }: Route.ComponentProps) {
  const anyGame = loaderData.games.length > 0;

  return (
    <>
      <Preload files={loaderData.slides[0]?.files} media={LANDSCAPE_MEDIA} />
      <Preload files={loaderData.slides[0]?.portrait} media={PORTRAIT_MEDIA} />
      <div className={css.opening}>
        <Slideshow images={loaderData.slides}>
          <div className={css.words}>
            <h1 className={css.brand} data-long={howLong(loaderData.site_name)}>
              {loaderData.site_name}
            </h1>
            <p className={css.tagline}>
              {sentences(loaderData.tagline).map((sentence) => (
                <span key={sentence}>{sentence} </span>
              ))}
            </p>
            {loaderData.first ? (
              <FirstAct act={loaderData.first.act} />
            ) : (
              <ButtonLink to="/dashboard" size="l">
                {m.home_who_is_on()}
              </ButtonLink>
            )}
          </div>
          {anyGame && (
            <a href="#games" className={css.down}>
              <span className="visually-hidden">{m.home_scroll_down()}</span>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M12 4v15M5.5 13 12 19.5 18.5 13" />
              </svg>
            </a>
          )}
        </Slideshow>
      </div>

      {loaderData.first ? (
        <section className={css.servers} aria-label={m.game_servers_title()}>
          <FirstDay panels={loaderData.first.panels} />
        </section>
      ) : (
        <StatusNow text={loaderData.status_text} />
      )}

      {loaderData.list.total > 0 && (
        <section id="servers" className={css.servers} aria-labelledby="servers-title">
          <h2 id="servers-title">{m.home_find()}</h2>
          <ServerFinder path="/" list={loaderData.list} rest="dashboard" labelledBy="servers-title" />
        </section>
      )}

      {anyGame && (
        <section
          id="games"
          className={css.games}
          aria-labelledby="games-title"
          data-of-three={columnsFor(loaderData.games.length, 3)}
          data-of-four={columnsFor(loaderData.games.length, 4)}
        >
          <h2 id="games-title" className={css.gamesTitle}>
            {m.nav_games()}
          </h2>
          <ul className={css.grid}>
            {loaderData.games.map((game) => (
              <li key={game.slug}>
                <LiveGameCard game={game} />
              </li>
            ))}
          </ul>
          {loaderData.games_total > loaderData.games.length && (
            <Link to="/games" prefetch="intent" className={css.allGames}>
              {m.games_all({ count: formatNumber(loaderData.games_total) })}
            </Link>
          )}
        </section>
      )}
    </>
  );
}

/** Doesn't rerender while the list beside it changes. */
const LiveGameCard = memo(({ game }: { game: Route.ComponentProps["loaderData"]["games"][number] }) => {
  const { players_online, players_reported, servers_online, servers_total } = useGameTotals(game.id);
  return (
    <GameCard
      to={`/games/${game.slug}`}
      title={game.name}
      description={game.tagline}
      image={game.picture}
      playersNow={players_reported ? players_online : null}
      serversOnline={servers_online}
      serversTotal={servers_total}
      curve={game.curve}
      inactive={game.any_server && servers_total === 0}
    />
  );
});

function DelayedText({ at }: { at: string }) {
  return m.data_delayed_text({ time: useRecentText(at) });
}

/**
 * State of the game servers: a box beside the slides, or a line below them on narrow screens.
 * `text`: the poll interval; null without game servers.
 */
function StatusNow({ text }: { text: string | null }) {
  const { players_online, players_known, servers_online, servers_total, fullest } = useTotals();
  const players = players_known ? players_online : null;
  const counts = { online: formatNumber(servers_online), total: formatNumber(servers_total) };
  const { delayed_since } = useLiveState();
  const delayed = delayed_since && <DelayedText at={delayed_since} />;

  return (
    <>
      <section className={css.status} aria-labelledby="game-status">
        <h2 id="game-status" className={css.statusTitle}>
          {m.home_status_title()}
        </h2>
        <p className={css.statusText}>{delayed ?? text}</p>
        <dl className={css.players} data-many={players_online < 10_000 ? undefined : ""}>
          <dt>{m.players_now()}</dt>
          <dd>
            <PlayerCount online={players} max={null} size="l" />
          </dd>
        </dl>
        <dl className={css.facts}>
          <div>
            <dt>{m.servers_online()}</dt>
            <dd>{m.servers_of(counts)}</dd>
          </div>
          {fullest && (
            <div>
              <dt>{m.fullest_server()}</dt>
              <dd className={css.fullest}>
                <Link to={`/servers/${fullest.server_id}`}>{fullest.server_name}</Link>
                <PlayerCount online={fullest.user_online} max={fullest.user_max} size="s" />
              </dd>
            </div>
          )}
        </dl>
      </section>

      <section className={css.banner} aria-labelledby="server-online">
        <h2 id="server-online" className={css.bannerTitle}>
          {m.home_server_online()}
        </h2>
        <p className={css.bannerFigures}>
          {players === null && `${m.players_now()}: `}
          <PlayerCount online={players} max={null} size="m" />{" "}
          {players !== null && <span aria-hidden="true">{m.playing_now_after()}</span>}
        </p>
        {delayed && <p className={css.delayed}>{delayed}</p>}
        <Link to="/dashboard" className={css.bannerLink}>
          {m.servers_of_servers({ online: counts.online, count: servers_total })}
        </Link>
      </section>
    </>
  );
}
