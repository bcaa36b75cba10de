// Linked Discord accounts for login: connecting goes to Discord and back, disconnecting needs confirmation.
import { useLocation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SettingsItem, SettingsList, SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import css from "./linked-discord.module.css";

type Props = {
  fresh: boolean;
  /** Whether the site offers it now. */
  offered: boolean;
  accounts: { account_id: string; day: string }[];
  /** Outcome of the Discord login that the member has just returned from. */
  back: string | null;
  unlinked: boolean;
  problem: string | null;
};

export function LinkedDiscord({ fresh, offered, accounts, back, unlinked, problem }: Props) {
  const { pathname } = useLocation();
  const acted = unlinked || problem !== null;
  return (
    <SettingsSection title={m.account_discord_title()} about={m.account_discord_about()}>
      {problem && <Alert tone="error">{problem}</Alert>}
      {unlinked && <Alert tone="good">{m.account_discord_unlinked()}</Alert>}
      {!acted && back === "linked" && accounts.length > 0 && <Alert tone="good">{m.account_discord_linked()}</Alert>}
      {!acted && back === "refused" && <Alert tone="error">{m.account_discord_refused()}</Alert>}
      {accounts.length === 0 && <p className={css.none}>{m.account_discord_none()}</p>}
      {accounts.length > 0 && (
        <SettingsList label={m.account_discord_list()}>
          {accounts.map(({ account_id, day }) => (
            <SettingsItem key={account_id} title={m.account_discord_account()} about={m.account_discord_since({ day })}>
              {fresh && (
                <details>
                  <summary className={css.opener}>{m.account_discord_unlink()}</summary>
                  <Form failed={m.failed_discord_unlink()} action={pathname} className={css.sure} preventScrollReset>
                    <input type="hidden" name="account_id" value={account_id} />
                    <p className={css.quiet}>{m.account_discord_unlink_what()}</p>
                    <Button type="submit" name="intent" value="discord-unlink" variant="outlined" size="s">
                      {m.account_discord_unlink_sure()}
                    </Button>
                  </Form>
                </details>
              )}
            </SettingsItem>
          ))}
        </SettingsList>
      )}
      {fresh && offered && accounts.length === 0 && (
        <form method="post" action={`/api/auth/discord/link?next=${encodeURIComponent(pathname)}`}>
          <Button type="submit" variant="tonal">
            {m.account_discord_link()}
          </Button>
        </form>
      )}
    </SettingsSection>
  );
}
