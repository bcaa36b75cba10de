// Folded part of a form for rare settings, with a summary. Opens by itself for a field with an error (the fields do that too, see
// own-error.ts) or one that the address leads to, and without script by a press.
import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import type { FieldErrors } from "#shared/form-answer.ts";
import { m } from "../../paraglide/messages.js";
import css from "./form-fold.module.css";

/** Opened folds, by page and name, so that a new form shows the same. Only filled in browsers. */
const opened = new Set<string>();

type Props = {
  /** Unique on its page. */
  name: string;
  title: string;
  /** Summary in one line. */
  said: string;
  /** Names of its fields; includes parts of a field (`links.0.url`). */
  fields: readonly string[];
  fieldErrors: FieldErrors;
  /** Called on opening and closing, to update the summary. */
  onToggle?: (fold: HTMLDetailsElement) => void;
  children: ReactNode;
};

export function FormFold({ name, title, said, fields, fieldErrors, onToggle, children }: Props) {
  const { pathname } = useLocation();
  const key = `${pathname} ${name}`;
  const isWrong = Object.keys(fieldErrors).some((at) => fields.includes(at.replace(/\..*/, "")));
  const [open, setOpen] = useState(() => isWrong || opened.has(key));
  const [answered, setAnswered] = useState(fieldErrors);
  if (answered !== fieldErrors) {
    setAnswered(fieldErrors);
    if (isWrong) setOpen(true);
  }
  return (
    <details
      className={css.fold}
      open={open}
      data-wrong={isWrong || undefined}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open) opened.add(key);
        else opened.delete(key);
        onToggle?.(currentTarget);
      }}
    >
      <summary className={css.summary}>
        <span className={css.title}>{title}</span>
        <span className={css.said}>{isWrong ? m.admin_check_fields() : said}</span>
      </summary>
      <fieldset className={css.content} aria-label={title}>
        {children}
      </fieldset>
    </details>
  );
}
