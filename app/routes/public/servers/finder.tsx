// Game server finder: search and filter row, number of results, and rows with join buttons.
import { useEffect, useRef } from "react";
import { filterQuery, NO_FILTER, type ServerFilter } from "#shared/server-filter.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { EmptyState } from "../../../ui/empty-state/empty-state.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { FilterRow } from "./filter-row.tsx";
import css from "./finder.module.css";
import type { ServerList } from "./server-list.ts";
import { ServerTable } from "./table.tsx";
import { useServerList } from "./use-server-list.ts";

type Props = {
  /** English address of the list: "/", "/dashboard" or a game's page. */
  path: string;
  list: ServerList;
  /** Where the rest is: on further pages of the list, or on the dashboard. */
  rest: "pages" | "dashboard";
  /** The id of the heading that names the list. */
  labelledBy: string;
};

export function ServerFinder({ path, list: loaded, rest: further, labelledBy }: Props) {
  const { list, filter, isFiltering, isBusy, change, linkTo, favourites, noFavourites } = useServerList(path, loaded);
  const { servers, pages } = list;
  const { page } = loaded.filter;
  const count = useRef<HTMLParagraphElement>(null);
  const rest = filterQuery({ ...loaded.filter, page: 1 });
  const shown = useRef({ page, rest });
  useEffect(() => {
    const before = shown.current;
    shown.current = { page, rest };
    // After paging, focus moves to the top: the pressed link is below it, or gone. A search keeps its focus.
    if (before.page !== page && before.rest === rest) count.current?.focus({ preventScroll: true });
  }, [page, rest]);
  const counts = { found: formatNumber(list.found), count: list.total };
  const all = loaded.filter.sort === "" ? m.filter_all(counts) : m.filter_total(counts);
  return (
    <div className={css.finder}>
      {(list.total > 1 || isFiltering) && <FilterRow path={path} list={list} filter={filter} onChange={change} />}
      <p className={css.count} ref={count} tabIndex={-1}>
        <span role="status">
          {isFiltering ? m.filter_found(counts) : all}
          {list.besides}
        </span>
        {isFiltering && servers.length > 0 && <Clear path={path} />}
      </p>
      <div className={css.rows} aria-busy={isBusy || undefined}>
        {servers.length > 0 ? (
          <ServerTable servers={servers} sort={loaded.filter.sort} favourites={favourites} labelledBy={labelledBy} />
        ) : (
          <Nothing path={path} filter={loaded.filter} noFavourites={noFavourites} />
        )}
      </div>
      {further === "dashboard" && list.found > servers.length && (
        <Link {...elsewhere(linkTo(filter), path)} prefetch="intent" className={css.more}>
          {m.filter_more(counts)}
        </Link>
      )}
      {pages > 1 && (
        <nav className={css.pages} aria-label={m.filter_pages()}>
          {page > 1 && (
            <PageLink {...linkTo({ ...filter, page: page - 1 })} anchor={labelledBy}>
              {m.filter_previous()}
            </PageLink>
          )}
          <span>{m.filter_page({ page: formatNumber(page), pages: formatNumber(pages) })}</span>
          {page < pages && (
            <PageLink {...linkTo({ ...filter, page: page + 1 })} anchor={labelledBy}>
              {m.filter_next()}
            </PageLink>
          )}
        </nav>
      )}
    </div>
  );
}

/** Address of the same list on the dashboard. */
function elsewhere({ to, mask }: { to: string; mask?: string }, path: string): { to: string; mask?: string } {
  const there = (address: string) => `/dashboard${address.slice(path.length)}`;
  return { to: there(to), ...(mask && { mask: there(mask) }) };
}

function PageLink({ to, mask, anchor, children }: { to: string; mask?: string; anchor: string; children: string }) {
  return (
    <Link to={`${to}#${anchor}`} {...(mask && { mask: `${mask}#${anchor}` })} className={css.more}>
      {children}
    </Link>
  );
}

function Clear({ path }: { path: string }) {
  return (
    <Link to={path} replace preventScrollReset className={css.more}>
      {m.filter_clear()}
    </Link>
  );
}

/** Empty result with suggestions: only the words, another spelling, or no filter. */
function Nothing({ path, filter, noFavourites }: { path: string; filter: ServerFilter; noFavourites: boolean }) {
  if (noFavourites) {
    return (
      <EmptyState title={m.filter_no_favourites()}>
        <p>{m.filter_no_favourites_text()}</p>
        <Clear path={path} />
      </EmptyState>
    );
  }
  const words = filterQuery({ ...NO_FILTER, q: filter.q });
  const isSearchAlone = words === filterQuery({ ...filter, sort: "", page: 1 });
  return (
    <EmptyState title={m.filter_nothing()}>
      <p>{filter.q === "" ? m.filter_nothing_text() : m.filter_nothing_found()}</p>
      {words !== "" && !isSearchAlone && (
        <Link to={path + words} replace preventScrollReset className={css.more}>
          {m.filter_words_alone()}
        </Link>
      )}
      <Clear path={path} />
    </EmptyState>
  );
}
