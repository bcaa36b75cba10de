// Every address of the admin area that the map does not know: 404, but only for those who may come in.
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

/** With it this is a page, which fails inside the frame of the admin area; without it the answer would be bare data. */
export default function AdminNotFound() {
  return null;
}
