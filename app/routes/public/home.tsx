// The home page: the pictures with the brand on them, how the game servers stand, and the games.
import { addCurves } from "#domain/game-servers/day-curves.ts";
import { may } from "#domain/permissions.ts";
import { isDefaultTagline } from "#domain/site/settings.ts";
import { filterChoices } from "#shared/server-filter.ts";
import { summarize } from "#shared/summary.ts";
import { appContext, memberContext, siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { gamePicture } from "../../game-picture.ts";
import { formatNumber, localText } from "../../language.ts";
import { livePage } from "../../live/live-page.ts";
import { useLiveRows, useLiveState } from "../../live/use-live.ts";
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
import { Slideshow } from "../../ui/slideshow/slideshow.tsx";
import { packDay } from "../../ui/sparkline/draw-curve.ts";
import type { Route } from "./+types/home";
import { FirstAct, FirstDay } from "./first-day.tsx";
import { firstDayTexts } from "./first-day-texts.ts";
import css from "./home.module.css";
import { locationTexts } from "./location-text.ts";
import { findableServers } from "./servers/findable-servers.ts";
import { ServerFinder } from "./servers/finder.tsx";

/** As many as a reader takes in at a glance; the dashboard has all. */
const ROWS = 6;

/** The list goes on at the dashboard. */
export const handle: RouteFacts = { filtered: { paged: false } };

export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const { games, gameServers, settings, poll_interval_s } = site;
  const curves = context.get(appContext).dayCurves.read();
  const servers = findableServers(site, curves);
  const first = servers.length === 0;
  const maySetUp = may(context.get(memberContext)?.role ?? null, "settings:write");
  const site_name = settings.site_name;
  // What ours promises of game servers is not true while there is none; an operator's own words are theirs.
  const tagline = first && isDefaultTagline(settings.tagline) ? m.home_first_tagline() : localText(settings.tagline);
  return {
    site_name,
    tagline,
    title: first ? m.home_title_first({ site: site_name }) : m.home_title({ site: site_name }),
    description: (first ? m.home_description_first({ tagline }) : m.home_description({ tagline })).trim(),
    // Said by the server: the browsers of a site that has game servers need none of it.
    first: first ? firstDayTexts({ maySetUp, anyGame: games.length > 0, discordUrl: settings.discord_url }) : null,
    status_text: first ? null : m.home_status_text({ every: m.every_seconds({ count: poll_interval_s }) }),
    slides: slidePictures(settings.slides),
    games: games.map((game) => {
      const own = gameServers.filter((server) => server.game_slug === game.game_slug);
      return {
        slug: game.game_slug,
        name: game.game_name,
        tagline: localText(game.tagline),
        picture: gamePicture(game),
        server_ids: own.map((server) => server.server_id),
        curve: packDay(
          addCurves(own.map(({ server_id }) => curves.get(server_id)).filter((curve) => curve !== undefined)),
          firstAskedOf(own, site.asked),
        ),
      };
    }),
    servers,
    live: livePage(site, {
      site: true,
      games: games.map(({ game_id }) => game_id),
      servers: gameServers.map(({ server_id }) => server_id),
    }),
    choices: filterChoices(servers),
    places: locationTexts(servers),
    share_picture: sitePicture(site),
    thing: graphOf(...siteThings(site)),
  };
}

/** The first question to any of them; null: none was ever asked. */
function firstAskedOf(own: { server_id: number }[], asked: SiteSnapshot["asked"]): string | null {
  const firsts = own.flatMap(({ server_id }) => asked.get(server_id)?.first_at ?? []);
  return firsts.toSorted()[0] ?? null;
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [{ title: m.nav_home() }];
  const { title, description, share_picture, thing } = loaderData;
  return shareTags({ title, description, picture: share_picture, thing });
}

/** The first slide is what the eye meets first: it is on its way before the markup that shows it has been read. */
function Preload({ files, media }: { files: PictureFiles | null | undefined; media: string }) {
  if (!files) return null;
  return (
    <link
      rel="preload"
      as="image"
      type="image/avif"
      href={files.fallback}
      imageSrcSet={files.avif}
      imageSizes="100vw"
      media={media}
      fetchPriority="high"
    />
  );
}

/** A name is set as large as its length lets it be. */
const howLong = ({ length }: string) => (length > 40 ? "very" : length > 16 ? "" : undefined);

/** Each sentence of a text, so that a line breaks between two of them first. */
const sentences = (text: string) => text.split(/(?<=[.!?])\s+/);

export default function Home({ loaderData }: Route.ComponentProps) {
  const rows = useLiveRows();
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
        <StatusNow servers={loaderData.servers} text={loaderData.status_text} />
      )}

      {loaderData.servers.length > 0 && (
        <section id="servers" className={css.servers} aria-labelledby="servers-title">
          <h2 id="servers-title">{m.home_find()}</h2>
          <ServerFinder
            path="/"
            servers={loaderData.servers}
            choices={loaderData.choices}
            places={loaderData.places}
            rows={ROWS}
            rest="dashboard"
            labelledBy="servers-title"
          />
        </section>
      )}

      {anyGame && (
        <section id="games" className={css.games} aria-labelledby="games-title">
          <h2 id="games-title" className={css.gamesTitle}>
            {m.nav_games()}
          </h2>
          <ul className={css.grid}>
            {loaderData.games.map((game) => {
              const own = rows.filter((row) => game.server_ids.includes(row.server_id));
              const { playersNow, serversOnline, serversTotal } = summarize(own);
              return (
                <li key={game.slug}>
                  <GameCard
                    to={`/games/${game.slug}`}
                    title={game.name}
                    description={game.tagline}
                    image={game.picture}
                    playersNow={own.some((row) => row.user_online !== null) ? playersNow : null}
                    serversOnline={serversOnline}
                    serversTotal={serversTotal}
                    curve={game.curve}
                    inactive={own.length > 0 && serversTotal === 0}
                  />
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
}

type StatusNowProps = {
  servers: { server_id: number; name: string }[];
  /** How often they are asked; null where there are none. */
  text: string | null;
};

/** How the game servers stand: a box beside the film, and a line below it where the page is narrow. */
function StatusNow({ servers, text }: StatusNowProps) {
  const summary = summarize(useLiveRows());
  const players = summary.playersKnown ? summary.playersNow : null;
  const counts = { online: formatNumber(summary.serversOnline), total: formatNumber(summary.serversTotal) };
  const { delayed_since } = useLiveState();
  const fullest = summary.fullest && {
    id: summary.fullest.server_id,
    name: servers.find(({ server_id }) => server_id === summary.fullest?.server_id)?.name,
    online: summary.fullest.user_online,
    max: summary.fullest.user_max,
  };

  return (
    <>
      <section className={css.status} aria-labelledby="game-status">
        <h2 id="game-status" className={css.statusTitle}>
          {m.home_status_title()}
        </h2>
        <p className={css.statusText}>{delayed_since === null ? text : m.data_delayed_text()}</p>
        <dl className={css.players} data-many={summary.playersNow < 10_000 ? undefined : ""}>
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
                <Link to={`/servers/${fullest.id}`}>{fullest.name}</Link>
                <PlayerCount online={fullest.online} max={fullest.max} size="s" />
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
        {delayed_since !== null && <p className={css.delayed}>{m.data_delayed_text()}</p>}
        <Link to="/dashboard" className={css.bannerLink}>
          {m.servers_of_servers({ online: counts.online, count: summary.serversTotal })}
        </Link>
      </section>
    </>
  );
}
