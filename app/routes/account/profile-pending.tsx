// Shows a skeleton while user, role and profile load, for a second at most.
import { useEffect, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import css from "./profile-pending.module.css";
import { SettingsFrame } from "./settings-frame.tsx";

const SKELETON_MS = 1_000;

export default function ProfilePending() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <SettingsFrame>
      {late ? (
        <Alert tone="plain">{m.account_profile_late()}</Alert>
      ) : (
        <Loading label={m.account_profile_loading()}>
          <div className={css.stack}>
            <SettingsSection title={m.account_avatar_title()} about={m.account_avatar_about()}>
              <Skeleton shape="avatar" />
            </SettingsSection>
            <SettingsSection title={m.account_profile_about_title()} about={m.account_profile_about()}>
              <TextField skeleton label={m.account_profile_name()} name="user_nick_name" />
              <TextField skeleton label={m.field_email()} name="email" />
              <TextField skeleton label={m.account_profile_role()} name="role" />
              <Button skeleton />
            </SettingsSection>
          </div>
        </Loading>
      )}
    </SettingsFrame>
  );
}
