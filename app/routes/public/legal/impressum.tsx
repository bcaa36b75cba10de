// Imprint: the operator and how to contact them.
import { imprint } from "#content/legal/imprint.ts";
import { localeAt } from "#shared/locale.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import type { Route } from "./+types/impressum";
import { LegalPage } from "./legal-page.tsx";
import { readParticulars } from "./legal-particulars.ts";

export const handle: RouteFacts = { still: true, footer: m.footer_imprint };

export function loader({ context, url }: Route.LoaderArgs) {
  const locale = localeAt(url.pathname);
  const needed = ["operator_name", "operator_address", "operator_country", "contact_email"] as const;
  const { particulars, missing } = readParticulars(context, needed);
  return { locale, site_name: particulars.site_name, text: imprint(locale, particulars), missing };
}

export default function Impressum({ loaderData }: Route.ComponentProps) {
  return <LegalPage {...loaderData} />;
}
