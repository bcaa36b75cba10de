// Texts as people send them: cleaned of what cannot be seen, and with an end. An error's text is `missing` or `too_long`.
// And how a form, which knows texts alone, says what a shape wants to have.
import { z } from "zod";
import { fieldError } from "#shared/field-error-codes.ts";

/** Control characters and those that turn or hide text; line breaks and tabs of longer texts stay. */
const HIDDEN = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/gu;

const cleaned = z
  .string(fieldError("missing"))
  .transform((value) => value.replaceAll("\r\n", "\n").replace(HIDDEN, "").trim());
const oneLine = cleaned.transform((value) => value.replace(/\s+/g, " "));

// Counted like the database does, not in UTF-16; JSON Schema's maxLength counts the same way.
const within = (most: number) => (value: string) => [...value].length <= most;

/** A text as far as a shape's limit lets it be: cut where it is too long, never inside a character. */
export const fitted = (text: string, most: number): string => [...text].slice(0, most).join("").trim();

const filled = (text: typeof cleaned | typeof oneLine) =>
  text.refine((value) => value !== "", { error: fieldError("missing"), abort: true });

/** One line, perhaps empty. */
export const line = (most: number) => oneLine.refine(within(most), fieldError("too_long")).meta({ maxLength: most });

/** One line that must be there. */
export const filledLine = (most: number) =>
  filled(oneLine).refine(within(most), fieldError("too_long")).meta({ minLength: 1, maxLength: most });

/** Several lines, perhaps none. */
export const lines = (most: number) => cleaned.refine(within(most), fieldError("too_long")).meta({ maxLength: most });

/** Several lines that must be there. */
export const filledLines = (most: number) => filled(cleaned).refine(within(most), fieldError("too_long"));

/** A list of lines, each once and none empty: at most `entries` of at most `most` characters. */
export const list = (entries: number, most: number) =>
  z
    .array(oneLine.meta({ maxLength: most }))
    .transform((values) => [...new Set(values)].filter((value) => value !== ""))
    .refine((values) => values.length <= entries && values.every(within(most)), fieldError("too_long"))
    .meta({ maxItems: entries });

/** A whole number between two, or nothing: `number` is the error for anything else. */
const wholeNumber = (least: number, most: number) =>
  oneLine
    .refine(
      (value) => value === "" || (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most),
      fieldError("number"),
    )
    .transform((value) => (value === "" ? null : Number(value)));

/** A whole number between two that must be there. */
export const filledNumber = (least: number, most: number) =>
  wholeNumber(least, most)
    .refine((value) => value !== null, fieldError("missing"))
    .transform((value) => value ?? least);

/** What a form sends for a shape: ticks as booleans, texts for everything else. */
export type Texts<Fields> = { [Name in keyof Fields]-?: NonNullable<Fields[Name]> extends boolean ? boolean : string };

/** What a form says of a shape's fields, as it was typed; everything else in it is ignored. */
export function readTexts<Shape extends z.ZodObject>(shape: Shape, form: FormData): Texts<z.input<Shape>> {
  const read = Object.entries(shape.shape).map(([name, field]) => [
    name,
    innermost(field) instanceof z.ZodBoolean ? form.has(name) : String(form.get(name) ?? ""),
  ]);
  return Object.fromEntries(read);
}

/**
 * Texts as the input of a shape: whole numbers, lists and moments (in UTC) where it wants them, null where the text is empty.
 * What is none stays a text, for the shape to refuse.
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

/** An entry with the comma, line break or end behind it: in straight or curly quotes, or as it stands. */
const ENTRY = /[^\S\n]*(?:(?:"((?:[^"\n]|"")*)"|[“„]([^“”\n]*)[“”])[^\S\n]*(?=[,\n]|$)|([^,\n]*))(?:[,\n]|$)/g;

/** The entries of a list, one to a line or with commas between them. One that has a comma itself stands in "quotes". */
const readList = (text: string): string[] =>
  [...text.matchAll(ENTRY)].map(([, quoted, curly, plain]) => quoted?.replaceAll('""', '"') ?? curly ?? plain ?? "");

/** A list as people write it, with commas between them, to be read again as it was. */
const writeList = (entries: readonly string[]): string =>
  entries.map((entry) => (/,|^["“„]/.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry)).join(", ");

/** The shape of a value that is there, without what makes it optional or cleans it. */
function innermost(shape: z.core.$ZodType): z.core.$ZodType {
  if (shape instanceof z.ZodPrefault || shape instanceof z.ZodNullable) return innermost(shape.unwrap());
  return shape instanceof z.ZodPipe ? innermost(shape.in) : shape;
}
