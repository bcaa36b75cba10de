// A member's passkeys: adding needs script and the browser's own dialog; the rest are plain forms.
import { useState } from "react";
import { Form, useRevalidator } from "react-router";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { SettingsItem, SettingsList, SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import css from "./passkeys.module.css";
import type { SecurityText } from "./security-text.ts";

type Props = {
  t: SecurityText["passkeys"];
  fresh: boolean;
  passkeys: { passkey_id: string; name: string | null; day: string }[];
};

export function Passkeys({ t, fresh, passkeys }: Props) {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const add = async () => {
    setError(null);
    setBusy(true);
    const outcome = await addPasskey();
    setBusy(false);
    if (outcome === "added") await revalidate();
    else if (outcome !== "cancelled") setError(outcome === "unable" ? t.unable : t.failed);
  };
  return (
    <SettingsSection title={t.title} about={t.about}>
      {passkeys.length === 0 && <p className={css.none}>{t.none}</p>}
      {passkeys.length > 0 && (
        <SettingsList label={t.list}>
          {passkeys.map((passkey) => (
            <SettingsItem key={passkey.passkey_id} title={passkey.name || t.unnamed} about={t.added(passkey.day)}>
              <Form method="post" className={css.rename} preventScrollReset>
                <input type="hidden" name="passkey_id" value={passkey.passkey_id} />
                <input
                  key={passkey.name}
                  name="name"
                  defaultValue={passkey.name ?? ""}
                  maxLength={60}
                  aria-label={t.name}
                  className={css.name}
                />
                <Button type="submit" name="intent" value="passkey-rename" variant="tonal" size="s">
                  {t.rename}
                </Button>
                {fresh && (
                  <Button type="submit" name="intent" value="passkey-remove" variant="outlined" size="s">
                    {t.remove}
                  </Button>
                )}
              </Form>
            </SettingsItem>
          ))}
        </SettingsList>
      )}
      {error && <Alert tone="error">{error}</Alert>}
      {fresh && (
        <div>
          <span className={css.withScript}>
            <Button variant="tonal" onClick={add} loading={busy}>
              {t.add}
            </Button>
          </span>
          <p className={css.withoutScript}>{t.script}</p>
        </div>
      )}
    </SettingsSection>
  );
}

/** Asks the site for a challenge, the browser for a key, and hands the key over (WebAuthn Level 3). */
async function addPasskey(): Promise<"added" | "cancelled" | "unable" | "failed"> {
  if (!("PublicKeyCredential" in window) || !("parseCreationOptionsFromJSON" in PublicKeyCredential)) return "unable";
  try {
    const asked = await fetch("/api/auth/passkey/generate-register-options");
    if (!asked.ok) return "failed";
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await asked.json());
    const made = await navigator.credentials.create({ publicKey });
    if (!(made instanceof PublicKeyCredential)) return "failed";
    const kept = await fetch("/api/auth/passkey/verify-registration", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ response: made.toJSON() }),
    });
    return kept.ok ? "added" : "failed";
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    // An address of numbers, such as 127.0.0.1, has no passkeys: they belong to names.
    return name === "NotAllowedError" ? "cancelled" : name === "SecurityError" ? "unable" : "failed";
  }
}
