// Redirects to the first page of the settings.
import { redirect } from "react-router";
import { addressIn, localeAt } from "#shared/locale.ts";
import { requireMember } from "#web/guards.ts";
import type { Route } from "./+types/settings-home";

export function loader({ context, url }: Route.LoaderArgs) {
  requireMember({ context, url });
  throw redirect(addressIn(localeAt(url.pathname), "/user/settings/profile/"));
}
