// Describes the errors of a request's fields: from Zod's issues and the codes of domain shapes.
import type { z } from "zod";
import { type FieldErrorCode, isFieldErrorCode } from "#shared/field-error-codes.ts";
import type { FieldProblem } from "./problem.ts";

const TEXTS: Record<FieldErrorCode, string> = {
  missing: "This must be filled in.",
  too_long: "This is too long.",
  too_many: "These are too many.",
  number: "This is not a whole number within its limits.",
  no_slug: "Only small letters, digits and single hyphens between them.",
  reserved: "This address is reserved.",
  taken: "Another one has this address.",
  name_taken: "Another game has this name.",
  no_https: "This must be an https address.",
  no_placeholder: "This names a placeholder that there is not.",
  no_link_name: "Only small letters, digits and hyphens, at most thirty.",
  twice: "Another link has this name.",
  no_join_link: "This is no link that opens a game.",
  no_join_placeholder: "Only {host}, {port}, {name} and {password} are filled in.",
  no_access: "There is a password: say who may read it.",
  no_host: "This is neither a host name nor an address.",
  closed_host: "This address is not on the public internet and may not be asked.",
  closed_port: "This port may not be asked.",
  no_port: "This way of asking needs a port.",
  choose_game: "This must name a game by its game_id.",
  no_game: "There is no such game.",
  no_choice: "This is none of the choices.",
  no_moment: "This is no time as in 2026-11-20T18:30:00Z.",
  past: "This is in the past.",
  ends_early: "This is not after the beginning.",
  no_hex: "Only pairs of hexadecimal digits.",
  no_email: "This is no email address.",
  no_network: "This is no address or range, or too broad a one.",
  malformed: "Check the format.",
};

/** Gets the first error of each field. */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): FieldProblem[] {
  const errors = new Map<string, FieldProblem>();
  for (const issue of issues) {
    const fields = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 20) : [issue.path.join(".") || "(body)"];
    const code = isFieldErrorCode(issue.message) ? issue.message : null;
    for (const name of fields) {
      const field = name.slice(0, 100);
      if (errors.has(field)) continue;
      if (issue.code === "unrecognized_keys")
        errors.set(field, { field, code: "unknown", detail: "There is no such field." });
      else errors.set(field, code ? fieldProblem(field, code) : { field, code: issue.code, detail: issue.message });
    }
  }
  return [...errors.values()];
}

/** Describes a field's error, by its code. */
export const fieldProblem = (field: string, code: FieldErrorCode): FieldProblem => ({
  field,
  code,
  detail: TEXTS[code],
});
