// Re-authenticates the member before a risky action, then returns to it. By password, passkey or mailed code: whatever the account
// has.
import { redirectDocument, useLocation, useNavigation } from "react-router";
import { listPasskeys } from "#domain/accounts/passkeys.ts";
import { findPasswordHash } from "#domain/accounts/users.ts";
import { addressIn, type Locale, localeAt } from "#shared/locale.ts";
import { pageAfterSignIn } from "#web/accounts/after-sign-in.ts";
import { requestSignInCode, signInByCode } from "#web/accounts/auth-codes.ts";
import { reauthenticate } from "#web/accounts/auth-settings.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, signedIn, textOf } from "#web/forms/handle-form.ts";
import { requireMember } from "#web/guards.ts";
import { nextPage } from "#web/request/next-page.ts";
import { announceOnNextPage } from "../../live/auth-events.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { CodeField } from "../../ui/code-field/code-field.tsx";
import { Form } from "../../ui/form/form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import { PasskeyButton } from "../public/sign-in/passkey-button.tsx";
import { refuseSignIn } from "../public/sign-in/refuse-sign-in.ts";
import type { Route } from "./+types/reauthenticate";

const backFrom = (url: URL, locale: Locale) =>
  nextPage(url.searchParams.get("next"), addressIn(locale, "/user/settings/profile/"));

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user_id, email } = requireMember({ context, url });
  const { db } = context.get(appContext);
  const [hash, passkeys] = await Promise.all([findPasswordHash(db, user_id), listPasskeys(db, user_id)]);
  const to = backFrom(url, localeAt(url.pathname));
  return { email, has_password: hash !== null, has_passkey: passkeys.length > 0, to };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: signedIn,
    read: (form) => ({ by: form.has("code") ? ("code" as const) : ("password" as const) }),
    async act({ given: { by }, form, intent, app, visit, url, locale, member }) {
      const to = backFrom(url, locale);
      if (intent === "mail") {
        const asks = await requestSignInCode(app, asked.request, visit, { email: member.email, locale });
        if (!asks.ok) return { ...refuseSignIn(asks), given: { by: "password" as const } };
        return done(true, { given: { by: "code" as const }, headers: asks.headers });
      }
      if (by === "code") {
        // A normal login by code: asks for the second factor if there is one.
        const outcome = await signInByCode(app, asked.request, visit, textOf(form, "code"));
        if (!outcome.ok) return refuseSignIn(outcome);
        return redirectDocument(pageAfterSignIn(locale, outcome, to), { headers: outcome.headers });
      }
      const outcome = await reauthenticate(app, visit, member, textOf(form, "password"));
      if (outcome.ok) return redirectDocument(to, { headers: outcome.headers });
      return refuseSignIn(outcome, undefined, outcome.reason === "wrong" ? m.account_password_wrong() : undefined);
    },
  });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function Reauthenticate({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const { email, has_password, has_passkey, to } = loaderData;
  const location = useLocation();
  const navigation = useNavigation();
  const here = location.pathname + location.search;
  const intent = navigation.state === "submitting" ? (navigation.formData?.get("intent") ?? "prove") : null;
  const reason = intent === null ? actionData?.problem : null;
  const onSubmit = () => announceOnNextPage("TOKEN_REFRESHED");
  return (
    <SceneCard
      picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />}
      title={m.account_reauthenticate_title()}
    >
      <PageTitle>{m.account_reauthenticate_title()}</PageTitle>
      <p>{m.account_reauthenticate_why()}</p>
      {reason && <Alert tone="error">{reason}</Alert>}
      {actionData?.given.by === "code" ? (
        // A form of its own: in a field that React reuses, the typed password would appear as a code in clear text.
        <Form key="code" failed={m.failed_reauthenticate()} action={here} onSubmit={onSubmit}>
          {!reason && <Alert tone="plain">{m.account_reauthenticate_sent({ email })}</Alert>}
          <CodeField from="mail" />
          <Button type="submit" size="l" loading={intent === "prove"}>
            {m.account_reauthenticate_act()}
          </Button>
        </Form>
      ) : (
        has_password && (
          <Form key="password" failed={m.failed_reauthenticate()} action={here} onSubmit={onSubmit}>
            {/* Tells password managers the account. */}
            <input type="email" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
            <TextField
              label={m.field_password()}
              name="password"
              type="password"
              required
              autoComplete="current-password"
              reveal={{ show: m.password_show(), hide: m.password_hide() }}
            />
            <Button type="submit" size="l" loading={intent === "prove"}>
              {m.account_reauthenticate_act()}
            </Button>
          </Form>
        )
      )}
      {has_passkey && (
        <PasskeyButton
          texts={{ act: m.login_passkey_act(), refused: m.account_reauthenticate_passkey_refused() }}
          to={to}
        />
      )}
      <Form failed={m.failed_code()} action={here}>
        <Button
          type="submit"
          name="intent"
          value="mail"
          size="l"
          variant={has_password || has_passkey || actionData?.given.by === "code" ? "outlined" : "default"}
          loading={intent === "mail"}
        >
          {actionData?.given.by === "code" ? m.sign_in_code_other() : m.account_reauthenticate_mail()}
        </Button>
      </Form>
    </SceneCard>
  );
}
