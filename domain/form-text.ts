// Texts as forms send them: cleaned of what cannot be seen, and with an end. An error's text is `missing` or `too_long`.
import { z } from "zod";

/** Control characters and those that turn or hide text; line breaks and tabs of longer texts stay. */
const HIDDEN = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/gu;

const cleaned = z.string("missing").transform((value) => value.replaceAll("\r\n", "\n").replace(HIDDEN, "").trim());
const oneLine = cleaned.transform((value) => value.replace(/\s+/g, " "));

// Counted like the database does, not in UTF-16.
const within = (most: number) => (value: string) => [...value].length <= most;

/** One line, perhaps empty. */
export const line = (most: number) => oneLine.refine(within(most), "too_long");

/** One line that must be there. */
export const filledLine = (most: number) =>
  oneLine.refine((value) => value !== "", { error: "missing", abort: true }).refine(within(most), "too_long");

/** Several lines, perhaps none. */
export const lines = (most: number) => cleaned.refine(within(most), "too_long");

/** A list, written one to a line or with commas between: at most `entries` of at most `most` characters, each once. */
export const list = (entries: number, most: number) =>
  cleaned
    .transform((value) => [...new Set(value.split(/[\n,]/).map((entry) => entry.replace(/\s+/g, " ").trim()))])
    .transform((values) => values.filter((value) => value !== ""))
    .refine((values) => values.length <= entries && values.every(within(most)), "too_long");

/** A whole number between two, or nothing: `number` is the error for anything else. */
export const wholeNumber = (least: number, most: number) =>
  oneLine
    .refine(
      (value) => value === "" || (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most),
      "number",
    )
    .transform((value) => (value === "" ? null : Number(value)));
