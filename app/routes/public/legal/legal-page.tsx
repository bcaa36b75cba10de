// What the imprint, the privacy policy and the terms share: title, description, and the text with what it lacks.
import type { Locale } from "#shared/locale.ts";
import { LegalText } from "../../../ui/legal-text/legal-text.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { MissingParticulars } from "./missing-particulars.tsx";

type Props = {
  locale: Locale;
  site_name: string;
  text: { title: string; description: string } & Pick<Parameters<typeof LegalText>[0], "intro" | "sections">;
  /** The particulars that the text does without. */
  missing: string[];
  /** When it was last changed, as an ISO date. A text that says so is long, and has a table of contents. */
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
