// Validates fields before sending, with our texts beside the field: the site's forms call it (see Form), so the browser's bubbles,
// in its own language and over the content, never appear.
import { type RefObject, type SyntheticEvent, useState } from "react";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

type Options = {
  label: string;
  /** The server's error. */
  error: string | null | undefined;
  /** Text for an empty field; default: that it is required. */
  missing?: string | undefined;
  /** Text for a value that doesn't match `pattern`. */
  mismatch?: string | undefined;
};

/** `error`: the error, own check first. `asked`: handlers for the field, whose attributes are its rules. */
export function useOwnError<F extends Field>(field: RefObject<F | null>, { label, error, missing, mismatch }: Options) {
  const [own, setOwn] = useState<string | null>(null);
  return {
    error: own ?? error,
    asked: {
      onInvalid(event: SyntheticEvent<F>) {
        event.preventDefault();
        const { currentTarget } = event;
        setOwn(ownErrorText(currentTarget, { label, missing, mismatch }));
        currentTarget.closest("details")?.setAttribute("open", "");
        const first = currentTarget.form?.querySelector(":is(input, select, textarea):invalid");
        if (first !== currentTarget) return;
        field.current?.focus();
      },
      onInput({ currentTarget }: SyntheticEvent<F>) {
        if (own !== null && currentTarget.validity.valid) setOwn(null);
      },
    },
  };
}

/** Text for an invalid number, or one outside its limits (both inclusive). */
export const numberText = (limits: [least: number, most: number] | null): string =>
  limits ? m.field_number_between({ least: formatNumber(limits[0]), most: formatNumber(limits[1]) }) : m.field_number();

const limitsOf = (field: Field): [number, number] | null =>
  "min" in field && field.min !== "" && field.max !== "" ? [Number(field.min), Number(field.max)] : null;

function ownErrorText(field: Field, { label, missing, mismatch }: Omit<Options, "error">): string {
  const { validity } = field;
  if (validity.valueMissing) return missing ?? m.field_missing({ field: label });
  if ("minLength" in field && validity.tooShort) return m.field_too_short({ count: field.minLength });
  if ("maxLength" in field && validity.tooLong) return m.field_too_long({ count: field.maxLength });
  if (field.type === "email") return m.refused_email();
  if (field.type === "number") return numberText(limitsOf(field));
  if (field.type === "date" || field.type === "datetime-local") return m.field_no_moment();
  if (field.type === "url" && validity.typeMismatch) return m.field_no_link();
  if (mismatch !== undefined) return mismatch;
  return validity.patternMismatch && field.inputMode === "numeric" ? m.field_digits() : m.field_unfit();
}
