// Redirects /admin to the dashboard.
import { redirect } from "react-router";
import { addressIn, localeAt } from "#shared/locale.ts";
import { requirePermission } from "#web/guards.ts";
import type { Route } from "./+types/to-dashboard";

export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "admin:read");
  throw redirect(addressIn(localeAt(url.pathname), "/admin/dashboard"));
}
