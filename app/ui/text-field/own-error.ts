// What a field says itself before its form is sent, in a text of ours and beside the field: a form of the site asks its fields so
// (see Form), and the browser's own bubbles, in the browser's language and over what stands there, never come.
import { type RefObject, type SyntheticEvent, useState } from "react";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

type Options = {
  label: string;
  /** What the server says of it. */
  error: string | null | undefined;
  /** What is said where nothing was given; otherwise that the field is required. */
  missing?: string | undefined;
  /** What is said where it is not as its `pattern` asks. */
  mismatch?: string | undefined;
};

/** `error`: what is wrong, the own finding first. `asked`: the handlers for the field, which has the attributes of its rules. */
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

/** What is said of a number that is none, or none between its limits (both included). */
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
