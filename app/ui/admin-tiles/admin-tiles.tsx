// Figures of the admin area: tiles with one number each, and short lists of facts.
import type { ReactNode } from "react";
import { Link } from "../link/link.tsx";
import css from "./admin-tiles.module.css";

export function Tiles({ children }: { children: ReactNode }) {
  return <ul className={css.tiles}>{children}</ul>;
}

type TileProps = {
  label: string;
  figure: string;
  note?: string | undefined;
  /** Needs action. */
  act?: boolean;
  to?: string | undefined;
};

export function Tile({ label, figure, note, act, to }: TileProps) {
  return (
    <li className={css.tile} data-act={act || undefined}>
      <span className={css.label}>
        {to ? (
          <Link to={to} className={css.link}>
            {label}
          </Link>
        ) : (
          label
        )}
      </span>
      <span className={css.figure}>{figure}</span>
      {note && <span className={css.note}>{note}</span>}
    </li>
  );
}

/** `wide`: side by side where there is room. */
export function FactList({ wide, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <dl className={css.facts} data-wide={wide || undefined}>
      {children}
    </dl>
  );
}

/** `more`: a line below with an error. */
export function Fact(props: { label: string; bad?: boolean; more?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.fact} data-bad={props.bad || undefined}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
      {props.more && <dd className={css.more}>{props.more}</dd>}
    </div>
  );
}
