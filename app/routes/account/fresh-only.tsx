// Stands in the place of what could cost the account, until the member has shown once more who they are.
import { useLocation } from "react-router";
import { addressIn, spokenAt } from "../../spoken.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import { TEXT } from "./fresh-only-text.ts";

export function FreshOnly() {
  const { pathname } = useLocation();
  const spoken = spokenAt(pathname);
  const t = TEXT[spoken];
  return (
    <SettingsSection title={t.title} about={t.about}>
      <div>
        <ButtonLink to={`${addressIn(spoken, "/user/reauthenticate")}?next=${encodeURIComponent(pathname)}`}>
          {t.act}
        </ButtonLink>
      </div>
    </SettingsSection>
  );
}
