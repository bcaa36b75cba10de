// A text by language, as stored in the database and returned by the public API.
import { z } from "zod";
import type { LocalText } from "#db/schema/index.ts";

export const localTextShape = z
  .object({ en: z.string(), de: z.string().optional() })
  .meta({ description: "A text by language; English stands in for a language that is missing." });

/** Builds a text in both languages; omits empty German. */
export const localText = (en: string, de: string): LocalText => (de === "" ? { en } : { en, de });
