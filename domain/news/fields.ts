// Defines news once: an admin's fields and rules, and how they are stored.
import { z } from "zod";
import { NEWS_SCOPES, type NewsText, type news } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { line, lines } from "../form-text.ts";

/** `about`: most games and game servers per item; the others are lengths of texts. */
export const NEWS_LIMITS = { title: 120, text: 10_000, about: 50 };

/** A subject: `game:3` or `server:12`. */
const ABOUT = /^(?:game|server):[1-9]\d{0,8}$/;

/** Only this century: a year like 1 or 9999 is a typing error, and dates before 1970 are parsed differently elsewhere. */
const moment = z.iso
  .datetime({ error: fieldError("no_moment"), offset: true })
  .refine((text) => /^20\d\d-/.test(text), fieldError("no_moment"))
  .nullable();

/** The texts of news. Errors: `too_long`. */
export const newsTexts = z.object({
  title_en: line(NEWS_LIMITS.title),
  title_de: line(NEWS_LIMITS.title),
  text_en: lines(NEWS_LIMITS.text),
  text_de: lines(NEWS_LIMITS.text),
});

/**
 * An admin's fields. Errors: `missing` (a language has a text and no title, none has a title, or no subject is chosen), `too_long`,
 * `too_many`, `no_moment`.
 */
export const newsFields = z
  .strictObject({
    ...newsTexts.shape,
    scope: z.enum(NEWS_SCOPES, fieldError("no_choice")),
    about: z
      .array(z.string().regex(ABOUT, fieldError("no_choice")))
      .max(NEWS_LIMITS.about, fieldError("too_many"))
      .transform((chosen) => [...new Set(chosen)].sort()),
    starts_at: moment,
    ends_at: moment,
    pinned: z.boolean(),
    published: z.boolean(),
  })
  .superRefine((given, context) => {
    const lacks = (path: string) => context.addIssue({ code: "custom", path: [path], message: fieldError("missing") });
    const none = given.title_en + given.title_de === "";
    if (given.title_en === "" && (given.text_en !== "" || (none && given.text_de === ""))) lacks("title_en");
    if (given.title_de === "" && given.text_de !== "") lacks("title_de");
    if (given.scope === "some" && given.about.length === 0) lacks("about");
  })
  // Drop subjects chosen before the scope became the site.
  .transform((given) => (given.scope === "site" ? { ...given, about: [] } : given));
export type NewsFields = z.output<typeof newsFields>;

type NewsRow = typeof news.$inferSelect;

/** The columns of a subject. */
export type About = { game_id: number | null; server_id: number | null };

const aboutText = ({ game_id, server_id }: About): string =>
  game_id === null ? `server:${server_id}` : `game:${game_id}`;

/** Converts `game:3` to columns. */
export function aboutOf(text: string): About {
  const [kind, id] = text.split(":");
  return kind === "game" ? { game_id: Number(id), server_id: null } : { game_id: null, server_id: Number(id) };
}

/** Reads the fields from a row. */
export const newsFieldsOf = (row: NewsRow, about: readonly About[]): NewsFields => ({
  title_en: row.title.en ?? "",
  title_de: row.title.de ?? "",
  text_en: row.text.en ?? "",
  text_de: row.text.de ?? "",
  scope: row.scope,
  about: about.map(aboutText).sort(),
  starts_at: row.starts_at?.toISOString() ?? null,
  ends_at: row.ends_at?.toISOString() ?? null,
  pinned: row.pinned,
  published: row.published,
});

/** Converts fields to columns. */
export const newsColumnsOf = (fields: NewsFields) => ({
  title: textOf(fields.title_en, fields.title_de),
  text: textOf(fields.text_en, fields.text_de),
  scope: fields.scope,
  starts_at: fields.starts_at === null ? null : new Date(fields.starts_at),
  ends_at: fields.ends_at === null ? null : new Date(fields.ends_at),
  pinned: fields.pinned,
  published: fields.published,
});

const textOf = (en: string, de: string): NewsText => ({ ...(en && { en }), ...(de && { de }) });

/** The title in the admin area. */
export const titleOf = ({ title_en, title_de }: Pick<NewsFields, "title_en" | "title_de">): string =>
  title_en || title_de;
