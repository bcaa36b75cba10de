// Lists the account's passkeys to check and remove, after a password reset by link or a change of address.
import { redirect, useLocation, useNavigation } from "react-router";
import { listPasskeys, recordPasskeysChecked, removePasskey } from "#domain/accounts/passkeys.ts";
import { addressIn } from "#shared/locale.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, signedIn, textOf } from "#web/forms/handle-form.ts";
import { requireFreshSession, requireMember } from "#web/guards.ts";
import { nextPage } from "#web/request/next-page.ts";
import { formatDay } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import { SettingsItem, SettingsList } from "../../ui/settings-section/settings-section.tsx";
import type { Route } from "./+types/check-passkeys";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user_id } = requireMember({ context, url });
  const passkeys = await listPasskeys(context.get(appContext).db, user_id);
  return {
    passkeys: passkeys.map(({ passkey_id, name, created_at }) => ({ passkey_id, name, day: formatDay(created_at) })),
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: signedIn,
    read: () => null,
    async act({ form, intent, app, url, locale, member, actor }) {
      if (intent === "remove") {
        requireFreshSession(asked);
        await removePasskey(app.db, actor, textOf(form, "passkey_id", 40));
        return done(true);
      }
      await recordPasskeysChecked(app.db, member.user_id);
      return redirect(nextPage(url.searchParams.get("next"), addressIn(locale, "/")));
    },
  });
}

export default function CheckPasskeys({ loaderData: { passkeys } }: Route.ComponentProps) {
  const location = useLocation();
  const here = location.pathname + location.search;
  const busy = useNavigation().formData?.get("intent") === "known";
  return (
    <SceneCard
      picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />}
      title={m.account_check_passkeys_title()}
    >
      <PageTitle>{m.account_check_passkeys_title()}</PageTitle>
      <p>{passkeys.length === 0 ? m.account_check_passkeys_none() : m.account_check_passkeys_why()}</p>
      {passkeys.length > 0 && (
        <SettingsList label={m.account_passkeys_list()}>
          {passkeys.map(({ passkey_id, name, day }) => (
            <SettingsItem
              key={passkey_id}
              title={name || m.account_passkeys_unnamed()}
              about={m.account_passkeys_added({ day })}
            >
              <Form failed={m.failed_passkey()} action={here} preventScrollReset>
                <input type="hidden" name="passkey_id" value={passkey_id} />
                <Button
                  type="submit"
                  name="intent"
                  value="remove"
                  variant="outlined"
                  size="s"
                  aria-label={m.account_check_passkeys_remove({ name: name || m.account_passkeys_unnamed(), day })}
                >
                  {m.account_passkeys_remove()}
                </Button>
              </Form>
            </SettingsItem>
          ))}
        </SettingsList>
      )}
      <Form failed={m.failed_passkey()} action={here}>
        <Button type="submit" name="intent" value="known" size="l" loading={busy}>
          {passkeys.length === 0 ? m.account_check_passkeys_on() : m.account_check_passkeys_known()}
        </Button>
      </Form>
    </SceneCard>
  );
}
