// Tabs between pages, with the current one marked.
import { NavLink } from "../link/link.tsx";
import css from "./nav-tabs.module.css";

export function NavTabs({ label, tabs }: { label: string; tabs: { to: string; label: string }[] }) {
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map(({ to, label }) => (
        <NavLink key={to} to={to} end className={css.tab}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
