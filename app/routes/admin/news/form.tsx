// Fields of a news article: languages side by side, or one at a time on small screens; audience; from when to when.
import { useState } from "react";
import type { FieldErrors } from "#shared/form-answer.ts";
import type { Locale } from "#shared/locale.ts";
import { language } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { FormRow, FormSection } from "../../../ui/form-sheet/form-sheet.tsx";
import { useReaderZone } from "../../../ui/reader-zone.ts";
import { CheckField } from "../../../ui/select-field/select-field.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { wallIn } from "../wall-time.ts";
import { AboutFields } from "./about-fields.tsx";
import css from "./form.module.css";
import type { NewsForm, NewsLimits } from "./form-texts.ts";

type Props = {
  shown: NewsForm;
  fieldErrors: FieldErrors;
  limits: NewsLimits;
  /** Whether there are more games and game servers than listed. */
  more: boolean;
  /** Result of a search: where to set the focus. */
  found: { focus: string | null } | undefined;
};

const LANGUAGES: readonly { locale: Locale; name: string }[] = [
  { locale: "en", name: "English" },
  { locale: "de", name: "Deutsch" },
];

export function NewsFormFields({ shown, fieldErrors, limits, more, found }: Props) {
  return (
    <>
      <Texts shown={shown} fieldErrors={fieldErrors} limits={limits} />
      <AboutFields shown={shown} error={fieldErrors.about} more={more} found={found} />
      <When shown={shown} fieldErrors={fieldErrors} />
    </>
  );
}

function Texts({ shown, fieldErrors, limits }: Pick<Props, "shown" | "fieldErrors" | "limits">) {
  const wrong = LANGUAGES.filter(({ locale }) => fieldErrors[`title_${locale}`] ?? fieldErrors[`text_${locale}`]);
  const [chosen, choose] = useState<Locale>(language);
  // Switches to the language that has an error.
  const [seen, setSeen] = useState(fieldErrors);
  if (seen !== fieldErrors) {
    setSeen(fieldErrors);
    const [first] = wrong;
    if (first && !wrong.some(({ locale }) => locale === chosen)) choose(first.locale);
  }
  return (
    <FormSection title={m.admin_news_texts()} note={m.admin_news_texts_note()}>
      <fieldset className={css.tabs} aria-label={m.admin_news_language()}>
        {LANGUAGES.map(({ locale, name }) => (
          <button
            key={locale}
            type="button"
            lang={locale}
            aria-pressed={locale === chosen}
            onClick={() => choose(locale)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <div className={css.languages} data-chosen={chosen}>
        {LANGUAGES.map(({ locale }) => (
          <div key={locale} className={css.language} data-language={locale}>
            <TextField
              label={locale === "en" ? m.admin_news_title_en() : m.admin_news_title_de()}
              name={`title_${locale}`}
              lang={locale}
              maxLength={limits.title}
              autoComplete="off"
              defaultValue={shown[`title_${locale}`]}
              error={fieldErrors[`title_${locale}`]}
            />
            <TextArea
              label={locale === "en" ? m.admin_news_text_en() : m.admin_news_text_de()}
              name={`text_${locale}`}
              lang={locale}
              rows={12}
              maxLength={limits.text}
              defaultValue={shown[`text_${locale}`]}
              error={fieldErrors[`text_${locale}`]}
            />
          </div>
        ))}
      </div>
      <p className={css.hint}>{m.admin_news_text_hint()}</p>
    </FormSection>
  );
}

function When({ shown, fieldErrors }: Pick<Props, "shown" | "fieldErrors">) {
  const { timeZone } = useReaderZone();
  // Typed times belong to the zone they were typed in.
  const wall = (text: string) => (shown.time_zone === timeZone ? text : wallIn(timeZone, text));
  return (
    <FormSection title={m.admin_news_when()} note={m.admin_news_zone({ zone: timeZone.replaceAll("_", " ") })}>
      <input type="hidden" name="time_zone" value={timeZone} />
      <FormRow key={timeZone}>
        <TextField
          label={m.admin_news_starts()}
          name="starts_at"
          type="datetime-local"
          hint={m.admin_news_starts_hint()}
          defaultValue={wall(shown.starts_at)}
          error={fieldErrors.starts_at}
        />
        <TextField
          label={m.admin_news_ends()}
          name="ends_at"
          type="datetime-local"
          hint={m.admin_news_ends_hint()}
          defaultValue={wall(shown.ends_at)}
          error={fieldErrors.ends_at}
        />
      </FormRow>
      <CheckField
        name="pinned"
        label={m.admin_news_pinned()}
        hint={m.admin_news_pinned_hint()}
        defaultChecked={shown.pinned}
      />
      <CheckField
        name="published"
        label={m.admin_news_published()}
        hint={m.admin_news_published_hint()}
        defaultChecked={shown.published}
      />
    </FormSection>
  );
}
