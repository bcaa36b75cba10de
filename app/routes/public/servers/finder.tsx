// Finding a game server: the filter row, how many it leaves, and the rows with the way in on each.

import { type FilterChoices, filterQuery, isFiltering } from "#shared/server-filter.ts";
import { useFavourites } from "../../../favourites.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { EmptyState } from "../../../ui/empty-state/empty-state.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { FilterRow } from "./filter-row.tsx";
import type { FindableServer } from "./findable-servers.ts";
import css from "./finder.module.css";
import { ServerTable } from "./table.tsx";
import { useServerFilter } from "./use-server-filter.ts";
import { useSettledServers } from "./use-settled-servers.ts";

type Props = {
  /** Where the list is, in English: "/" or "/dashboard". */
  path: string;
  servers: FindableServer[];
  choices: FilterChoices;
  /** The texts of locations that read otherwise than they are written. */
  places: Record<string, string>;
  /** Rows of a page. */
  rows: number;
  /** The rest is a page further down the same list, or all on the dashboard. */
  rest: "pages" | "dashboard";
  /** The id of the heading that names the list. */
  labelledBy: string;
};

export function ServerFinder({ path, servers, choices, places, rows, rest, labelledBy }: Props) {
  const [asked, change] = useServerFilter(choices);
  const favourites = useFavourites();
  // The server knows no favourites: until the browser's are there, the page is as it came.
  const filter = favourites === null ? { ...asked, favourites: false } : asked;
  const found = useSettledServers(servers, filter, favourites);
  const pages = rest === "pages" ? Math.max(1, Math.ceil(found.length / rows)) : 1;
  const page = Math.min(filter.page, pages);
  const shown = found.slice((page - 1) * rows, page * rows);
  const games = choices.games.flatMap((slug) => {
    const label = servers.find(({ game_slug }) => game_slug === slug)?.game_name;
    return label ? [{ value: slug, label }] : [];
  });
  const regions = choices.regions.map((region) => ({ value: region, label: places[region] ?? region }));
  const filtering = isFiltering(filter);
  const counts = { found: formatNumber(found.length), count: servers.length };
  return (
    <div className={css.finder}>
      {(servers.length > 1 || filtering) && (
        <FilterRow path={path} games={games} regions={regions} filter={filter} onChange={change} />
      )}
      <p className={css.count}>
        <span role="status">{filtering ? m.filter_found(counts) : m.filter_all(counts)}</span>
        {filtering && shown.length > 0 && <Clear path={path} />}
      </p>
      {shown.length > 0 ? (
        <ServerTable servers={shown} places={places} favourites={favourites} labelledBy={labelledBy} />
      ) : (
        <Nothing path={path} favourites={filter.favourites && favourites?.size === 0} />
      )}
      {rest === "dashboard" && found.length > shown.length && (
        <Link to={`/dashboard${filterQuery(filter)}`} prefetch="intent" className={css.more}>
          {m.filter_more(counts)}
        </Link>
      )}
      {pages > 1 && (
        <nav className={css.pages} aria-label={m.filter_pages()}>
          {page > 1 && (
            <PageLink to={`${path}${filterQuery({ ...filter, page: page - 1 })}`}>{m.filter_previous()}</PageLink>
          )}
          <span>{m.filter_page({ page: formatNumber(page), pages: formatNumber(pages) })}</span>
          {page < pages && (
            <PageLink to={`${path}${filterQuery({ ...filter, page: page + 1 })}`}>{m.filter_next()}</PageLink>
          )}
        </nav>
      )}
    </div>
  );
}

function PageLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} defaultShouldRevalidate={false} className={css.more}>
      {children}
    </Link>
  );
}

function Clear({ path }: { path: string }) {
  return (
    <Link to={path} replace preventScrollReset defaultShouldRevalidate={false} className={css.more}>
      {m.filter_clear()}
    </Link>
  );
}

/** Says that nothing passes, and how to see everything again. */
function Nothing({ path, favourites }: { path: string; favourites: boolean }) {
  return (
    <EmptyState title={favourites ? m.filter_no_favourites() : m.filter_nothing()}>
      <p>{favourites ? m.filter_no_favourites_text() : m.filter_nothing_text()}</p>
      <Clear path={path} />
    </EmptyState>
  );
}
