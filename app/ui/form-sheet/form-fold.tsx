// A part of a form that few need: folded, with a line that says what is set in it. It opens by itself where a field in it is wrong
// (its fields do that too, see own-error.ts) or is what the address leads to, and without script by a press, as everywhere.
import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import type { FieldErrors } from "#shared/form-answer.ts";
import { m } from "../../paraglide/messages.js";
import css from "./form-fold.module.css";

/** Folds that somebody opened, by page and name: a form that is made anew shows them as they were. Browsers alone fill it. */
const opened = new Set<string>();

type Props = {
  /** Unlike any other's on its page. */
  name: string;
  title: string;
  /** What is set in it, in one line. */
  said: string;
  /** The names of its fields; parts of a field (`links.0.url`) belong to it. */
  fields: readonly string[];
  fieldErrors: FieldErrors;
  /** When it is opened or closed: time to say anew what is set in it. */
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
