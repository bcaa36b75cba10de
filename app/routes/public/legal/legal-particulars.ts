// Who runs the site, as the legal pages name it, and what an admin has still to give.
import type { RouterContextProvider } from "react-router";
import type { Particulars } from "#content/legal/legal-text.ts";
import { memberContext, siteContext } from "#web/context.ts";

const NAMED = [
  "operator_name",
  "operator_address",
  "operator_country",
  "operator_representative",
  "operator_register",
  "operator_vat_id",
  "contact_email",
  "court",
  "liability_sum",
] as const;

/** The particulars, and for admins alone the names of those settings that this page needs and that are empty. */
export function readParticulars(
  context: Readonly<RouterContextProvider>,
  needed: readonly (typeof NAMED)[number][],
): { particulars: Particulars; missing: string[] } {
  const { settings, site_url } = context.get(siteContext).read();
  const named = Object.fromEntries(NAMED.map((name) => [name, settings[name]])) as Pick<
    Particulars,
    (typeof NAMED)[number]
  >;
  const forAdmin = context.get(memberContext)?.role === "admin";
  return {
    particulars: { site_name: settings.site_name, site_url, ...named },
    missing: forAdmin ? needed.filter((name) => settings[name] === "") : [],
  };
}
