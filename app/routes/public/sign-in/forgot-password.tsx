// Asks for a link to set a new password. The answer is the same for every address.
import { data, useNavigation } from "react-router";
import { spokenAt } from "#shared/spoken.ts";
import { unlessAway } from "#web/accounts/auth-actions.ts";
import { requestPasswordReset } from "#web/accounts/auth-links.ts";
import { readMailNote } from "#web/accounts/mail-note.ts";
import { appContext, visitContext } from "#web/context.ts";
import { readForm } from "#web/request/read-form.ts";
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
import { TextField } from "../../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/forgot-password";
import { refusalInit, refusalWords } from "./refusal-words.ts";

export async function action({ context, request }: Route.ActionArgs) {
  const spoken = spokenAt(new URL(request.url).pathname);
  const email = String((await readForm(request)).get("email") ?? "").slice(0, 300);
  const since = Date.now();
  const [app, visit] = [context.get(appContext), context.get(visitContext)];
  const outcome = await unlessAway(app, () => requestPasswordReset(app, request, visit, { email, locale: spoken }));
  return outcome.ok
    ? data({ email, sent: await readMailNote(context, [email], since), reason: null })
    : data({ email, sent: null, reason: refusalWords(spoken, outcome) }, refusalInit(outcome));
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function ForgotPassword(props: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const title = actionData?.sent
    ? actionData.sent.out
      ? m.forgot_password_sent_title()
      : m.mail_none_title()
    : m.forgot_password_title();
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={title}>
      <PageTitle>{title}</PageTitle>
      <meta name="description" content={m.forgot_password_description()} />
      {actionData?.sent ? (
        <MailSent note={actionData.sent} tone="good" words={m.forgot_password_sent({ email: actionData.email })} />
      ) : (
        <>
          <p>{m.forgot_password_how()}</p>
          <Form failed={m.failed_link()}>
            {actionData?.reason && !busy && <Alert tone="error">{`${m.failed_link()} ${actionData.reason}`}</Alert>}
            <TextField
              label={m.field_email()}
              name="email"
              type="email"
              required
              autoComplete="username"
              inputMode="email"
              maxLength={254}
              defaultValue={actionData?.email}
            />
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
