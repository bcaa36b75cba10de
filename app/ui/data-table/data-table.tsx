// A list of the admin area: search, sorting, filters and pages all stand in the address (?q=, ?sort=, ?page=), so that it
// works without script, can be shared and survives a reload. What the address asks for is read by domain/paging.ts.
import { type ReactNode, useId } from "react";
import { useLocation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Link } from "../link/link.tsx";
import css from "./data-table.module.css";
import { addressWith } from "./list-address.ts";
import { Pager } from "./pager.tsx";
import { SearchForm } from "./search-form.tsx";

export type Column<Row> = {
  /** Its name; with `sortable` also the name in ?sort=. */
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  sortable?: boolean;
  /**
   * number: right-aligned tabular figures. action: the last column, buttons. word: the site's own short words, which are never
   * broken off. text is the default.
   */
  kind?: "text" | "number" | "action" | "word";
  /** What people call the row: it heads the card that the row becomes where columns do not fit. */
  names?: boolean;
};

/** Where a list stands; what readPage() of domain/paging.ts returns fits. */
export type ListState = {
  total: number;
  /** Rows were counted only so far: there are more, and more pages. */
  more?: boolean;
  page: number;
  pages: number;
  /** The number of the first row shown, counted from 1. */
  from: number;
  q: string;
  sort: string;
  descending: boolean;
};

type Props<Row> = {
  /** Names the table to those who cannot see what is above it. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
  /** Left out where all there are are shown, in the order given. */
  list?: ListState;
  /** The label of the search field; without it there is no search. */
  search?: string;
  /** More fields of the search form: <FilterSelect>. */
  filters?: ReactNode;
  /** Names of the filters in the address: search and pages keep them. */
  filterNames?: string[];
  /** Shown when there is nothing at all to list: what to do next. */
  empty: ReactNode;
};

const WHOLE: ListState = { total: 0, page: 1, pages: 1, from: 1, q: "", sort: "", descending: false };

/** From so many columns on, rows become cards sooner. */
const MANY_COLUMNS = 6;

/** The first column is the row's header; where columns do not fit, each row becomes a card with its labels. */
export function DataTable<Row>(props: Props<Row>) {
  const { columns, rows, filterNames = [] } = props;
  const list = props.list ?? { ...WHOLE, total: rows.length };
  const { search } = useLocation();
  const id = useId();
  const params = new URLSearchParams(search);
  const narrowed = list.q !== "" || filterNames.some((name) => params.get(name));
  return (
    <section aria-labelledby={id} className={css.list} data-many={columns.length >= MANY_COLUMNS || undefined}>
      {(props.search || props.filters) && (
        <SearchForm
          label={props.search}
          q={list.q}
          sort={params.get("sort")}
          narrowed={narrowed}
          filters={props.filters}
          filterNames={filterNames}
        />
      )}
      {rows.length === 0 ? (
        <div className={css.empty}>
          <p id={id} className="visually-hidden">
            {props.caption}
          </p>
          {narrowed ? (
            <>
              <p>{m.admin_table_nothing_found()}</p>
              <Link to={addressWith(search, { q: null, page: null, ...none(filterNames) })}>
                {m.admin_table_show_all()}
              </Link>
            </>
          ) : (
            props.empty
          )}
        </div>
      ) : (
        <table className={css.table}>
          <caption id={id} className="visually-hidden">
            {props.caption}
          </caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.key} column={column} list={list} search={search} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={props.rowKey(row)}>
                {columns.map((column, place) =>
                  place === 0 ? (
                    <th
                      key={column.key}
                      scope="row"
                      data-kind={column.kind}
                      data-label={column.label}
                      data-names={column.names}
                    >
                      <div>{column.cell(row)}</div>
                    </th>
                  ) : (
                    <td key={column.key} data-kind={column.kind} data-label={column.label} data-names={column.names}>
                      <div>{column.cell(row)}</div>
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager list={list} shown={rows.length} />
    </section>
  );
}

const none = (names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

function Head<Row>({ column, list, search }: { column: Column<Row>; list: ListState; search: string }) {
  const { key, label, kind } = column;
  if (!column.sortable) {
    return (
      <th scope="col" data-kind={kind}>
        {kind === "action" ? <span className="visually-hidden">{label}</span> : label}
      </th>
    );
  }
  const current = list.sort === key;
  const next = current && !list.descending ? `-${key}` : key;
  return (
    <th scope="col" data-kind={kind} aria-sort={current ? (list.descending ? "descending" : "ascending") : undefined}>
      <Link to={addressWith(search, { sort: next, page: null })} className={css.sort} preventScrollReset>
        {label}
        <svg viewBox="0 0 12 12" aria-hidden="true" data-way={current ? (list.descending ? "down" : "up") : "none"}>
          <path d="M6 9.5v-7M3 5.3 6 2.5l3 2.8" />
        </svg>
      </Link>
    </th>
  );
}
