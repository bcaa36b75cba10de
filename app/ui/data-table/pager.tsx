// Pager: which rows are shown, and links to the others.
import { useLocation } from "react-router";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { Link } from "../link/link.tsx";
import css from "./data-table.module.css";
import type { ListState } from "./data-table.tsx";
import { addressWith } from "./list-address.ts";

const ARROWS = {
  first: "M9 2.5 5.5 6 9 9.5M3 2.5v7",
  previous: "M7.5 2.5 4 6l3.5 3.5",
  next: "M4.5 2.5 8 6 4.5 9.5",
  last: "M3 2.5 6.5 6 3 9.5M9 2.5v7",
};

export function Pager({ list, shown }: { list: ListState; shown: number }) {
  const { total, page, pages, from, more } = list;
  const least = (figure: number) => `${formatNumber(figure)}${more ? "+" : ""}`;
  const { search } = useLocation();
  const steps = [
    { arrow: "first", to: 1, label: m.admin_table_first(), open: page > 1 },
    { arrow: "previous", to: page - 1, label: m.admin_table_previous(), open: page > 1 },
    { arrow: "next", to: page + 1, label: m.admin_table_next(), open: page < pages },
    { arrow: "last", to: pages, label: m.admin_table_last(), open: page < pages && !more },
  ] as const;
  return (
    // An empty list is visible; screen readers need to be notified.
    <div className={total === 0 ? "visually-hidden" : css.foot}>
      <p role="status">
        {total === 0
          ? m.admin_table_none()
          : m.admin_table_rows({
              from: formatNumber(from),
              to: formatNumber(from + shown - 1),
              total: least(total),
            })}
        {page === pages && more && ` ${m.admin_table_narrow()}`}
      </p>
      {pages > 1 && (
        <nav aria-label={m.admin_table_pages()} className={css.pager}>
          {steps.slice(0, 2).map((step) => (
            <Step key={step.arrow} {...step} search={search} />
          ))}
          <span className={css.page}>{m.admin_table_page({ page: formatNumber(page), pages: least(pages) })}</span>
          {steps.slice(2).map((step) => (
            <Step key={step.arrow} {...step} search={search} />
          ))}
        </nav>
      )}
    </div>
  );
}

type StepProps = { arrow: keyof typeof ARROWS; to: number; label: string; open: boolean; search: string };

function Step({ arrow, to, label, open, search }: StepProps) {
  const icon = (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d={ARROWS[arrow]} />
    </svg>
  );
  if (!open) return <span className={css.step}>{icon}</span>;
  return (
    <Link
      to={addressWith(search, { page: to === 1 ? null : String(to) })}
      className={css.step}
      aria-label={label}
      title={label}
    >
      {icon}
    </Link>
  );
}
