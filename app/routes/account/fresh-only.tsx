// Replaces settings that could cost the account, until the member has re-authenticated.
import { useLocation } from "react-router";
import { addressIn, localeAt } from "#shared/locale.ts";
import { m } from "../../paraglide/messages.js";
import { ButtonLink } from "../../ui/button/button.tsx";
import { SettingsSection } from "../../ui/settings-section/settings-section.tsx";

export function FreshOnly() {
  const { pathname } = useLocation();
  const locale = localeAt(pathname);
  return (
    <SettingsSection title={m.account_fresh_only_title()} about={m.account_fresh_only_about()}>
      <div>
        <ButtonLink to={`${addressIn(locale, "/user/reauthenticate")}?next=${encodeURIComponent(pathname)}`}>
          {m.account_fresh_only_act()}
        </ButtonLink>
      </div>
    </SettingsSection>
  );
}
