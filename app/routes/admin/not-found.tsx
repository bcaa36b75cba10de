// 404 page for unknown addresses of the admin area, only for those with access.
import { data } from "react-router";
import { requirePermission } from "#web/guards.ts";
import type { Route } from "./+types/not-found";

export function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "admin:read");
  throw data(null, { status: 404 });
}

export function action({ context, request }: Route.ActionArgs) {
  requirePermission({ context, request }, "admin:read");
  throw data(null, { status: 404 });
}

/** Makes this a page, which fails inside the admin frame; without it the answer would be bare data. */
export default function AdminNotFound() {
  return null;
}
