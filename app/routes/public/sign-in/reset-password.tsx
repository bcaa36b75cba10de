// Sets a new password by a mailed link.
import { useEffect } from "react";
import { data, useLocation, useNavigation } from "react-router";
import { isResetLink, resetPassword } from "#web/accounts/auth-links.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, refuse, textOf } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { announce } from "../../../live/auth-events.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/reset-password";
import { refuseSignIn } from "./refuse-sign-in.ts";

/** The address contains a token; don't send it to other sites. */
const SECRET_ADDRESS = { "Referrer-Policy": "same-origin" };
const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export const handle: RouteFacts = { kept: false, robots: false };

export async function loader({ context, request }: Route.LoaderArgs) {
  const good = await isResetLink(context.get(appContext), tokenOf(request));
  return data({ good }, { status: good ? 200 : 410, headers: SECRET_ADDRESS });
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: () => null,
    async act({ form, app, visit }) {
      const given = { token: tokenOf(asked.request), password: textOf(form, "password") };
      const outcome = await resetPassword(app, visit, given);
      if (outcome.ok) return done(true);
      return outcome.reason === "link" ? refuse(410, null) : refuseSignIn(outcome, "password");
    },
    away: () => `${m.failed_password()} ${m.refused_away()}`,
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) =>
  new Headers([...loaderHeaders, ...actionHeaders]);

export default function ResetPassword({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const busy = useNavigation().state === "submitting";
  const asked = actionData ? actionData.status !== 410 : loaderData.good;
  const state = actionData?.done ? "done" : asked ? "ask" : "broken";
  const title = { ask: m.reset_password_title(), done: m.reset_password_done_title(), broken: m.link_broken_title() }[
    state
  ];
  useEffect(() => {
    if (state === "ask") announce("PASSWORD_RECOVERY");
  }, [state]);
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={title}>
      <PageTitle>{title}</PageTitle>
      <meta name="robots" content="noindex" />
      {state === "ask" && (
        <Form failed={m.failed_password()} action={location.pathname + location.search}>
          {/* The password itself is fine then. */}
          {actionData?.problem && !busy && <Alert tone="error">{actionData.problem}</Alert>}
          <TextField
            label={m.reset_password_password()}
            name="password"
            type="password"
            required
            autoComplete="new-password"
            hint={m.password_hint()}
            error={busy ? null : actionData?.fieldErrors.password}
            reveal={{ show: m.password_show(), hide: m.password_hide() }}
          />
          <Button type="submit" size="l" loading={busy}>
            {m.reset_password_act()}
          </Button>
        </Form>
      )}
      {state === "done" && (
        <>
          <Alert tone="good">{m.reset_password_done()}</Alert>
          <ButtonLink to="/login/" size="l">
            {m.nav_login()}
          </ButtonLink>
        </>
      )}
      {state === "broken" && (
        <>
          <Alert tone="plain">{m.reset_password_broken()}</Alert>
          <ButtonLink to="/forgot-password" size="l">
            {m.reset_password_again()}
          </ButtonLink>
        </>
      )}
    </SceneCard>
  );
}
