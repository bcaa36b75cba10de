// Who runs the site, and how to reach them.
import { imprint } from "#content/legal/imprint.ts";
import { localeAt } from "#shared/locale.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { LegalText } from "../../../ui/legal-text/legal-text.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import type { Route } from "./+types/impressum";
import { readParticulars } from "./legal-particulars.ts";
import { MissingParticulars } from "./missing-particulars.tsx";

export const handle: RouteFacts = { footer: m.footer_imprint };

export function loader({ context, request }: Route.LoaderArgs) {
  const locale = localeAt(new URL(request.url).pathname);
  const needed = ["operator_name", "operator_address", "operator_country", "contact_email"] as const;
  const { particulars, missing } = readParticulars(context, needed);
  return { locale, site_name: particulars.site_name, text: imprint(locale, particulars), missing };
}

export default function Impressum({ loaderData: { locale, site_name, text, missing } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle>{text.title}</PageTitle>
      <meta name="description" content={text.description} />
      <meta property="og:title" content={`${text.title} – ${site_name}`} />
      <meta property="og:description" content={text.description} />
      <LegalText
        title={text.title}
        intro={text.intro}
        sections={text.sections}
        prefix={locale === "de" ? "/de" : ""}
        notice={<MissingParticulars locale={locale} missing={missing} />}
      />
    </>
  );
}
