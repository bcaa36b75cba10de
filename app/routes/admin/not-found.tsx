// 404 page for unknown addresses of the admin area, only for those with access.
import { data } from "react-router";
import { requirePermission } from "#web/guards.ts";
import type { Route } from "./+types/not-found";

export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "admin:read");
  throw data(null, { status: 404 });
}

export function action({ context, url }: Route.ActionArgs) {
  requirePermission({ context, url }, "admin:read");
  throw data(null, { status: 404 });
}

/** Makes this a page, which fails inside the admin frame; without it the answer would be bare data. */
export default function AdminNotFound() {
  return null;
}
