// Why a field is refused: the codes that the shapes of forms give, and that every list of texts has to have a text for.

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
] as const;

export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

/** For the error of a check in a shape: a code that nobody has a text for does not compile. */
export const fieldError = (code: FieldErrorCode): FieldErrorCode => code;

/** Whether the message of an issue is one of ours; Zod's own are none. */
export const isFieldErrorCode = (text: string): text is FieldErrorCode =>
  FIELD_ERROR_CODES.some((code) => code === text);
