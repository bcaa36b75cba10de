// What the site holds on the member: taking it along, and having it deleted.
import { data, Form, Link, redirectDocument, useLocation, useNavigation } from "react-router";
import { deactivateAccount, KEPT_MONTHS } from "#domain/account-erasure.ts";
import { isFresh } from "#domain/sessions.ts";
import { appContext, siteContext, visitContext } from "#web/context.ts";
import { setCookie } from "#web/device.ts";
import { requireFreshSession, requireMember } from "#web/guards.ts";
import { announceOnNextPage } from "../../live/auth-events.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import type { Route } from "./+types/data";
import css from "./data.module.css";
import { TEXT } from "./data-text.ts";
import { FreshOnly } from "./fresh-only.tsx";

export function loader({ context, request }: Route.LoaderArgs) {
  const member = requireMember({ context, request });
  const { settings } = context.get(siteContext).read();
  return { fresh: isFresh(member), grace_days: settings.erase_grace_days, kept_months: KEPT_MONTHS };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireFreshSession({ context, request });
  const app = context.get(appContext);
  const spoken = spokenAt(new URL(request.url).pathname);
  const end = await deactivateAccount(app.db, member.user_id, {
    graceDays: context.get(siteContext).read().settings.erase_grace_days,
    link: (token) => `${app.siteUrl}${addressIn(member.locale, "/keep-account")}?token=${token}`,
    origin: context.get(visitContext),
  });
  if (!end) return data({ error: TEXT[spoken].last_admin }, { status: 422 });
  const headers = new Headers();
  headers.append("Set-Cookie", setCookie(app.siteUrl, "session", "", 0));
  throw redirectDocument(addressIn(spoken, "/keep-account"), { headers });
}

export default function DataPage({ loaderData, actionData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const spoken = spokenAt(pathname);
  const t = TEXT[spoken];
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <title>{t.title}</title>
      <SettingsSection title={t.export_title} about={t.export_about}>
        <form method="post" action={addressIn(spoken, "/user/settings/data/export")} className={settingsForm}>
          <Button type="submit" variant="secondary">
            {t.export}
          </Button>
        </form>
      </SettingsSection>
      {loaderData.fresh ? (
        <SettingsSection
          title={t.delete_title}
          grave
          about={
            <>
              <p>{t.delete_about(loaderData.grace_days)}</p>
              <p>{t.kept(loaderData.kept_months)}</p>
              <p>
                <Link to={addressIn(spoken, "/privacy-policy")}>{t.privacy}</Link>
              </p>
            </>
          }
        >
          {actionData?.error && !busy && <Alert tone="error">{actionData.error}</Alert>}
          <details>
            <summary className={css.opener}>{t.open}</summary>
            <Form
              method="post"
              action={pathname}
              className={css.form}
              onSubmit={() => announceOnNextPage("SIGNED_OUT")}
            >
              <strong>{t.sure}</strong>
              <Button type="submit" variant="outlined" loading={busy}>
                {t.delete}
              </Button>
            </Form>
          </details>
        </SettingsSection>
      ) : (
        <>
          <SettingsSection title={t.delete_title} about={t.delete_about(loaderData.grace_days)}>
            <p className={css.quiet}>{t.kept(loaderData.kept_months)}</p>
          </SettingsSection>
          <FreshOnly />
        </>
      )}
    </>
  );
}
