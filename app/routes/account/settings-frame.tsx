// Shows a heading, the settings menu, and one page of settings.
import type { ReactNode } from "react";
import { m } from "../../paraglide/messages.js";
import { SettingsNav } from "../../ui/settings-nav/settings-nav.tsx";
import css from "./settings-frame.module.css";

export function SettingsFrame({ children }: { children: ReactNode }) {
  return (
    <div className={`page ${css.page}`}>
      <h1 className={css.title}>{m.account_settings_layout_title()}</h1>
      <SettingsNav
        label={m.account_settings_layout_title()}
        pages={[
          { to: "/user/settings/profile", label: m.account_settings_layout_profile() },
          { to: "/user/settings/account", label: m.account_settings_layout_account() },
          { to: "/user/settings/security", label: m.account_settings_layout_security() },
          { to: "/user/settings/appearance", label: m.account_settings_layout_appearance() },
          { to: "/user/settings/notifications", label: m.account_settings_layout_notifications() },
          { to: "/user/settings/data", label: m.account_settings_layout_data() },
        ]}
      />
      <div className={css.sections}>{children}</div>
    </div>
  );
}
