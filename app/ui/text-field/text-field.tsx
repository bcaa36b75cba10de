// A labelled text field with hint and error; a password can be shown.
import { type ComponentProps, type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { Skeleton } from "../skeleton/skeleton.tsx";
import { useErrorFocus } from "./error-focus.ts";
import { describedBy, FieldNotes } from "./field-notes.tsx";
import { useOwnError } from "./own-error.ts";
import css from "./text-field.module.css";

type Props = {
  label: string;
  name: string;
  /** Shown before any error. */
  hint?: ReactNode;
  /** Error text; marks the field. */
  error?: string | null | undefined;
  /** Text for an empty field; default: that it is required. */
  missing?: string | undefined;
  /** Text for a value that doesn't match `pattern`. */
  mismatch?: string | undefined;
  /** For a password: labels of the buttons that show and hide it. */
  reveal?: { show: string; hide: string };
  /** default: a field of a form, with its own background. transparent: in a filter row. */
  variant?: "default" | "transparent";
  /** The label is for screen readers; others see the placeholder. */
  labelHidden?: boolean;
  /** While its value loads: shows the label, and a skeleton for the field. */
  skeleton?: boolean;
  ref?: Ref<HTMLInputElement>;
} & Omit<ComponentProps<"input">, "className" | "id" | "name" | "ref">;

export function TextField(props: Props) {
  const {
    label,
    hint,
    error: told,
    missing,
    mismatch,
    reveal,
    variant = "default",
    labelHidden,
    skeleton,
    ref,
    ...input
  } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  const { error, asked } = useOwnError(field, { label, error: told, missing, mismatch });
  useErrorFocus(field, error);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => field.current, []);
  if (skeleton) {
    return (
      <div className={css.field}>
        <span className={css.label}>{label}</span>
        <Skeleton shape="field" />
      </div>
    );
  }
  return (
    <div className={css.field} data-variant={variant} data-invalid={error ? "" : undefined}>
      <label htmlFor={id} className={labelHidden ? "visually-hidden" : css.label}>
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
          aria-describedby={describedBy(id, { hint, error })}
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
      <FieldNotes of={id} hint={hint} error={error} />
    </div>
  );
}
