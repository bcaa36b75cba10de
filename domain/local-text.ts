// A text by language, as the database stores it and the public API tells it.
import { z } from "zod";
import type { LocalText } from "#db/schema/index.ts";

export const localTextShape = z
  .object({ en: z.string(), de: z.string().optional() })
  .meta({ description: "A text by language; English stands in for a language that is missing." });

/** A text of both languages; German is left out where it says nothing. */
export const localText = (en: string, de: string): LocalText => (de === "" ? { en } : { en, de });
