// Redirects to the first page of the settings.
import { redirect } from "react-router";
import { addressIn, localeAt } from "#shared/locale.ts";
import { requireMember } from "#web/guards.ts";
import type { Route } from "./+types/settings-home";

export function loader({ context, request }: Route.LoaderArgs) {
  requireMember({ context, request });
  throw redirect(addressIn(localeAt(new URL(request.url).pathname), "/user/settings/profile/"));
}
