// Terms of service.
import { LEGAL_UPDATED } from "#content/legal/legal-text.ts";
import { termsOfServiceDe } from "#content/legal/terms-of-service-de.ts";
import { termsOfServiceEn } from "#content/legal/terms-of-service-en.ts";
import { localeAt } from "#shared/locale.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import type { Route } from "./+types/terms-of-service";
import { LegalPage } from "./legal-page.tsx";
import { readParticulars } from "./legal-particulars.ts";

export const handle: RouteFacts = {
  still: true,
  footer: m.footer_terms,
  sitemap: ({ legalUpdated }) => [{ changed: legalUpdated["terms-of-service"] }],
};

export function loader({ context, url }: Route.LoaderArgs) {
  const locale = localeAt(url.pathname);
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

export default function TermsOfService({ loaderData }: Route.ComponentProps) {
  return <LegalPage {...loaderData} />;
}
