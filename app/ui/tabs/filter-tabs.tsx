// Filter tabs of a list: links that set one parameter and return to the first page.
import { useLocation } from "react-router";
import { addressWith } from "../data-table/list-address.ts";
import { Link } from "../link/link.tsx";
import css from "./nav-tabs.module.css";

type Props = {
  label: string;
  /** Name in the address. */
  name: string;
  value: string;
  /** The first one is the default, without a parameter. */
  tabs: { value: string; label: string }[];
};

export function FilterTabs({ label, name, value, tabs }: Props) {
  const { search } = useLocation();
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map((tab, place) => (
        <Link
          key={tab.value}
          to={addressWith(search, { [name]: place === 0 ? null : tab.value, page: null })}
          className={css.tab}
          aria-current={tab.value === value ? "page" : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
