// Holds the place of what is still loading, in its final size, so that nothing moves when it comes.
import type { ReactNode } from "react";
import css from "./skeleton.module.css";

/** `shape`: a line of text, a title, a round avatar, a button, a field, or a block that fills its parent. */
export function Skeleton({ shape = "line" }: { shape?: "line" | "title" | "avatar" | "button" | "field" | "block" }) {
  return <span className={css.skeleton} data-shape={shape} aria-hidden="true" />;
}

/** A part of a page that is loading: said once to those who cannot see it. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        {label}
      </span>
      {children}
    </div>
  );
}
