// Privacy policy.
import { LEGAL_UPDATED } from "#content/legal/legal-text.ts";
import { privacyPolicyDe } from "#content/legal/privacy-policy-de.ts";
import { privacyPolicyEn } from "#content/legal/privacy-policy-en.ts";
import { localeAt } from "#shared/locale.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import type { Route } from "./+types/privacy-policy";
import { LegalPage } from "./legal-page.tsx";
import { readParticulars } from "./legal-particulars.ts";

export const handle: RouteFacts = {
  still: true,
  footer: m.footer_privacy,
  sitemap: ({ legalUpdated }) => [{ changed: legalUpdated["privacy-policy"] }],
};

export function loader({ context, url }: Route.LoaderArgs) {
  const locale = localeAt(url.pathname);
  const { particulars, missing } = readParticulars(context, [
    "operator_name",
    "operator_address",
    "operator_country",
    "contact_email",
  ]);
  const text = locale === "de" ? privacyPolicyDe(particulars) : privacyPolicyEn(particulars);
  return { locale, site_name: particulars.site_name, text, missing, updated: LEGAL_UPDATED["privacy-policy"] };
}

export default function PrivacyPolicy({ loaderData }: Route.ComponentProps) {
  return <LegalPage {...loaderData} />;
}
