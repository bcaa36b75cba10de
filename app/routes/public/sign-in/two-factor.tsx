// Second step of a login: a code of the authenticator app, or a recovery code.
import { redirectDocument, useLocation, useNavigation } from "react-router";
import { addressIn } from "#shared/locale.ts";
import { pageAfterSignIn } from "#web/accounts/after-sign-in.ts";
import { takeSecondStep } from "#web/accounts/second-factor.ts";
import { handleForm, textOf } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { nextPage } from "#web/request/next-page.ts";
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
import { refuseSignIn } from "./refuse-sign-in.ts";

export const handle: RouteFacts = { kept: false, robots: false };

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: (form) => ({ kind: form.get("kind") === "recovery" ? ("recovery" as const) : ("app" as const) }),
    async act({ given: { kind }, form, app, visit, url, locale }) {
      const outcome = await takeSecondStep(app, asked.request, visit, { code: textOf(form, "code", 40), kind });
      if (!outcome.ok) return refuseSignIn(outcome);
      const to = nextPage(url.searchParams.get("next"), addressIn(locale, "/"));
      return redirectDocument(pageAfterSignIn(locale, outcome, to), { headers: outcome.headers });
    },
    away: m.refused_away,
  });
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
      {actionData?.problem && !busy && <Alert tone="error">{m.login_failed({ reason: actionData.problem })}</Alert>}
      <p>{m.two_factor_how()}</p>
      <Form failed={(reason) => m.login_failed({ reason })} action={here} onSubmit={onSubmit}>
        <input type="hidden" name="kind" value="app" />
        <CodeField from="app" />
        <Button type="submit" size="l" loading={busy}>
          {m.sign_in()}
        </Button>
      </Form>
      <details open={actionData?.given.kind === "recovery"}>
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
