// Reads the operator's particulars for legal pages, and what an admin still has to enter.
import type { RouterContextProvider } from "react-router";
import { NAMED_SETTINGS, type NamedSetting, type Particulars } from "#content/legal/legal-text.ts";
import { memberContext, siteContext } from "#web/context.ts";

/** Returns the particulars, and for admins only the empty settings that this page needs. */
export function readParticulars(
  context: Readonly<RouterContextProvider>,
  needed: readonly NamedSetting[],
): { particulars: Particulars; missing: string[] } {
  const { settings, site_url } = context.get(siteContext).read();
  const named = Object.fromEntries(NAMED_SETTINGS.map((name) => [name, settings[name]])) as Record<
    NamedSetting,
    string
  >;
  const forAdmin = context.get(memberContext)?.role === "admin";
  return {
    particulars: { site_name: settings.site_name, site_url, ...named },
    missing: forAdmin ? needed.filter((name) => settings[name] === "") : [],
  };
}
