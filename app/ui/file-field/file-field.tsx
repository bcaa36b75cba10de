// File field for a picture, with its requirements.
import { useId, useRef } from "react";
import { m } from "../../paraglide/messages.js";
import { useOwnError } from "../text-field/own-error.ts";
import css from "./file-field.module.css";

/** `required`: the form can't be sent without a picture. */
export function FileField(props: { label: string; name: string; hint: string; required?: boolean }) {
  const { label, name, hint, required = true } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { error, asked } = useOwnError(field, { label, error: null, missing: m.file_missing() });
  return (
    <label className={css.field}>
      <span className={css.label}>{label}</span>
      <input
        {...asked}
        ref={field}
        type="file"
        name={name}
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        required={required}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
      />
      {error && (
        <span id={id} className={css.error}>
          {error}
        </span>
      )}
      <span className={css.hint}>{hint}</span>
    </label>
  );
}
