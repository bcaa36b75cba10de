// The parts of a long form: named sections, fields side by side where there is room, and the acts at its end.
import type { ReactNode } from "react";
import css from "./form-sheet.module.css";

/** Put it around a form's content. */
export function FormSheet({ children }: { children: ReactNode }) {
  return <div className={css.sheet}>{children}</div>;
}

export function FormSection({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={css.section}>
      <legend className={css.legend}>{title}</legend>
      {note && <p className={css.note}>{note}</p>}
      {children}
    </fieldset>
  );
}

/** Fields side by side: `of` how many where there is room. */
export function FormRow({ of = 2, children }: { of?: 2 | 3; children: ReactNode }) {
  return (
    <div className={css.row} data-of={of}>
      {children}
    </div>
  );
}

/** The buttons at the end. */
export function FormActs({ children }: { children: ReactNode }) {
  return <div className={css.acts}>{children}</div>;
}
