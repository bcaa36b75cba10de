// Setting up the second factor, looking at its recovery codes once, and turning it off.
import { useNavigation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button, ButtonAnchor } from "../../ui/button/button.tsx";
import { CodeField } from "../../ui/code-field/code-field.tsx";
import { Form } from "../../ui/form/form.tsx";
import { QrCode } from "../../ui/qr-code/qr-code.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import css from "./second-factor.module.css";
import type { SecurityText } from "./security-text.ts";

/** What was begun and waits for its first code. */
export type Setup = { uri: string; secret: string; codes: string[]; qr: { path: string; size: number } };

type Props = {
  t: SecurityText["totp"];
  on: boolean;
  /** Whether the member has shown who they are a moment ago. */
  fresh: boolean;
  setup: Setup | null;
  codes: string[] | null;
  error: string | null;
  done: "on" | "off" | null;
};

export function SecondFactor({ t, on, fresh, setup, codes, error, done }: Props) {
  const intent = useNavigation().formData?.get("intent");
  return (
    <SettingsSection title={t.title} about={t.about}>
      {done && <Alert tone="good">{done === "on" ? t.done : t.stopped}</Alert>}
      {codes && <RecoveryCodes t={t} codes={codes} />}
      {setup && <SetUp t={t} setup={setup} error={error} busy={intent === "totp-confirm"} />}
      {!setup && !done && <p className={css.state}>{on ? t.on : t.off}</p>}
      {!setup && error && <Alert tone="error">{error}</Alert>}
      {!setup && fresh && (
        <Form failed={m.failed_second_factor()} className={css.acts} preventScrollReset>
          {on ? (
            <>
              <Button type="submit" name="intent" value="totp-codes" variant="tonal" loading={intent === "totp-codes"}>
                {t.remake}
              </Button>
              <Button type="submit" name="intent" value="totp-off" variant="outlined" loading={intent === "totp-off"}>
                {t.stop}
              </Button>
            </>
          ) : (
            <Button type="submit" name="intent" value="totp-start" loading={intent === "totp-start"}>
              {t.start}
            </Button>
          )}
        </Form>
      )}
    </SettingsSection>
  );
}

type SetUpProps = { t: SecurityText["totp"]; setup: Setup; error: string | null; busy: boolean };

function SetUp({ t, setup, error, busy }: SetUpProps) {
  return (
    <Form failed={m.failed_second_factor()} className={settingsForm} preventScrollReset>
      <p>{t.scan}</p>
      <div className={css.key}>
        <QrCode {...setup.qr} label={t.qr} />
        <p>
          <span className={css.label}>{t.key}</span>
          <code className={css.secret}>{setup.secret.match(/.{1,4}/g)?.join(" ")}</code>
        </p>
      </div>
      <input type="hidden" name="uri" value={setup.uri} />
      <input type="hidden" name="codes" value={setup.codes.join(" ")} />
      <p>{t.enter}</p>
      <CodeField from="app" label={t.code} error={error ?? undefined} />
      <Button type="submit" name="intent" value="totp-confirm" loading={busy}>
        {t.confirm}
      </Button>
    </Form>
  );
}

function RecoveryCodes({ t, codes }: { t: SecurityText["totp"]; codes: string[] }) {
  return (
    <div className={css.codes}>
      <h3 className={css.codesTitle}>{t.codes_title}</h3>
      <p>{t.codes}</p>
      <ol className={css.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <ButtonAnchor
        variant="tonal"
        download="recovery-codes.txt"
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join("\n")}\n`)}`}
      >
        {t.download}
      </ButtonAnchor>
    </div>
  );
}
