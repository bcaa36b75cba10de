// A labelled choice of the contact form, with its error beside it.
import { useId } from "react";
import css from "./contact.module.css";

export function Choice(props: {
  name: string;
  label: string;
  none: string;
  labels: Record<string, () => string>;
  chosen: string | undefined;
  error: string | undefined;
}) {
  const id = useId();
  return (
    <div className={css.choice} data-invalid={props.error ? "" : undefined}>
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        name={props.name}
        defaultValue={props.chosen ?? ""}
        aria-invalid={props.error ? true : undefined}
        aria-describedby={props.error ? `${id}-error` : undefined}
      >
        <option value="">{props.none}</option>
        {Object.entries(props.labels).map(([value, label]) => (
          <option key={value} value={value}>
            {label()}
          </option>
        ))}
      </select>
      {props.error && (
        <span id={`${id}-error`} className={css.error}>
          {props.error}
        </span>
      )}
    </div>
  );
}
