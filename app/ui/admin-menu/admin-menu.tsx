// Side menu of the admin area. On phones a button with the section's name; a popover, so it opens without script.
import { useLocation } from "react-router";
import { here } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { NavLink } from "../link/link.tsx";
import { useMenuOfPage } from "../menu-of-page.ts";
import css from "./admin-menu.module.css";

const ICONS = {
  dashboard: "M3 3h6v8H3zM11 3h6v5h-6zM11 10h6v7h-6zM3 13h6v4H3z",
  games:
    "M6 6.5h8a4 4 0 0 1 4 4v1.6a2.4 2.4 0 0 1-4.4 1.3L13 12.5H7l-.6.9A2.4 2.4 0 0 1 2 12.1v-1.6a4 4 0 0 1 4-4ZM6.5 8.5v3M5 10h3M13.5 9.2v.1M15.2 10.8v.1",
  gameservers: "M3 3.5h14v5.5H3zM3 11h14v5.5H3zM6 6.2v.1M6 13.7v.1M9.5 6.2H14M9.5 13.7H14",
  news: "M3 8.5h3.5l8-4.5v12l-8-4.5H3zM6.5 11.5l1.3 5h2.4l-1.2-4M17 8.2v3.6",
  media: "M3 4h14v12H3zM3.5 14.5l4-5 3.5 4 2.3-2.4 3.2 3.4M13 7.4v.1",
  status: "M2.5 10.5h3.2l2-5 3.6 9 2-4h4.2",
  messages: "M3 4.5h14v11H3zM3.5 5l6.5 5.5L16.5 5",
  notifications: "M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3M10 2.5V4",
  people:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c.4-3 2.6-4.5 5.5-4.5s5.1 1.5 5.5 4.5M13 3.8a3 3 0 0 1 0 5.4M14.5 12.3c1.9.6 3.2 2 3.5 4.2",
  audit: "M5 2.5h7l3.5 3.5v11.5H5zM11.5 2.5V6.5h4M7.5 10h5.5M7.5 13.5h5.5",
  settings: "M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
} as const;

/** Pending items of a section, as a figure and as text. */
type Count = { figure: string; label: string };

type Props = {
  /** Sections that the admin may open, in order. `to`: an English address of the site. */
  items: { to: string; label: string; icon: keyof typeof ICONS; count?: Count | undefined }[];
};

export function AdminMenu({ items }: Props) {
  const menu = useMenuOfPage();
  const { pathname } = useLocation();
  const current = items.find(({ to }) => pathname === here(to) || pathname.startsWith(`${here(to)}/`));
  return (
    <nav aria-label={m.admin_menu()} className={css.nav}>
      <button type="button" popoverTarget="admin-menu" className={css.opener}>
        <span className={css.where}>{m.admin_menu()}</span>
        <strong className={css.section}>{current?.label ?? m.admin_menu_open()}</strong>
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="m2.5 4.5 3.5 3.5 3.5-3.5" />
        </svg>
      </button>
      <div id="admin-menu" popover="auto" ref={menu} className={css.menu}>
        <ul className={css.items}>
          {items.map(({ to, label, icon, count }) => (
            <li key={to}>
              <NavLink to={to} className={css.item}>
                <svg viewBox="0 0 20 20" aria-hidden="true">
                  <path d={ICONS[icon]} />
                </svg>
                <span className={css.words}>{label}</span>
                {count && (
                  <>
                    <span className={css.count} aria-hidden="true">
                      {count.figure}
                    </span>
                    <span className="visually-hidden">{count.label}</span>
                  </>
                )}
              </NavLink>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
