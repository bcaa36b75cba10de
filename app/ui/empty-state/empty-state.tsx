// Placeholder for an empty list: what will be there, and the next step.
import type { ReactNode } from "react";
import css from "./empty-state.module.css";

type Props = {
  title: string;
  /** Sentences, and links or buttons. */
  children: ReactNode;
};

export function EmptyState({ title, children }: Props) {
  return (
    <div className={css.empty}>
      <p className={css.title}>{title}</p>
      {children}
    </div>
  );
}
