// Frames a member's settings.
import { Outlet } from "react-router";
import { requireMember } from "#web/guards.ts";
import type { Route } from "./+types/settings-layout";
import { SettingsFrame } from "./settings-frame.tsx";

export function loader({ context, url }: Route.LoaderArgs) {
  requireMember({ context, url });
  return null;
}

export default function SettingsLayout() {
  return (
    <SettingsFrame>
      <Outlet />
    </SettingsFrame>
  );
}
