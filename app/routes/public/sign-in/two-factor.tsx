// The second step of signing in: a code of the authenticator app, or a recovery code.
import { data, redirectDocument, useLocation, useNavigation } from "react-router";
import { addressIn, spokenAt } from "#shared/spoken.ts";
import { unlessAway } from "#web/accounts/auth-actions.ts";
import { takeSecondStep } from "#web/accounts/second-factor.ts";
import { appContext, visitContext } from "#web/context.ts";
import { nextPage } from "#web/request/next-page.ts";
import { readForm } from "#web/request/read-form.ts";
import { announceOnNextPage } from "../../../live/auth-events.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { CodeField } from "../../../ui/code-field/code-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/two-factor";
import { pageAfterSignIn } from "./after-sign-in.ts";
import { refusalInit, refusalWords } from "./refusal-words.ts";

export async function action({ context, request }: Route.ActionArgs) {
  const url = new URL(request.url);
  const spoken = spokenAt(url.pathname);
  const form = await readForm(request);
  const kind = form.get("kind") === "recovery" ? ("recovery" as const) : ("app" as const);
  const code = String(form.get("code") ?? "").slice(0, 40);
  const [app, visit] = [context.get(appContext), context.get(visitContext)];
  const outcome = await unlessAway(app, () => takeSecondStep(app, request, visit, { code, kind }));
  if (!outcome.ok) return data({ kind, reason: refusalWords(spoken, outcome) }, refusalInit(outcome));
  const to = nextPage(url.searchParams.get("next"), addressIn(spoken, "/"));
  throw redirectDocument(pageAfterSignIn(spoken, outcome, to), { headers: outcome.headers });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function TwoFactor(props: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const busy = useNavigation().state === "submitting";
  const here = location.pathname + location.search;
  const onSubmit = () => announceOnNextPage("MFA_CHALLENGE_VERIFIED");
  return (
    <SceneCard
      picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />}
      title={m.two_factor_title()}
    >
      <PageTitle>{m.two_factor_title()}</PageTitle>
      {actionData?.reason && !busy && <Alert tone="error">{m.login_failed({ reason: actionData.reason })}</Alert>}
      <p>{m.two_factor_how()}</p>
      <Form failed={(reason) => m.login_failed({ reason })} action={here} onSubmit={onSubmit}>
        <input type="hidden" name="kind" value="app" />
        <CodeField from="app" />
        <Button type="submit" size="l" loading={busy}>
          {m.sign_in()}
        </Button>
      </Form>
      <details open={actionData?.kind === "recovery"}>
        <summary>{m.two_factor_lost()}</summary>
        <Form failed={(reason) => m.login_failed({ reason })} action={here} onSubmit={onSubmit}>
          <input type="hidden" name="kind" value="recovery" />
          <p>{m.two_factor_recovery_how()}</p>
          <TextField label={m.two_factor_recovery()} name="code" required autoComplete="off" maxLength={20} />
          <Button type="submit" variant="tonal" loading={busy}>
            {m.sign_in()}
          </Button>
        </Form>
      </details>
      <Link to={`/login/${location.search}`}>{m.two_factor_again()}</Link>
    </SceneCard>
  );
}
