// Manages the member's email address and password.
import { useNavigation } from "react-router";
import { cancelEmailChange, findWaitingEmailChange } from "#domain/accounts/email-changes.ts";
import { listLinkedSites } from "#domain/accounts/linked-sites.ts";
import { listPasskeys } from "#domain/accounts/passkeys.ts";
import { findPasswordHash } from "#domain/accounts/users.ts";
import { changePassword, requestEmailChange } from "#web/accounts/auth-settings.ts";
import { type MailNote, readMailNote } from "#web/accounts/mail-note.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, signedIn, textOf } from "#web/forms/handle-form.ts";
import { typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requireMember } from "#web/guards.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { KeptText } from "../../ui/form/kept-text.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { Link } from "../../ui/link/link.tsx";
import { MailSent } from "../../ui/mail-sent/mail-sent.tsx";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import { refuseSignIn } from "../public/sign-in/refuse-sign-in.ts";
import type { Route } from "./+types/account";
import { FreshOnly } from "./fresh-only.tsx";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const member = requireMember({ context, url });
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
    typed: typedText(findTyped({ context, request, url }), "email"),
  };
}

/**
 * Result of an action, as the page shows it.
 * `other_ways`: the names of sites that may open the account besides its new password; null: nothing opens it besides.
 */
type Outcome = ({ to: string; sent: MailNote } | { to: null; sent: null }) & { other_ways: string | null };
const nothing: Outcome & { to: null } = { to: null, sent: null, other_ways: null };

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: signedIn,
    read: (form) => ({ email: textOf(form, "email", 300) }),
    async act({ given, form, intent, app, visit, actor }) {
      if (intent === "email-cancel") {
        // Cancelling changes nothing, so it needs no re-authentication.
        await cancelEmailChange(app.db, actor);
        return done(nothing);
      }
      const member = requireFreshSession(asked, { typed: intent === "email" ? given : {} });
      if (intent === "email") {
        const since = Date.now();
        const outcome = await requestEmailChange(app, visit, member, given.email);
        if (outcome.ok) {
          const sent = await readMailNote(asked.context, [member.email, given.email], since);
          return done({ to: given.email, sent, other_ways: null }, { given: { email: "" } });
        }
        const own = given.email.trim().toLowerCase() === member.email;
        return refuseSignIn(outcome, "email", own ? m.account_email_same() : undefined);
      }
      // Read before the change: nothing that can fail may follow a changed password.
      const ways = await Promise.all([listPasskeys(app.db, member.user_id), listLinkedSites(app.db, member.user_id)]);
      const outcome = await changePassword(app, asked.request, visit, member, {
        current: textOf(form, "current"),
        next: textOf(form, "next"),
      });
      if (outcome.ok) {
        const names = app.providers.map(({ name }) => name).join(", ") || "Discord";
        return done({ ...nothing, other_ways: ways.flat().length > 0 ? names : null }, { headers: outcome.headers });
      }
      const isCurrent = outcome.reason === "wrong";
      return refuseSignIn(outcome, isCurrent ? "current" : "next", isCurrent ? m.account_password_wrong() : undefined);
    },
    away: (intent) =>
      `${intent === "password" ? m.failed_password() : m.failed_email()} ${m.refused_away()} ${m.form_kept()}`,
  });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function AccountPage({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const intent = useNavigation().formData?.get("intent");
  const of = (own: string) => (actionData?.intent === own ? actionData : null);
  const [email, password] = [of("email"), of("password")];
  return (
    <>
      <PageTitle>{m.account_title()}</PageTitle>
      {!loaderData.fresh && <FreshOnly />}
      <SettingsSection title={m.account_email_title()} about={m.account_email_about()}>
        {loaderData.waiting && (
          <WaitingChange
            {...loaderData.waiting}
            busy={intent === "email-cancel"}
            problem={of("email-cancel")?.problem ?? null}
          />
        )}
        <Form failed={m.failed_email()} className={settingsForm} preventScrollReset>
          <input type="hidden" name="intent" value="email" />
          <KeptText of="email" />
          {email?.problem && <Alert tone="error">{email.problem}</Alert>}
          <TextField label={m.account_email_now()} name="email_now" value={loaderData.email} disabled />
          {loaderData.fresh && (
            <>
              <TextField
                key={email?.done?.to}
                label={m.account_email_new()}
                name="email"
                type="email"
                inputMode="email"
                autoComplete="email"
                required
                maxLength={254}
                defaultValue={email ? email.given.email : loaderData.typed}
                error={email?.fieldErrors.email}
              />
              {email?.done?.sent && !intent && (
                <MailSent
                  note={email.done.sent}
                  tone="good"
                  text={m.account_email_sent({ email: email.done.to })}
                  nothing={m.mail_demo_taken()}
                />
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
            key={password?.done ? "done" : "form"}
          >
            <input type="hidden" name="intent" value="password" />
            {password?.problem && <Alert tone="error">{password.problem}</Alert>}
            {/* Tells password managers the account. */}
            <input type="email" name="username" autoComplete="username" value={loaderData.email} hidden readOnly />
            {loaderData.has_password && (
              <TextField
                label={m.account_current()}
                name="current"
                type="password"
                required
                autoComplete="current-password"
                reveal={{ show: m.password_show(), hide: m.password_hide() }}
                error={password?.fieldErrors.current}
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
              error={password?.fieldErrors.next}
            />
            {password?.done && !intent && (
              <Alert tone="good">
                {m.account_password_saved()}
                {password.done.other_ways && (
                  <>
                    {" "}
                    {m.account_password_other_ways({ name: password.done.other_ways })}{" "}
                    <Link to="/user/settings/security">{m.account_password_other_ways_look()}</Link>
                  </>
                )}
              </Alert>
            )}
            <Button type="submit" loading={intent === "password"}>
              {loaderData.has_password ? m.account_password_save() : m.account_password_set()}
            </Button>
          </Form>
        </SettingsSection>
      )}
    </>
  );
}

type Waiting = {
  new_email: string;
  old_confirmed: boolean;
  new_confirmed: boolean;
  busy: boolean;
  problem: string | null;
};

/** Shows the pending email change: which of the two mailboxes has confirmed, and how to cancel. */
function WaitingChange({ new_email, old_confirmed, new_confirmed, busy, problem }: Waiting) {
  const state = old_confirmed
    ? m.account_email_waits_new({ email: new_email })
    : new_confirmed
      ? m.account_email_waits_old({ email: new_email })
      : m.account_email_waits_both({ email: new_email });
  return (
    <Form failed={m.failed_email()} className={settingsForm} preventScrollReset>
      <Alert tone="plain">{state}</Alert>
      {problem && <Alert tone="error">{problem}</Alert>}
      <div>
        <Button type="submit" name="intent" value="email-cancel" variant="outlined" size="s" loading={busy}>
          {m.account_email_cancel()}
        </Button>
      </div>
    </Form>
  );
}
