// Signing in by a code from the mailbox: first the address, then the code.
import { data, redirectDocument, useLocation, useNavigation } from "react-router";
import { addressIn, spokenAt } from "#shared/spoken.ts";
import { unlessAway } from "#web/accounts/auth-actions.ts";
import { requestSignInCode, signInByCode } from "#web/accounts/auth-codes.ts";
import { readMailNote } from "#web/accounts/mail-note.ts";
import { appContext, visitContext } from "#web/context.ts";
import { nextPage } from "#web/request/next-page.ts";
import { readForm } from "#web/request/read-form.ts";
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
import { TextField } from "../../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/sign-in-code";
import { pageAfterSignIn } from "./after-sign-in.ts";
import { refusalInit, refusalWords } from "./refusal-words.ts";

export async function action({ context, request }: Route.ActionArgs) {
  const app = context.get(appContext);
  const visit = context.get(visitContext);
  const url = new URL(request.url);
  const spoken = spokenAt(url.pathname);
  const form = await readForm(request);
  const email = String(form.get("email") ?? "").slice(0, 300);
  if (!form.has("code")) {
    const since = Date.now();
    const outcome = await unlessAway(app, () => requestSignInCode(app, request, visit, { email, locale: spoken }));
    if (!outcome.ok) {
      return data(
        { step: "email" as const, email, sent: null, reason: refusalWords(spoken, outcome) },
        refusalInit(outcome),
      );
    }
    const sent = await readMailNote(context, [email], since);
    return data({ step: "code" as const, email, sent, reason: null }, { headers: outcome.headers });
  }
  const outcome = await unlessAway(app, () => signInByCode(app, request, visit, String(form.get("code"))));
  if (!outcome.ok) {
    return data(
      { step: "code" as const, email, sent: null, reason: refusalWords(spoken, outcome) },
      refusalInit(outcome),
    );
  }
  const to = nextPage(url.searchParams.get("next"), addressIn(spoken, "/"));
  throw redirectDocument(pageAfterSignIn(spoken, outcome, to), { headers: outcome.headers });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function SignInCode(props: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const busy = useNavigation().state === "submitting";
  const here = location.pathname + location.search;
  const reason = busy ? null : actionData?.reason;
  return (
    <SceneCard
      picture={<Picture name="slide-2" portrait="slide-2-portrait" alt="" sizes="100vw" />}
      title={m.sign_in_code_title()}
    >
      <PageTitle>{m.sign_in_code_title()}</PageTitle>
      <meta name="description" content={m.sign_in_code_description()} />
      {actionData?.step === "code" ? (
        <>
          {reason ? (
            <Alert tone="error">{m.login_failed({ reason })}</Alert>
          ) : (
            actionData.sent && (
              <MailSent note={actionData.sent} tone="plain" words={m.sign_in_code_sent({ email: actionData.email })} />
            )
          )}
          <Form failed={(reason) => m.login_failed({ reason })} action={here}>
            <input type="hidden" name="email" value={actionData.email} />
            <CodeField from="mail" key={actionData.email} />
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
            {m.sign_in_code_act()}
          </Button>
        </Form>
      )}
      <Link to={`/login/${location.search}`}>{m.sign_in_code_back()}</Link>
    </SceneCard>
  );
}
