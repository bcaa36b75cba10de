// Placeholder of loading content, in its final size, so that nothing moves.
import type { ReactNode } from "react";
import css from "./skeleton.module.css";

/** `shape`: a line of text, a title, a round avatar, a button, a field, or a block that fills its parent. */
export function Skeleton({ shape = "line" }: { shape?: "line" | "title" | "avatar" | "button" | "field" | "block" }) {
  return <span className={css.skeleton} data-shape={shape} aria-hidden="true" />;
}

/** A loading part of a page: announced once to screen readers. */
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
