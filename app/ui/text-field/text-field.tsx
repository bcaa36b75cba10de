// One labelled line of a form, with its hint and its error beside it; a password can be shown.
import { type ComponentProps, type ReactNode, useId, useRef, useState } from "react";
import { useFaultFocus } from "./fault-focus.ts";
import { useOwnFault } from "./own-fault.ts";
import css from "./text-field.module.css";

type Props = {
  label: string;
  name: string;
  /** Said before anything is wrong. */
  hint?: ReactNode;
  /** What is wrong, in words; the field is marked by it. */
  error?: string | null | undefined;
  /** What is said where it was left empty; otherwise that it is required. */
  missing?: string | undefined;
  /** For a password: the words on the button that shows it, and on the one that hides it. */
  reveal?: { show: string; hide: string };
} & Omit<ComponentProps<"input">, "className" | "id" | "name">;

export function TextField({ label, hint, error: told, missing, reveal, ...input }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  const { error, asked } = useOwnFault(field, { label, error: told, missing });
  useFaultFocus(field, error);
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className={css.field} data-invalid={error ? "" : undefined}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      <span className={css.box}>
        <input
          {...input}
          {...asked}
          ref={field}
          id={id}
          type={reveal && shown ? "text" : input.type}
          className={css.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        {reveal && (
          <button
            type="button"
            className={css.reveal}
            aria-pressed={shown}
            aria-controls={id}
            aria-label={shown ? reveal.hide : reveal.show}
            title={shown ? reveal.hide : reveal.show}
            onClick={() => {
              setShown(!shown);
              field.current?.focus();
            }}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M1.8 10S4.7 4.6 10 4.6 18.2 10 18.2 10 15.3 15.4 10 15.4 1.8 10 1.8 10Z" />
              <circle cx="10" cy="10" r="2.6" />
              {!shown && <path d="m3.4 16.6 13.2-13.2" />}
            </svg>
          </button>
        )}
      </span>
      {hint && (
        <span id={`${id}-hint`} className={css.hint}>
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={css.error}>
          {error}
        </span>
      )}
    </div>
  );
}
