// Guards all pages of a member. Its loader runs on every client navigation too; each page and action below checks again.
import { Outlet } from "react-router";
import { requireMember } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import type { Route } from "./+types/layout";

export const handle: RouteFacts = { forMembers: true, kept: false, robots: false };

export function loader({ context, url }: Route.LoaderArgs) {
  requireMember({ context, url });
  return null;
}

export default function AccountLayout() {
  return <Outlet />;
}
