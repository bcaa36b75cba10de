// Translates field errors of admin forms: from the codes of domain shapes to texts.
import { z } from "zod";
import { type FieldErrorCode, isFieldErrorCode } from "#shared/field-error-codes.ts";
import type { Difference, FieldErrors } from "#shared/form-answer.ts";
import { JOIN_SCHEMES } from "#shared/join-href.ts";
import { refuseFields } from "#web/forms/handle-form.ts";
import { formatNumber, here, language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { numberText } from "../../ui/text-field/own-error.ts";
import { EXAMPLES, GUIDE_PLACEHOLDERS, JOIN_LINK_PLACEHOLDERS } from "./games/examples.ts";

const TEXTS: Record<Exclude<FieldErrorCode, "name_taken">, () => string> = {
  missing: m.admin_fault_missing,
  too_long: m.admin_fault_too_long,
  too_many: m.admin_fault_too_many,
  number: m.field_number,
  no_slug: m.admin_fault_no_slug,
  reserved: m.admin_fault_reserved,
  taken: m.admin_fault_taken,
  no_https: () => m.admin_fault_no_https({ placeholder: EXAMPLES.link_placeholder }),
  no_placeholder: () => m.admin_fault_no_placeholder({ placeholders: GUIDE_PLACEHOLDERS }),
  no_link_name: m.admin_fault_no_link_name,
  twice: m.admin_fault_twice,
  no_join_link: () => {
    const oneOf = new Intl.ListFormat(language(), { type: "disjunction" });
    return m.admin_fault_no_join_link({ schemes: oneOf.format(JOIN_SCHEMES) });
  },
  no_join_placeholder: () => m.admin_fault_no_join_placeholder({ placeholders: JOIN_LINK_PLACEHOLDERS }),
  no_access: m.admin_fault_no_access,
  no_host: m.admin_fault_no_host,
  closed_host: m.admin_fault_closed_host,
  closed_port: m.admin_fault_closed_port,
  no_port: m.admin_fault_no_port,
  choose_game: m.admin_fault_choose_game,
  no_game: m.admin_fault_no_game,
  no_choice: m.admin_fault_no_choice,
  no_moment: m.field_no_moment,
  past: m.admin_fault_past,
  ends_early: m.admin_fault_ends_early,
  no_hex: m.admin_fault_no_hex,
  no_email: m.admin_fault_no_email,
  no_network: m.admin_fault_no_network,
  malformed: m.admin_fault_malformed,
};

/** Returns the text of a code. For a taken name, which needs the other game, use `nameTakenText`. */
export const fieldErrorText = (code: keyof typeof TEXTS): string => TEXTS[code]();

/** Checks the sent fields by a shape; returns them or the refusal that marks them. `problem`: text above them. */
export function checkFields<Shape extends z.ZodType>(
  shape: Shape,
  given: unknown,
  problem: string | null = m.admin_check_fields(),
) {
  const checked = shape.safeParse(given);
  return checked.success
    ? { ok: true as const, data: checked.data }
    : refuseFields(fieldErrorsOf(checked.error.issues, shape), problem);
}

/** Refuses the form because of one field. */
export const refuseField = (name: string, text: string) => refuseFields({ [name]: text }, m.admin_check_fields());

/** Returns the first error of each field, by name; the parts of a path are joined by dots. */
function fieldErrorsOf(issues: readonly z.core.$ZodIssue[], shape: z.ZodType): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of issues) {
    const code = isFieldErrorCode(message) && message !== "name_taken" ? message : "no_choice";
    errors[path.join(".")] ??= code === "number" ? numberText(limitsOf(shape, String(path[0]))) : fieldErrorText(code);
  }
  return errors;
}

/** Returns a number's limits, both inclusive; null: the shape has none. */
function limitsOf(shape: z.ZodType, name: string): [least: number, most: number] | null {
  const field = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" }).properties?.[name];
  if (typeof field !== "object") return null;
  for (const said of [field, ...(field.anyOf ?? [])])
    if (typeof said === "object" && said.minimum !== undefined && said.maximum !== undefined)
      return [said.minimum, said.maximum];
  return null;
}

/** Text for a taken name; `by` is the game that has it. */
export const nameTakenText = (by: { game_name: string; game_slug: string }): string =>
  m.admin_fault_name_taken({ name: by.game_name, path: here(`/games/${by.game_slug}`) });

/** Lists the fields in which two states of a form differ, for people to compare. */
export function differences<Form extends Record<string, unknown>>(
  theirs: Form,
  yours: Form,
  labels: Partial<Record<keyof Form, string>>,
): Difference[] {
  return (Object.keys(theirs) as (keyof Form)[])
    .map((name) => ({ label: labels[name] ?? String(name), theirs: asText(theirs[name]), yours: asText(yours[name]) }))
    .filter((row) => row.theirs !== row.yours);
}

function asText(value: unknown): string {
  if (typeof value === "boolean") return value ? m.admin_yes() : m.admin_no();
  if (typeof value === "number") return formatNumber(value);
  if (Array.isArray(value)) return value.map(asText).join("\n");
  if (typeof value === "object" && value !== null) return Object.values(value).map(asText).join("\t");
  return String(value ?? "");
}
