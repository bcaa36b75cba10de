// Shared page of imprint, privacy policy and terms: title, description, text, and missing particulars.
import type { Locale } from "#shared/locale.ts";
import { LegalText } from "../../../ui/legal-text/legal-text.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { MissingParticulars } from "./missing-particulars.tsx";

type Props = {
  locale: Locale;
  site_name: string;
  text: { title: string; description: string } & Pick<Parameters<typeof LegalText>[0], "intro" | "sections">;
  /** Particulars missing from the text. */
  missing: string[];
  /** ISO date of the last change. Such texts are long and have a table of contents. */
  updated?: string;
};

export function LegalPage({ locale, site_name, text, missing, updated }: Props) {
  return (
    <>
      <PageTitle>{text.title}</PageTitle>
      <meta name="description" content={text.description} />
      <meta property="og:title" content={`${text.title} – ${site_name}`} />
      <meta property="og:description" content={text.description} />
      <LegalText
        title={text.title}
        {...(updated && { updated, contents: true })}
        intro={text.intro}
        sections={text.sections}
        prefix={locale === "de" ? "/de" : ""}
        notice={<MissingParticulars locale={locale} missing={missing} />}
      />
    </>
  );
}
