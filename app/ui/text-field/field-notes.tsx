// Notes below a field: hint and error.
import type { ReactNode } from "react";
import css from "./text-field.module.css";

type Notes = { hint?: ReactNode; error: string | null | undefined };

/** Returns the ids of existing notes for aria-describedby; undefined: none. */
export function describedBy(id: string, { hint, error }: Notes): string | undefined {
  return [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ") || undefined;
}

export function FieldNotes({ of, hint, error }: Notes & { of: string }) {
  return (
    <>
      {hint && (
        <span id={`${of}-hint`} className={css.hint}>
          {hint}
        </span>
      )}
      {error && (
        <span id={`${of}-error`} className={css.error}>
          {error}
        </span>
      )}
    </>
  );
}
