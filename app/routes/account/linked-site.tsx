// Linked accounts of another site for login: connecting goes there and back, disconnecting needs confirmation.
import { useLocation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SettingsItem, SettingsList, SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import css from "./linked-site.module.css";

type Props = {
  /** The provider, and what people call it. */
  id: string;
  name: string;
  fresh: boolean;
  /** Whether the site offers it now. */
  offered: boolean;
  accounts: { account_id: string; day: string }[];
  /** Outcome of the login there that the member has just returned from. */
  back: string | null;
  unlinked: boolean;
  problem: string | null;
};

export function LinkedSite({ id, name, fresh, offered, accounts, back, unlinked, problem }: Props) {
  const { pathname } = useLocation();
  const acted = unlinked || problem !== null;
  return (
    <SettingsSection title={m.account_provider_title({ name })} about={m.account_provider_about({ name })}>
      {problem && <Alert tone="error">{problem}</Alert>}
      {unlinked && <Alert tone="good">{m.account_provider_unlinked({ name })}</Alert>}
      {!acted && back === "linked" && accounts.length > 0 && (
        <Alert tone="good">{m.account_provider_linked({ name })}</Alert>
      )}
      {!acted && back === "refused" && <Alert tone="error">{m.account_provider_refused({ name })}</Alert>}
      {accounts.length === 0 && <p className={css.none}>{m.account_provider_none({ name })}</p>}
      {accounts.length > 0 && (
        <SettingsList label={m.account_provider_list({ name })}>
          {accounts.map(({ account_id, day }) => (
            <SettingsItem
              key={account_id}
              title={m.account_provider_account({ name })}
              about={m.account_provider_since({ day })}
            >
              {fresh && (
                <details>
                  <summary className={css.opener}>{m.account_provider_unlink()}</summary>
                  <Form
                    failed={m.failed_provider_unlink({ name })}
                    action={pathname}
                    className={css.sure}
                    preventScrollReset
                  >
                    <input type="hidden" name="account_id" value={account_id} />
                    <p className={css.quiet}>{m.account_provider_unlink_what({ name })}</p>
                    <Button type="submit" name="intent" value={`${id}-unlink`} variant="outlined" size="s">
                      {m.account_provider_unlink_sure()}
                    </Button>
                  </Form>
                </details>
              )}
            </SettingsItem>
          ))}
        </SettingsList>
      )}
      {fresh && offered && accounts.length === 0 && (
        <form method="post" action={`/api/auth/${id}/link?next=${encodeURIComponent(pathname)}`}>
          <Button type="submit" variant="tonal">
            {m.account_provider_link({ name })}
          </Button>
        </form>
      )}
    </SettingsSection>
  );
}
