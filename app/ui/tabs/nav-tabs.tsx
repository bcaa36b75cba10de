// The pages of one thing, side by side: links that say which of them one is on.
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
