// The guard of everything that belongs to one member. Its loader runs on every client navigation too; each page and action
// behind it asks again by itself.
import { Outlet } from "react-router";
import { requireMember } from "#web/guards.ts";
import type { Route } from "./+types/layout";

export function loader({ context, request }: Route.LoaderArgs) {
  requireMember({ context, request });
  return null;
}

export default function AccountLayout() {
  return <Outlet />;
}
