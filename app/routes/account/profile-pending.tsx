// What stands in the place of the profile while user, role and profile are on their way: its skeleton, for a second at most.
import { useEffect, useState } from "react";
import { spokenAt } from "#shared/spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import css from "./profile-pending.module.css";
import { TEXT } from "./profile-text.ts";
import { SettingsFrame } from "./settings-frame.tsx";

const SKELETON_MS = 1_000;

export default function ProfilePending({ pathname }: { pathname: string }) {
  const t = TEXT[spokenAt(pathname)];
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <SettingsFrame>
      {late ? (
        <Alert tone="plain">{t.late}</Alert>
      ) : (
        <Loading label={t.loading}>
          <div className={css.stack}>
            <SettingsSection title={t.avatar_title} about={t.avatar_about}>
              <Skeleton shape="avatar" />
            </SettingsSection>
            <SettingsSection title={t.about_title} about={t.about}>
              <TextField skeleton label={t.user_name} name="user_nick_name" />
              <TextField skeleton label={t.email} name="email" />
              <TextField skeleton label={t.role} name="role" />
              <Button skeleton />
            </SettingsSection>
          </div>
        </Loading>
      )}
    </SettingsFrame>
  );
}
