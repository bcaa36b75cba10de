// Login by mailed code: first the address, then the code.
import { redirectDocument, useLocation, useNavigation } from "react-router";
import { addressIn } from "#shared/locale.ts";
import { pageAfterSignIn } from "#web/accounts/after-sign-in.ts";
import { requestSignInCode, signInByCode } from "#web/accounts/auth-codes.ts";
import { readMailNote } from "#web/accounts/mail-note.ts";
import { done, handleForm, textOf } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { nextPage } from "#web/request/next-page.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { CodeField } from "../../../ui/code-field/code-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { MailSent } from "../../../ui/mail-sent/mail-sent.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/sign-in-code";
import { EmailField } from "./email-field.tsx";
import { refuseSignIn } from "./refuse-sign-in.ts";

export const handle: RouteFacts = { kept: false, sitemap: false };

export function action(asked: Route.ActionArgs) {
  const { context, request } = asked;
  return handleForm(asked, {
    read: (form) => ({ email: textOf(form, "email", 300), asks_code: form.has("code") }),
    async act({ given: { email, asks_code }, form, app, visit, url, locale }) {
      if (!asks_code) {
        const since = Date.now();
        const outcome = await requestSignInCode(app, request, visit, { email, locale });
        if (!outcome.ok) return refuseSignIn(outcome);
        const sent = await readMailNote(context, [email], since);
        return done(sent, { given: { email, asks_code: true }, headers: outcome.headers });
      }
      const outcome = await signInByCode(app, request, visit, textOf(form, "code"));
      if (!outcome.ok) return refuseSignIn(outcome);
      const to = nextPage(url.searchParams.get("next"), addressIn(locale, "/"));
      return redirectDocument(pageAfterSignIn(locale, outcome, to), { headers: outcome.headers });
    },
    away: m.refused_away,
  });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function SignInCode(props: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const busy = useNavigation().state === "submitting";
  const here = location.pathname + location.search;
  const reason = busy ? null : actionData?.problem;
  return (
    <SceneCard
      picture={<Picture name="slide-2" portrait="slide-2-portrait" alt="" sizes="100vw" />}
      title={m.sign_in_code_title()}
    >
      <PageTitle>{m.sign_in_code_title()}</PageTitle>
      <meta name="description" content={m.sign_in_code_description()} />
      {actionData?.given.asks_code ? (
        <>
          {reason ? (
            <Alert tone="error">{m.login_failed({ reason })}</Alert>
          ) : (
            actionData.done && (
              <MailSent
                note={actionData.done}
                tone="plain"
                text={m.sign_in_code_sent({ email: actionData.given.email })}
                nothing={m.mail_demo_no_account()}
              />
            )
          )}
          <Form failed={(reason) => m.login_failed({ reason })} action={here}>
            <input type="hidden" name="email" value={actionData.given.email} />
            <CodeField from="mail" key={actionData.given.email} />
            <Button type="submit" size="l" loading={busy}>
              {m.sign_in()}
            </Button>
          </Form>
          <Link to={here} reloadDocument>
            {m.sign_in_code_other()}
          </Link>
        </>
      ) : (
        <Form failed={m.failed_code()} action={here}>
          <p>{m.sign_in_code_how()}</p>
          {reason && <Alert tone="error">{`${m.failed_code()} ${reason}`}</Alert>}
          <EmailField given={actionData?.given.email} />
          <Button type="submit" size="l" loading={busy}>
            {m.sign_in_code_act()}
          </Button>
        </Form>
      )}
      <Link to={`/login/${location.search}`}>{m.sign_in_code_back()}</Link>
    </SceneCard>
  );
}
