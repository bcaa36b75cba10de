// Exports or deletes the member's personal data.
import { redirectDocument, useLocation, useNavigation } from "react-router";
import { deactivateAccount, KEPT_MONTHS } from "#domain/members/erasure.ts";
import { addressIn, localeAt } from "#shared/locale.ts";
import { setCookie } from "#web/accounts/cookies.ts";
import { siteContext } from "#web/context.ts";
import { handleForm, refuse, refuseFields, signedIn, textOf } from "#web/forms/handle-form.ts";
import { typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requireMember } from "#web/guards.ts";
import { announceOnNextPage } from "../../live/auth-events.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { Link } from "../../ui/link/link.tsx";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/data";
import css from "./data.module.css";
import { ExportForm } from "./export-form.tsx";
import { FreshOnly } from "./fresh-only.tsx";

export function loader({ context, request, url }: Route.LoaderArgs) {
  const member = requireMember({ context, url });
  const { settings } = context.get(siteContext).read();
  const typed = typedText(findTyped({ context, request, url }), "confirm");
  return { fresh: member.fresh, typed, grace_days: settings.erase_grace_days, kept_months: KEPT_MONTHS };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: signedIn,
    read: (form) => ({ confirm: textOf(form, "confirm", 100) }),
    async act({ given, app, visit, locale }) {
      const member = requireFreshSession(asked, { typed: given });
      const word = m.account_data_word();
      if (given.confirm.trim().toUpperCase() !== word)
        return refuseFields({ confirm: m.account_data_word_wrong({ word }) });
      const end = await deactivateAccount(app.db, member.user_id, {
        graceDays: asked.context.get(siteContext).read().settings.erase_grace_days,
        link: (token) => `${app.siteUrl}${addressIn(member.locale, "/keep-account")}?token=${token}`,
        origin: visit,
      });
      if (!end) return refuse(422, m.account_data_last_admin());
      const headers = { "Set-Cookie": setCookie(app.siteUrl, "session", "", 0) };
      return redirectDocument(addressIn(locale, "/keep-account"), { headers });
    },
  });
}

export default function DataPage({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const { pathname } = useLocation();
  const locale = localeAt(pathname);
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <PageTitle>{m.account_data_title()}</PageTitle>
      <SettingsSection title={m.account_data_export_title()} about={m.account_data_export_about()}>
        <ExportForm action={addressIn(locale, "/user/settings/data/export")} />
      </SettingsSection>
      {loaderData.fresh ? (
        <SettingsSection
          title={m.account_data_delete_title()}
          about={
            <>
              <p>{m.account_data_delete_about({ days: loaderData.grace_days })}</p>
              <p>{m.account_data_kept({ months: loaderData.kept_months })}</p>
              <p>
                <Link to="/privacy-policy">{m.privacy_policy()}</Link>
              </p>
            </>
          }
        >
          {actionData?.problem && !busy && <Alert tone="error">{actionData.problem}</Alert>}
          <details open={actionData !== undefined || loaderData.typed !== ""}>
            <summary className={css.opener}>{m.account_data_open()}</summary>
            <Form
              failed={m.failed_account_delete()}
              action={pathname}
              className={css.form}
              onSubmit={() => announceOnNextPage("SIGNED_OUT")}
            >
              <strong>{m.account_data_sure()}</strong>
              <TextField
                label={m.account_data_type({ word: m.account_data_word() })}
                name="confirm"
                required
                autoComplete="off"
                spellCheck={false}
                defaultValue={actionData ? actionData.given.confirm : loaderData.typed}
                error={busy ? null : actionData?.fieldErrors.confirm}
              />
              <Button type="submit" variant="outlined" loading={busy}>
                {m.account_data_delete()}
              </Button>
            </Form>
          </details>
        </SettingsSection>
      ) : (
        <>
          <SettingsSection
            title={m.account_data_delete_title()}
            about={m.account_data_delete_about({ days: loaderData.grace_days })}
          >
            <p className={css.quiet}>{m.account_data_kept({ months: loaderData.kept_months })}</p>
          </SettingsSection>
          <FreshOnly />
        </>
      )}
    </>
  );
}
