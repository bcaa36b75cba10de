// Lists why a field is refused: the error codes of form shapes, each of which needs a text in every list of texts.

const FIELD_ERROR_CODES = [
  "missing",
  "too_long",
  "too_many",
  "number",
  "no_choice",
  "no_slug",
  "reserved",
  "taken",
  "name_taken",
  "no_https",
  "no_placeholder",
  "no_link_name",
  "twice",
  "no_join_link",
  "no_join_placeholder",
  "no_access",
  "no_host",
  "closed_host",
  "no_port",
  "closed_port",
  "choose_game",
  "no_game",
  "no_moment",
  "past",
  "ends_early",
  "no_hex",
  "no_email",
  "no_network",
  "malformed",
] as const;

export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

/** Makes a check's error in a shape: a code without a text does not compile. */
export const fieldError = (code: FieldErrorCode): FieldErrorCode => code;

/** Checks whether an issue's message is one of these codes; Zod's own are not. */
export const isFieldErrorCode = (text: string): text is FieldErrorCode =>
  FIELD_ERROR_CODES.some((code) => code === text);
