// Handles the other buttons of the news forms: preview, and search of games and game servers.
import { listAboutChoices } from "#domain/news/about-choices.ts";
import { type NewsFields, newsFields, newsTexts } from "#domain/news/fields.ts";
import { renderNewsText } from "#domain/news/markdown.ts";
import type { Locale } from "#shared/locale.ts";
import type { AppParts } from "#web/context.ts";
import { done, textOf } from "#web/forms/handle-form.ts";
import { m } from "../../../paraglide/messages.js";
import { checkFields } from "../field-errors.ts";
import { fromNewsForm, type NewsForm } from "./form-texts.ts";

/** Preview in one language. */
export type Preview = { lang: Locale; title: string; html: string };

/** Outcomes besides refusals. */
export type Outcome =
  | { kind: "saved" }
  | { kind: "preview"; previews: Preview[] }
  | { kind: "found"; focus: string | null };

/** Runs a button other than "Save"; null: none was pressed. Stores nothing. */
export async function actBesides(given: NewsForm, form: FormData, db: AppParts["db"]) {
  const act = textOf(form, "act");
  if (act === "preview") {
    // Previews as it would be stored.
    const checked = checkFields(newsTexts, given);
    if (!checked.ok) return checked;
    const { title_en, title_de, text_en, text_de } = checked.data;
    const previews = [
      { lang: "en" as const, title: title_en, text: text_en },
      { lang: "de" as const, title: title_de, text: text_de },
    ].filter(({ title, text }) => title + text !== "");
    return done<Outcome, NewsForm>({
      kind: "preview",
      previews: previews.map(({ lang, title, text }) => ({ lang, title, html: renderNewsText(text) })),
    });
  }
  if (act !== "find") return null;
  const { choices } = await listAboutChoices(db, given.about.filter(isAbout), given.q.trim().slice(0, 100));
  const found = choices.find(({ value }) => !given.about.includes(value));
  return done<Outcome, NewsForm>(
    { kind: "found", focus: found?.value ?? null },
    { given: { ...given, scope: "some", choices } },
  );
}

const isAbout = (value: string): boolean => /^(?:game|server):[1-9]\d{0,8}$/.test(value);

/** Returns the fields, or the refusal that marks errors. */
export const checkNews = (given: NewsForm) => checkFields(newsFields, fromNewsForm(given));

/** Lists an article's values for comparison after simultaneous edits. */
export function comparable(fields: NewsFields, choices: NewsForm["choices"]) {
  const nameOf = (value: string) => choices.find((one) => one.value === value)?.name ?? value;
  return {
    ...fields,
    scope: fields.scope === "site" ? m.admin_news_about_site() : m.admin_news_about_some(),
    about: fields.about.map(nameOf),
  };
}

/** Labels of the fields. */
export const newsLabels = (): Record<keyof NewsFields, string> => ({
  title_en: m.admin_news_title_en(),
  title_de: m.admin_news_title_de(),
  text_en: m.admin_news_text_en(),
  text_de: m.admin_news_text_de(),
  scope: m.admin_news_about(),
  about: m.admin_news_about_choose(),
  starts_at: m.admin_news_starts(),
  ends_at: m.admin_news_ends(),
  pinned: m.admin_news_pinned(),
  published: m.admin_news_published(),
});
