// Menu of a member's settings: beside them on wide screens, above them on narrow ones.
import { NavLink } from "../link/link.tsx";
import css from "./settings-nav.module.css";

type Props = { label: string; pages: { to: string; label: string }[] };

export function SettingsNav({ label, pages }: Props) {
  return (
    <nav aria-label={label} className={css.nav}>
      <ul>
        {pages.map(({ to, label }) => (
          <li key={to}>
            <NavLink to={to} className={css.link} prefetch="intent">
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
