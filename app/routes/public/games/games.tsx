// Lists every game by name, with current players; the home page shows only the most played.
import { siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { formatNumber, language } from "../../../language.ts";
import { livePage } from "../../../live/live-page.ts";
import { m } from "../../../paraglide/messages.js";
import { sitePicture } from "../../../share-picture.ts";
import { shareTags } from "../../../share-tags.ts";
import { EmptyState } from "../../../ui/empty-state/empty-state.tsx";
import { Link } from "../../../ui/link/link.tsx";
import type { Route } from "./+types/games";
import css from "./games.module.css";

/** Number of games from which the list is grouped by first letters, with a link for each. */
const MANY = 40;

/** With few games, the home page has them all. */
export const handle: RouteFacts = { sitemap: ({ games }) => (games.length > 0 ? [{}] : []) };

export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  return {
    site_name: site.settings.site_name,
    /** Figures at the time of loading: hundreds of games change too often to follow each. */
    games: site.games
      .map(({ game_id, game_slug, game_name }) => {
        const { players_reported, players_online, servers_online, servers_total } = site.totalsOf(game_id) ?? {};
        return {
          slug: game_slug,
          name: game_name,
          players: players_reported ? (players_online ?? 0) : null,
          online: servers_online ?? 0,
          total: servers_total ?? 0,
        };
      })
      .sort((a, b) => a.name.localeCompare(b.name, language(), { numeric: true })),
    live: livePage(site),
    share_picture: sitePicture(site),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { site_name, games, share_picture } = loaderData;
  return shareTags({
    title: m.games_title({ site: site_name }),
    description: m.games_description({ site: site_name, count: formatNumber(games.length) }),
    picture: share_picture,
  });
}

export default function Games({ loaderData: { games } }: Route.ComponentProps) {
  return (
    <div className={`page ${css.games}`}>
      <h1>{m.nav_games()}</h1>
      {games.length === 0 && (
        <EmptyState title={m.no_server_available()}>
          <p>{m.dashboard_empty()}</p>
        </EmptyState>
      )}
      {games.length < MANY ? <GameList games={games} /> : <ByLetter games={games} />}
    </div>
  );
}

type ListedGame = Route.ComponentProps["loaderData"]["games"][number];

/** Works without script: a letter is an anchor link. */
function ByLetter({ games }: { games: ListedGame[] }) {
  const letters = [...Map.groupBy(games, ({ name }) => letterOf(name))];
  return (
    <>
      <nav aria-label={m.games_letters()}>
        <ul className={css.letters}>
          {letters.map(([letter]) => (
            <li key={letter}>
              <a href={`#${idOf(letter)}`}>{letter}</a>
            </li>
          ))}
        </ul>
      </nav>
      {letters.map(([letter, ofLetter]) => (
        <section key={letter} className={css.section} aria-labelledby={idOf(letter)}>
          <h2 id={idOf(letter)}>{letter}</h2>
          <GameList games={ofLetter} />
        </section>
      ))}
    </>
  );
}

const DIGITS = "0–9";

/** Returns the letter of a name: Ö under O; names without a letter go under the digits, which come first. */
function letterOf(name: string): string {
  const [first = ""] = name.normalize("NFD").toUpperCase();
  return /\p{L}/u.test(first) ? first : DIGITS;
}

const idOf = (letter: string) => `letter-${letter === DIGITS ? "digits" : letter}`;

function GameList({ games }: { games: ListedGame[] }) {
  return (
    <ul className={css.list}>
      {games.map(({ slug, name, players, online, total }) => (
        <li key={slug}>
          <Link to={`/games/${slug}`} prefetch="intent" className={css.game}>
            <span className={css.name}>{name}</span>
            <span className={css.now}>
              {total === 0
                ? m.no_server_available()
                : [
                    players === null ? null : m.games_players({ count: players }),
                    m.servers_of_online({ online: formatNumber(online), total: formatNumber(total) }),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
