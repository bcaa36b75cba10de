// A labelled select, with hint and error.
import { type ComponentProps, type ReactNode, useId, useRef } from "react";
import { useErrorFocus } from "../text-field/error-focus.ts";
import { describedBy, FieldNotes } from "../text-field/field-notes.tsx";
import { useOwnError } from "../text-field/own-error.ts";
import field from "../text-field/text-field.module.css";
import css from "./select-field.module.css";

type Props = {
  label: string;
  name: string;
  /** In display order. An empty value is no choice. */
  options: { value: string; label: string; disabled?: boolean }[];
  hint?: ReactNode;
  /** Error text; marks the field. */
  error?: string | null | undefined;
  /** Text for an empty field; default: that it is required. */
  missing?: string | undefined;
} & Omit<ComponentProps<"select">, "className" | "id" | "name">;

export function SelectField({ label, options, hint, error: told, missing, ...select }: Props) {
  const id = useId();
  const own = useRef<HTMLSelectElement>(null);
  const { error, asked } = useOwnError(own, { label, error: told, missing });
  useErrorFocus(own, error);
  return (
    <div className={field.field} data-invalid={error ? "" : undefined}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <select
        {...select}
        {...asked}
        ref={own}
        id={id}
        className={`${field.input} ${css.select}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { hint, error })}
      >
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <FieldNotes of={id} hint={hint} error={error} />
    </div>
  );
}

/** A labelled tick box. */
export function CheckField({
  label,
  hint,
  ...input
}: { label: string; name: string; hint?: ReactNode } & Omit<
  ComponentProps<"input">,
  "className" | "id" | "name" | "type"
>) {
  const id = useId();
  return (
    <div className={css.check}>
      <input {...input} id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <span id={`${id}-hint`} className={css.hint}>
          {hint}
        </span>
      )}
    </div>
  );
}
