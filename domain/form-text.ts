// Cleans and limits submitted texts: removes invisible characters; errors are `missing` and `too_long`. Converts a form's text
// fields to and from a shape's types.
import { z } from "zod";
import { fieldError } from "#shared/field-error-codes.ts";

/** Control characters and those that reverse or hide text; line breaks and tabs of longer texts stay. */
const HIDDEN = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/gu;

const cleaned = z
  .string(fieldError("missing"))
  .transform((value) => value.replaceAll("\r\n", "\n").replace(HIDDEN, "").trim());
const oneLine = cleaned.transform((value) => value.replace(/\s+/g, " "));

// Counts code points like the database and JSON Schema's maxLength, not UTF-16 units.
const within = (most: number) => (value: string) => [...value].length <= most;

/** Cuts a text to a limit, never inside a character. */
export const fitted = (text: string, most: number): string => [...text].slice(0, most).join("").trim();

const filled = (text: typeof cleaned | typeof oneLine) =>
  text.refine((value) => value !== "", { error: fieldError("missing"), abort: true });

/** One line, may be empty. */
export const line = (most: number) => oneLine.refine(within(most), fieldError("too_long")).meta({ maxLength: most });

/** One required line. */
export const filledLine = (most: number) =>
  filled(oneLine).refine(within(most), fieldError("too_long")).meta({ minLength: 1, maxLength: most });

/** Several lines, may be empty. */
export const lines = (most: number) => cleaned.refine(within(most), fieldError("too_long")).meta({ maxLength: most });

/** Several lines, required. */
export const filledLines = (most: number) => filled(cleaned).refine(within(most), fieldError("too_long"));

/** A list of unique, non-empty lines: at most `entries` of at most `most` characters. */
export const list = (entries: number, most: number) =>
  z
    .array(oneLine.meta({ maxLength: most }))
    .transform((values) => [...new Set(values)].filter((value) => value !== ""))
    .refine((values) => values.length <= entries && values.every(within(most)), fieldError("too_long"))
    .meta({ maxItems: entries });

/** A whole number within a range, or null; `number` is the error for anything else. */
const wholeNumber = (least: number, most: number) =>
  oneLine
    .refine(
      (value) => value === "" || (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most),
      fieldError("number"),
    )
    .transform((value) => (value === "" ? null : Number(value)));

/** A required whole number within a range. */
export const filledNumber = (least: number, most: number) =>
  wholeNumber(least, most)
    .refine((value) => value !== null, fieldError("missing"))
    .transform((value) => value ?? least);

/** A shape's values as a form sends them: checkboxes as booleans, texts for everything else. */
export type Texts<Fields> = { [Name in keyof Fields]-?: NonNullable<Fields[Name]> extends boolean ? boolean : string };

/** Reads a shape's fields from a form as typed; ignores all others. */
export function readTexts<Shape extends z.ZodObject>(shape: Shape, form: FormData): Texts<z.input<Shape>> {
  const read = Object.entries(shape.shape).map(([name, field]) => [
    name,
    innermost(field) instanceof z.ZodBoolean ? form.has(name) : String(form.get(name) ?? ""),
  ]);
  return Object.fromEntries(read);
}

/**
 * Converts texts to a shape's input: whole numbers, lists and times (in UTC) where it expects them, null for empty text.
 * Unparsable text stays text, for the shape to refuse.
 */
export const fromTexts = (shape: z.ZodObject, texts: Record<string, string | boolean>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fromText(shape.shape[name], text)]));

function fromText(shape: z.core.$ZodType | undefined, given: string | boolean): unknown {
  const wanted = shape && innermost(shape);
  if (typeof given === "boolean") return given;
  const text = given.trim();
  if (wanted instanceof z.ZodArray) return readList(text);
  if (wanted instanceof z.ZodNumber) return text === "" ? null : /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (wanted instanceof z.ZodISODateTime) return text === "" ? null : `${text}${text.length === 16 ? ":00" : ""}Z`;
  return given;
}

/** The values of a shape as a form shows them. */
export function toTexts<Fields extends Record<string, string | number | boolean | string[] | null>>(
  shape: z.ZodObject,
  fields: Fields,
): Texts<Fields> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (typeof value === "boolean") return [name, value];
      if (Array.isArray(value)) return [name, writeList(value)];
      const wanted = shape.shape[name];
      const moment = wanted !== undefined && innermost(wanted) instanceof z.ZodISODateTime;
      return [name, String(value ?? "").slice(0, moment ? "2026-11-20T18:30".length : undefined)];
    }),
  ) as Texts<Fields>;
}

/** An entry with its comma, line break or end: in straight or curly quotes, or unquoted. */
const ENTRY = /[^\S\n]*(?:(?:"((?:[^"\n]|"")*)"|[“„]([^“”\n]*)[“”])[^\S\n]*(?=[,\n]|$)|([^,\n]*))(?:[,\n]|$)/g;

/** Splits a list by lines or commas. An entry with a comma of its own is in "quotes". */
const readList = (text: string): string[] =>
  [...text.matchAll(ENTRY)].map(([, quoted, curly, plain]) => quoted?.replaceAll('""', '"') ?? curly ?? plain ?? "");

/** Writes a list with commas, so that it reads back unchanged. */
const writeList = (entries: readonly string[]): string =>
  entries.map((entry) => (/,|^["“„]/.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry)).join(", ");

/** The inner shape without optional or cleaning wrappers. */
function innermost(shape: z.core.$ZodType): z.core.$ZodType {
  if (shape instanceof z.ZodPrefault || shape instanceof z.ZodNullable) return innermost(shape.unwrap());
  return shape instanceof z.ZodPipe ? innermost(shape.in) : shape;
}
