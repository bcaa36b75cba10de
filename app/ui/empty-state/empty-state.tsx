// What stands where nothing is yet: what will be there, and what comes next.
import type { ReactNode } from "react";
import css from "./empty-state.module.css";

type Props = {
  title: string;
  /** Sentences, and the links or buttons that lead on. */
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
