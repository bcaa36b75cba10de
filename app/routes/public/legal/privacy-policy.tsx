// What is stored about people, and what they can do about it.
import { LEGAL_UPDATED } from "#content/legal/legal-text.ts";
import { privacyPolicyDe } from "#content/legal/privacy-policy-de.ts";
import { privacyPolicyEn } from "#content/legal/privacy-policy-en.ts";
import { localeAt } from "#shared/locale.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { LegalText } from "../../../ui/legal-text/legal-text.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import type { Route } from "./+types/privacy-policy";
import { readParticulars } from "./legal-particulars.ts";
import { MissingParticulars } from "./missing-particulars.tsx";

export const handle: RouteFacts = {
  footer: m.footer_privacy,
  sitemap: ({ legalUpdated }) => [{ changed: legalUpdated["privacy-policy"] }],
};

export function loader({ context, request }: Route.LoaderArgs) {
  const locale = localeAt(new URL(request.url).pathname);
  const { particulars, missing } = readParticulars(context, [
    "operator_name",
    "operator_address",
    "operator_country",
    "contact_email",
  ]);
  const text = locale === "de" ? privacyPolicyDe(particulars) : privacyPolicyEn(particulars);
  return { locale, site_name: particulars.site_name, text, missing, updated: LEGAL_UPDATED["privacy-policy"] };
}

export default function PrivacyPolicy({
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
