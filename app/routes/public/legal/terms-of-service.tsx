// The rules for using the site.
import { LEGAL_UPDATED } from "#content/legal/legal-text.ts";
import { termsOfServiceDe } from "#content/legal/terms-of-service-de.ts";
import { termsOfServiceEn } from "#content/legal/terms-of-service-en.ts";
import { localeAt } from "#shared/locale.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { LegalText } from "../../../ui/legal-text/legal-text.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import type { Route } from "./+types/terms-of-service";
import { readParticulars } from "./legal-particulars.ts";
import { MissingParticulars } from "./missing-particulars.tsx";

export const handle: RouteFacts = {
  footer: m.footer_terms,
  sitemap: ({ legalUpdated }) => [{ changed: legalUpdated["terms-of-service"] }],
};

export function loader({ context, request }: Route.LoaderArgs) {
  const locale = localeAt(new URL(request.url).pathname);
  const { particulars, missing } = readParticulars(context, [
    "operator_name",
    "operator_address",
    "operator_country",
    "contact_email",
    "court",
    "liability_sum",
  ]);
  const text = locale === "de" ? termsOfServiceDe(particulars) : termsOfServiceEn(particulars);
  return { locale, site_name: particulars.site_name, text, missing, updated: LEGAL_UPDATED["terms-of-service"] };
}

export default function TermsOfService({
  loaderData: { locale, site_name, text, missing, updated },
}: Route.ComponentProps) {
  return (
    <>
      <PageTitle>{text.title}</PageTitle>
      <meta name="description" content={text.description} />
      <meta property="og:title" content={`${text.title} – ${site_name}`} />
      <meta property="og:description" content={text.description} />
      <LegalText
        title={text.title}
        updated={updated}
        intro={text.intro}
        sections={text.sections}
        contents
        prefix={locale === "de" ? "/de" : ""}
        notice={<MissingParticulars locale={locale} missing={missing} />}
      />
    </>
  );
}
