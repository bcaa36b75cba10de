// Admin list: search, sorting, filters and pages are in the address (?q=, ?sort=, ?page=), so that it works without script, can be
// shared and survives a reload. domain/paging.ts reads the address.
import { type ReactNode, useId } from "react";
import { useLocation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Link } from "../link/link.tsx";
import css from "./data-table.module.css";
import { addressWith } from "./list-address.ts";
import { Pager } from "./pager.tsx";
import { SearchForm } from "./search-form.tsx";

export type Column<Row> = {
  /** Column name; with `sortable` also the name in ?sort=. */
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  sortable?: boolean;
  /**
   * number: right-aligned tabular figures. action: last column, buttons. word: the site's own short words, which never break.
   * Default: text.
   */
  kind?: "text" | "number" | "action" | "word";
  /** Names the row: heads the card that the row becomes on small screens. */
  names?: boolean;
};

/** State of a list; the result of readPage() of domain/paging.ts fits. */
export type ListState = {
  total: number;
  /** The count is limited: there are more rows, and more pages. */
  more?: boolean;
  page: number;
  pages: number;
  /** Number of the first row shown, from 1. */
  from: number;
  q: string;
  sort: string;
  descending: boolean;
};

type Props<Row> = {
  /** Names the table for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
  /** Omitted if all rows are shown, in the given order. */
  list?: ListState;
  /** Label of the search field; without it there is no search. */
  search?: string;
  /** More fields of the search form: <FilterSelect>. */
  filters?: ReactNode;
  /** Filter names in the address: search and pages keep them. */
  filterNames?: string[];
  /** Shown for an empty list: what to do next. */
  empty: ReactNode;
};

const WHOLE: ListState = { total: 0, page: 1, pages: 1, from: 1, q: "", sort: "", descending: false };

/** Number of columns from which rows become cards sooner. */
const MANY_COLUMNS = 6;

/** The first column is the row's header; on small screens each row becomes a labelled card. */
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
