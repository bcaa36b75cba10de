// The frame of a member's settings: a heading, the way between them, and the page.
import { Outlet, useLocation } from "react-router";
import { requireMember } from "#web/guards.ts";
import { spokenAt } from "../../spoken.ts";
import { SettingsNav } from "../../ui/settings-nav/settings-nav.tsx";
import type { Route } from "./+types/settings-layout";
import css from "./settings-layout.module.css";
import { TEXT } from "./settings-layout-text.ts";

export function loader({ context, request }: Route.LoaderArgs) {
  requireMember({ context, request });
  return null;
}

export default function SettingsLayout() {
  const t = TEXT[spokenAt(useLocation().pathname)];
  return (
    <div className={`page ${css.page}`}>
      <h1 className={css.title}>{t.title}</h1>
      <SettingsNav
        label={t.title}
        pages={[
          { to: "/user/settings/profile/", words: t.profile },
          { to: "/user/settings/account", words: t.account },
          { to: "/user/settings/security", words: t.security },
          { to: "/user/settings/appearance", words: t.appearance },
          { to: "/user/settings/data", words: t.data },
        ]}
      />
      <div className={css.sections}>
        <Outlet />
      </div>
    </div>
  );
}
