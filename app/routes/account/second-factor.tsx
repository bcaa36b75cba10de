// Sets up the second factor, shows its recovery codes once, and turns it off.
import { useNavigation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button, ButtonAnchor } from "../../ui/button/button.tsx";
import { CodeField } from "../../ui/code-field/code-field.tsx";
import { CopyButton } from "../../ui/copy-button/copy-button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { QrCode } from "../../ui/qr-code/qr-code.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import css from "./second-factor.module.css";

/** A started setup that waits for its first code. */
export type Setup = { uri: string; secret: string; codes: string[]; qr: { path: string; size: number } };

type Props = {
  on: boolean;
  /** Whether the member has just re-authenticated. */
  fresh: boolean;
  setup: Setup | null;
  codes: string[] | null;
  error: string | null;
  done: "on" | "off" | null;
};

export function SecondFactor({ on, fresh, setup, codes, error, done }: Props) {
  const intent = useNavigation().formData?.get("intent");
  return (
    <SettingsSection title={m.account_factor_title()} about={m.account_factor_about()}>
      {done && <Alert tone="good">{done === "on" ? m.account_factor_done() : m.account_factor_stopped()}</Alert>}
      {codes && <RecoveryCodes codes={codes} />}
      {setup && <SetUp setup={setup} error={error} busy={intent === "totp-confirm"} />}
      {!setup && !done && <p className={css.state}>{on ? m.account_factor_on() : m.account_factor_off()}</p>}
      {!setup && error && <Alert tone="error">{error}</Alert>}
      {!setup && fresh && (
        <Form failed={m.failed_second_factor()} className={css.acts} preventScrollReset>
          {on ? (
            <>
              <Button type="submit" name="intent" value="totp-codes" variant="tonal" loading={intent === "totp-codes"}>
                {m.account_factor_codes_remake()}
              </Button>
              <Button type="submit" name="intent" value="totp-off" variant="outlined" loading={intent === "totp-off"}>
                {m.account_factor_stop()}
              </Button>
            </>
          ) : (
            <Button type="submit" name="intent" value="totp-start" loading={intent === "totp-start"}>
              {m.account_factor_start()}
            </Button>
          )}
        </Form>
      )}
    </SettingsSection>
  );
}

type SetUpProps = { setup: Setup; error: string | null; busy: boolean };

function SetUp({ setup, error, busy }: SetUpProps) {
  return (
    <Form failed={m.failed_second_factor()} className={settingsForm} preventScrollReset>
      <p>{m.account_factor_scan()}</p>
      <div className={css.key}>
        <QrCode {...setup.qr} label={m.account_factor_qr()} />
        <div className={css.byHand}>
          <p>
            <span className={css.label}>{m.account_factor_key()}</span>
            <code className={css.secret}>{setup.secret.match(/.{1,4}/g)?.join(" ")}</code>
          </p>
          {/* A phone can't scan its own screen. */}
          <div className={css.acts}>
            <CopyButton
              text={setup.secret}
              label={m.copy()}
              accessibleName={m.embed_copy({ what: m.account_factor_key() })}
            />
            <span className={css.onPhones}>
              <ButtonAnchor variant="tonal" href={setup.uri}>
                {m.account_factor_open()}
              </ButtonAnchor>
            </span>
          </div>
        </div>
      </div>
      <input type="hidden" name="uri" value={setup.uri} />
      <input type="hidden" name="codes" value={setup.codes.join(" ")} />
      <p>{m.account_factor_enter()}</p>
      <CodeField from="app" label={m.account_factor_code()} error={error ?? undefined} />
      <Button type="submit" name="intent" value="totp-confirm" loading={busy}>
        {m.account_factor_confirm()}
      </Button>
    </Form>
  );
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <div className={css.codes}>
      <h3 className={css.codesTitle}>{m.account_factor_codes_title()}</h3>
      <p>{m.account_factor_codes()}</p>
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
        {m.account_factor_codes_download()}
      </ButtonAnchor>
    </div>
  );
}
