// The frame of a member's settings: a heading, the way between them, and the page.
import { Outlet } from "react-router";
import { requireMember } from "#web/guards.ts";
import { m } from "../../paraglide/messages.js";
import { SettingsNav } from "../../ui/settings-nav/settings-nav.tsx";
import type { Route } from "./+types/settings-layout";
import css from "./settings-layout.module.css";

export function loader({ context, request }: Route.LoaderArgs) {
  requireMember({ context, request });
  return null;
}

export default function SettingsLayout() {
  return (
    <div className={`page ${css.page}`}>
      <h1 className={css.title}>{m.account_settings_layout_title()}</h1>
      <SettingsNav
        label={m.account_settings_layout_title()}
        pages={[
          { to: "/user/settings/profile/", words: m.account_settings_layout_profile() },
          { to: "/user/settings/account", words: m.account_settings_layout_account() },
          { to: "/user/settings/security", words: m.account_settings_layout_security() },
          { to: "/user/settings/appearance", words: m.account_settings_layout_appearance() },
          { to: "/user/settings/data", words: m.account_settings_layout_data() },
        ]}
      />
      <div className={css.sections}>
        <Outlet />
      </div>
    </div>
  );
}
