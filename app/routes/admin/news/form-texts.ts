// Handles the news form as texts: sent, stored, and times converted from the writer's zone.
import { z } from "zod";
import type { AboutChoice } from "#domain/news/about-choices.ts";
import type { NEWS_LIMITS, NewsFields } from "#domain/news/fields.ts";
import { textOf, textsOf } from "#web/forms/handle-form.ts";

const TEXTS = ["title_en", "title_de", "text_en", "text_de", "starts_at", "ends_at", "time_zone", "q"] as const;

/**
 * The form's values. Times are wall times of `time_zone`; `choices`: the listed games and game servers, sent along so that they
 * survive a database outage; `q`: the last search.
 */
export type NewsForm = Record<(typeof TEXTS)[number], string> & {
  scope: string;
  about: string[];
  choices: AboutChoice[];
  pinned: boolean;
  published: boolean;
};

const choiceShape = z.object({
  value: z.string().max(20),
  name: z.string().max(200),
  game: z.string().max(200).nullable(),
  hidden: z.boolean(),
});
/** More than the form ever lists. */
const MOST_CHOICES = 200;

/** Reads the sent form as typed. */
export function readNewsForm(form: FormData): NewsForm {
  return {
    ...textsOf(form, TEXTS),
    scope: textOf(form, "scope"),
    about: form.getAll("about").map(String).slice(0, MOST_CHOICES),
    choices: form
      .getAll("choice")
      .slice(0, MOST_CHOICES)
      .flatMap((text) => choiceShape.safeParse(parse(String(text))).data ?? []),
    pinned: form.has("pinned"),
    published: form.has("published"),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Converts the form for the news shape; an invalid time stays a text, for the shape to refuse. */
export function fromNewsForm({ time_zone, choices: _, q: __, ...given }: NewsForm): Record<string, unknown> {
  return { ...given, starts_at: momentOf(given.starts_at, time_zone), ends_at: momentOf(given.ends_at, time_zone) };
}

/** Converts a wall time to a moment; an hour that a zone skips becomes the next one. Null for none. */
function momentOf(wall: string, zone: string): string | null {
  if (wall === "") return null;
  try {
    return Temporal.PlainDateTime.from(wall)
      .toZonedDateTime(zone || "UTC")
      .toInstant()
      .toString();
  } catch {
    return wall;
  }
}

/** Converts a stored article to the form, in UTC: the browser knows its own zone. */
export const toNewsForm = (fields: NewsFields, choices: AboutChoice[]): NewsForm => ({
  ...fields,
  starts_at: wallOf(fields.starts_at),
  ends_at: wallOf(fields.ends_at),
  time_zone: "UTC",
  q: "",
  choices,
});

const wallOf = (moment: string | null): string => (moment ?? "").slice(0, "2026-11-20T18:30".length);

/** Form of a new article. */
export const newNewsForm = (choices: AboutChoice[], about: string[]): NewsForm =>
  toNewsForm(
    {
      title_en: "",
      title_de: "",
      text_en: "",
      text_de: "",
      scope: about.length > 0 ? "some" : "site",
      about,
      starts_at: null,
      ends_at: null,
      pinned: false,
      published: false,
    },
    choices,
  );

/** Length limits of the form. */
export type NewsLimits = typeof NEWS_LIMITS;
