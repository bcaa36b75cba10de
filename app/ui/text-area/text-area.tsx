// A labelled textarea, with hint and error.
import { type ComponentProps, type ReactNode, useId, useRef } from "react";
import { useErrorFocus } from "../text-field/error-focus.ts";
import { describedBy, FieldNotes } from "../text-field/field-notes.tsx";
import { useOwnError } from "../text-field/own-error.ts";
import field from "../text-field/text-field.module.css";
import { useKeptTyped } from "./keep-typed.ts";
import css from "./text-area.module.css";

type Props = {
  label: string;
  name: string;
  /** Shown before any error. */
  hint?: ReactNode;
  /** Error text; marks the field. */
  error?: string | null | undefined;
  /** Text for an empty field; default: that it is required. */
  missing?: string | undefined;
} & Omit<ComponentProps<"textarea">, "className" | "id" | "name">;

export function TextArea({ label, hint, error: told, missing, ...area }: Props) {
  const id = useId();
  const own = useRef<HTMLTextAreaElement>(null);
  const { error, asked } = useOwnError(own, { label, error: told, missing });
  useErrorFocus(own, error);
  useKeptTyped(own, id);
  return (
    <div className={field.field} data-invalid={error ? "" : undefined}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <textarea
        rows={8}
        {...area}
        {...asked}
        ref={own}
        id={id}
        className={`${field.input} ${css.area}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { hint, error })}
      />
      <FieldNotes of={id} hint={hint} error={error} />
    </div>
  );
}
