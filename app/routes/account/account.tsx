// The member's way in: email address and password.
import { data, useNavigation } from "react-router";
import { cancelEmailChange, findWaitingEmailChange } from "#domain/members/email-changes.ts";
import { findPasswordHash } from "#domain/members/users.ts";
import { spokenAt } from "#shared/spoken.ts";
import { unlessAway } from "#web/accounts/auth-actions.ts";
import { changePassword, requestEmailChange } from "#web/accounts/auth-settings.ts";
import { readMailNote } from "#web/accounts/mail-note.ts";
import { appContext, visitContext } from "#web/context.ts";
import { findTyped, requireFreshSession, requireMember } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { type Typed, typedText } from "#web/request/typed-before.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { MailSent } from "../../ui/mail-sent/mail-sent.tsx";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import { refusalInit, refusalWords } from "../public/sign-in/refusal-words.ts";
import type { Route } from "./+types/account";
import { FreshOnly } from "./fresh-only.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireMember({ context, request });
  const { db } = context.get(appContext);
  const [hash, waiting] = await Promise.all([
    findPasswordHash(db, member.user_id),
    findWaitingEmailChange(db, member.user_id),
  ]);
  return {
    email: member.email,
    has_password: hash !== null,
    fresh: member.fresh,
    waiting,
    typed: typedText(findTyped({ context, request }), "email"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const app = context.get(appContext);
  const visit = context.get(visitContext);
  const spoken = spokenAt(new URL(request.url).pathname);
  const form = await readForm(request);
  if (form.get("intent") === "email-cancel") {
    // Taking it back leaves everything as it is, so that nobody has to prove anything for it.
    const { user_id } = requireMember({ context, request });
    await cancelEmailChange(app.db, { user_id, origin: visit });
    return { of: "cancel" as const };
  }
  const typed: Typed = form.get("intent") === "email" ? { email: String(form.get("email") ?? "").slice(0, 300) } : {};
  const member = requireFreshSession({ context, request }, { typed });
  if (form.get("intent") === "email") {
    const email = String(form.get("email") ?? "").slice(0, 300);
    const since = Date.now();
    const outcome = await unlessAway(app, () => requestEmailChange(app, visit, member, email));
    if (outcome.ok) {
      const sent = await readMailNote(context, [member.email, email], since);
      return { of: "email" as const, sent_to: email, sent, error: null, away: false, typed: "" };
    }
    const own = email.trim().toLowerCase() === member.email;
    const error = own ? m.account_email_same() : refusalWords(spoken, outcome);
    const away = outcome.reason === "away";
    return data({ of: "email" as const, sent_to: null, sent: null, error, away, typed: email }, refusalInit(outcome));
  }
  const given = { current: String(form.get("current") ?? ""), next: String(form.get("next") ?? "") };
  const outcome = await unlessAway(app, () => changePassword(app, request, visit, member, given));
  if (outcome.ok) return data({ of: "password" as const, error: null, at: null }, { headers: outcome.headers });
  // Null: it is nothing that was typed.
  const at = outcome.reason === "away" ? null : outcome.reason === "wrong" ? ("current" as const) : ("next" as const);
  const error = outcome.reason === "wrong" ? m.account_password_wrong() : refusalWords(spoken, outcome);
  return data({ of: "password" as const, error, at }, refusalInit(outcome));
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function AccountPage({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const intent = useNavigation().formData?.get("intent");
  const email = actionData?.of === "email" ? actionData : null;
  const password = actionData?.of === "password" ? actionData : null;
  return (
    <>
      <PageTitle>{m.account_title()}</PageTitle>
      {!loaderData.fresh && <FreshOnly />}
      <SettingsSection title={m.account_email_title()} about={m.account_email_about()}>
        {loaderData.waiting && <WaitingChange {...loaderData.waiting} busy={intent === "email-cancel"} />}
        <Form failed={m.failed_email()} className={settingsForm} preventScrollReset>
          <input type="hidden" name="intent" value="email" />
          {email?.away && <Alert tone="error">{`${m.failed_email()} ${email.error} ${m.form_kept()}`}</Alert>}
          <TextField label={m.account_email_now()} name="email_now" value={loaderData.email} disabled />
          {loaderData.fresh && (
            <>
              <TextField
                key={email?.sent_to}
                label={m.account_email_new()}
                name="email"
                type="email"
                inputMode="email"
                autoComplete="email"
                required
                maxLength={254}
                defaultValue={email ? email.typed : loaderData.typed}
                error={email?.away ? null : email?.error}
              />
              {email?.sent && !intent && (
                <MailSent note={email.sent} tone="good" words={m.account_email_sent({ email: email.sent_to })} />
              )}
              <Button type="submit" loading={intent === "email"}>
                {m.account_email_save()}
              </Button>
            </>
          )}
        </Form>
      </SettingsSection>
      {loaderData.fresh && (
        <SettingsSection title={m.field_password()} about={m.account_password_about()}>
          <Form
            failed={m.failed_password()}
            className={settingsForm}
            preventScrollReset
            key={password?.error === null ? "done" : "form"}
          >
            <input type="hidden" name="intent" value="password" />
            {password?.error && password.at === null && (
              <Alert tone="error">{`${m.failed_password()} ${password.error} ${m.form_kept()}`}</Alert>
            )}
            {/* For password managers: which account it is. */}
            <input type="email" name="username" autoComplete="username" value={loaderData.email} hidden readOnly />
            {loaderData.has_password && (
              <TextField
                label={m.account_current()}
                name="current"
                type="password"
                required
                autoComplete="current-password"
                reveal={{ show: m.password_show(), hide: m.password_hide() }}
                error={password?.at === "current" ? password.error : null}
              />
            )}
            <TextField
              label={m.account_next()}
              name="next"
              type="password"
              required
              autoComplete="new-password"
              hint={m.password_hint()}
              reveal={{ show: m.password_show(), hide: m.password_hide() }}
              error={password?.at === "next" ? password.error : null}
            />
            {password?.error === null && !intent && <Alert tone="good">{m.account_password_saved()}</Alert>}
            <Button type="submit" loading={intent === "password"}>
              {loaderData.has_password ? m.account_password_save() : m.account_password_set()}
            </Button>
          </Form>
        </SettingsSection>
      )}
    </>
  );
}

type Waiting = { new_email: string; old_confirmed: boolean; new_confirmed: boolean; busy: boolean };

/** The change that was asked for: which of the two mailboxes has said yes, and the way back. */
function WaitingChange({ new_email, old_confirmed, new_confirmed, busy }: Waiting) {
  const state = old_confirmed
    ? m.account_email_waits_new({ email: new_email })
    : new_confirmed
      ? m.account_email_waits_old({ email: new_email })
      : m.account_email_waits_both({ email: new_email });
  return (
    <Form failed={m.failed_email()} className={settingsForm} preventScrollReset>
      <Alert tone="plain">{state}</Alert>
      <div>
        <Button type="submit" name="intent" value="email-cancel" variant="outlined" size="s" loading={busy}>
          {m.account_email_cancel()}
        </Button>
      </div>
    </Form>
  );
}
