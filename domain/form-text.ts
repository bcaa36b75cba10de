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

/** A list, written one to a line or with commas between: at most `entries` of at most `most` characters, each once. */
export const list = (entries: number, most: number) =>
  cleaned
    .transform((value) => [...new Set(value.split(/[\n,]/).map((entry) => entry.replace(/\s+/g, " ").trim()))])
    .transform((values) => values.filter((value) => value !== ""))
    .refine((values) => values.length <= entries && values.every(within(most)), fieldError("too_long"));

/** A whole number between two, or nothing: `number` is the error for anything else. */
export const wholeNumber = (least: number, most: number) =>
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
export type Texts<Fields> = { [Name in keyof Fields]: Fields[Name] extends boolean ? boolean : string };

/** What a form says of a shape's fields, as it was typed; everything else in it is ignored. */
export function readTexts<Shape extends z.ZodObject>(shape: Shape, form: FormData): Texts<z.input<Shape>> {
  const read = Object.entries(shape.shape).map(([name, field]) => [
    name,
    innermost(field) instanceof z.ZodBoolean ? form.has(name) : String(form.get(name) ?? ""),
  ]);
  return Object.fromEntries(read);
}

/** The shape of a value that is there, without what makes it optional or cleans it. */
function innermost(shape: z.core.$ZodType): z.core.$ZodType {
  if (shape instanceof z.ZodDefault || shape instanceof z.ZodNullable) return innermost(shape.unwrap());
  return shape instanceof z.ZodPipe ? innermost(shape.in) : shape;
}
