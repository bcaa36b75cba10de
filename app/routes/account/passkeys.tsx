// Manages a member's passkeys: adding needs script and the browser's dialog; the rest are plain forms.
import { useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import { m } from "../../paraglide/messages.js";
import { addPasskey, hasPasskeys, type NoPasskeys } from "../../passkeys.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { PasskeyPlace } from "../../ui/passkey-place/passkey-place.tsx";
import { SettingsItem, SettingsList, SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import css from "./passkeys.module.css";

type Props = {
  fresh: boolean;
  /** Why passkeys can't be added or used at this address. */
  no_passkeys: NoPasskeys | null;
  passkeys: { passkey_id: string; name: string | null; day: string }[];
};

const OUTCOMES = {
  unable: m.account_passkeys_unable,
  refused: m.account_passkeys_failed,
  unanswered: () => `${m.failed_passkey()} ${m.form_silent()}`,
};

export function Passkeys({ fresh, no_passkeys, passkeys }: Props) {
  const { pathname } = useLocation();
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const add = async () => {
    setError(null);
    setBusy(true);
    const outcome = hasPasskeys() ? await addPasskey() : "unable";
    setBusy(false);
    if (outcome === "done") await revalidate();
    else if (outcome !== "cancelled") setError(OUTCOMES[outcome]());
  };
  return (
    <SettingsSection title={m.account_passkeys_title()} about={m.account_passkeys_about()}>
      {passkeys.length === 0 && <p className={css.none}>{m.account_passkeys_none()}</p>}
      {passkeys.length > 0 && (
        <SettingsList label={m.account_passkeys_list()}>
          {passkeys.map((passkey) => (
            <SettingsItem
              key={passkey.passkey_id}
              title={passkey.name || m.account_passkeys_unnamed()}
              about={m.account_passkeys_added({ day: passkey.day })}
            >
              <Form failed={m.failed_passkey()} className={css.rename} preventScrollReset>
                <input type="hidden" name="passkey_id" value={passkey.passkey_id} />
                <input
                  key={passkey.name}
                  name="name"
                  defaultValue={passkey.name ?? ""}
                  maxLength={60}
                  aria-label={m.field_name()}
                  className={css.name}
                />
                <Button type="submit" name="intent" value="passkey-rename" variant="tonal" size="s">
                  {m.account_passkeys_rename()}
                </Button>
                {fresh && (
                  <Button type="submit" name="intent" value="passkey-remove" variant="outlined" size="s">
                    {m.account_passkeys_remove()}
                  </Button>
                )}
              </Form>
            </SettingsItem>
          ))}
        </SettingsList>
      )}
      {error && <Alert tone="error">{error}</Alert>}
      {no_passkeys && <PasskeyPlace why={no_passkeys} path={pathname} className={css.none} />}
      {fresh && !no_passkeys && (
        <div>
          <span className={css.withScript}>
            <Button variant="tonal" onClick={add} loading={busy}>
              {m.account_passkeys_add()}
            </Button>
          </span>
          <p className={css.withoutScript}>{m.account_passkeys_script()}</p>
        </div>
      )}
    </SettingsSection>
  );
}
