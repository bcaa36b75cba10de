// Head of an admin page: title, parent and main actions.
import type { ReactNode } from "react";
import { m } from "../../paraglide/messages.js";
import { Link } from "../link/link.tsx";
import { PageTitle } from "../page-title/page-title.tsx";
import css from "./admin-heading.module.css";

type Props = {
  title: string;
  /** The list that the page belongs to. */
  up?: { to: string; label: string };
  /** Line under the title. */
  note?: ReactNode;
  /** Buttons of the whole page. */
  children?: ReactNode;
};

export function AdminHeading({ title, up, note, children }: Props) {
  return (
    <header className={css.heading}>
      <PageTitle>{m.admin_page_title({ page: title })}</PageTitle>
      <div className={css.words}>
        {up && (
          <Link to={up.to} className={css.up}>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <path d="M7.5 2.5 4 6l3.5 3.5" />
            </svg>
            {up.label}
          </Link>
        )}
        <h1 className={css.title}>{title}</h1>
        {note && <p className={css.note}>{note}</p>}
      </div>
      {children && <div className={css.acts}>{children}</div>}
    </header>
  );
}
