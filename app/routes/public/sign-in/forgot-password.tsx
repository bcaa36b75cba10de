// Requests a link to reset the password. The answer is the same for every address.
import { useNavigation } from "react-router";
import { requestPasswordReset } from "#web/accounts/auth-links.ts";
import { readMailNote } from "#web/accounts/mail-note.ts";
import { done, handleForm, textOf } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { MailSent } from "../../../ui/mail-sent/mail-sent.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/forgot-password";
import { EmailField } from "./email-field.tsx";
import { refuseSignIn } from "./refuse-sign-in.ts";

export const handle: RouteFacts = { kept: false, sitemap: false };

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: (form) => ({ email: textOf(form, "email", 300) }),
    async act({ given: { email }, app, visit, locale }) {
      const since = Date.now();
      const outcome = await requestPasswordReset(app, asked.request, visit, { email, locale });
      return outcome.ok ? done(await readMailNote(asked.context, [email], since)) : refuseSignIn(outcome);
    },
    away: m.refused_away,
  });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function ForgotPassword(props: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const sent = actionData?.done;
  const title = sent ? (sent.out ? m.forgot_password_sent_title() : m.mail_none_title()) : m.forgot_password_title();
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={title}>
      <PageTitle>{title}</PageTitle>
      <meta name="description" content={m.forgot_password_description()} />
      {sent ? (
        <MailSent
          note={sent}
          tone="good"
          text={m.forgot_password_sent({ email: actionData.given.email })}
          nothing={m.mail_demo_no_account()}
        />
      ) : (
        <>
          <p>{m.forgot_password_how()}</p>
          <Form failed={m.failed_link()}>
            {actionData?.problem && !busy && <Alert tone="error">{`${m.failed_link()} ${actionData.problem}`}</Alert>}
            <EmailField given={actionData?.given.email} />
            <Button type="submit" size="l" loading={busy}>
              {m.forgot_password_act()}
            </Button>
          </Form>
        </>
      )}
      <Link to="/login/">{m.forgot_password_back()}</Link>
    </SceneCard>
  );
}
