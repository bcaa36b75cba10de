// Confirms a change of address: one link to the old mailbox, one to the new.
import { data, useLocation } from "react-router";
import { confirmEmailChange, findEmailChange } from "#domain/accounts/email-changes.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, refuse } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/confirm-email-change";

const SECRET_ADDRESS = { "Referrer-Policy": "same-origin" };
const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export const handle: RouteFacts = { kept: false, robots: false };

export async function loader({ context, request }: Route.LoaderArgs) {
  const found = await findEmailChange(context.get(appContext).db, tokenOf(request));
  return data({ new_email: found?.new_email ?? null }, { status: found ? 200 : 410, headers: SECRET_ADDRESS });
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: () => null,
    async act({ app, visit }) {
      const outcome = await confirmEmailChange(app.db, tokenOf(asked.request), visit);
      return outcome ? done(outcome.done ? "done" : "half") : refuse(410, null);
    },
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) =>
  new Headers([...loaderHeaders, ...actionHeaders]);

export default function ConfirmEmailChange({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const state = actionData?.done ?? (actionData || loaderData.new_email === null ? "broken" : "ask");
  return (
    <SceneCard
      picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />}
      title={m.confirm_email_change_title()}
    >
      <PageTitle>{m.confirm_email_change_title()}</PageTitle>
      <meta name="robots" content="noindex" />
      {state === "ask" && (
        <Form failed={m.failed_email_confirm()} action={location.pathname + location.search}>
          <p>{m.confirm_email_change_ask({ email: loaderData.new_email ?? "" })}</p>
          <Button type="submit" size="l">
            {m.confirm_email_change_act()}
          </Button>
        </Form>
      )}
      {state === "half" && <Alert tone="good">{m.confirm_email_change_half()}</Alert>}
      {state === "done" && (
        <>
          <Alert tone="good">{m.confirm_email_change_done()}</Alert>
          <ButtonLink to="/login/" size="l">
            {m.nav_login()}
          </ButtonLink>
        </>
      )}
      {state === "broken" && (
        <>
          <Alert tone="plain">{m.confirm_email_change_broken()}</Alert>
          <ButtonLink to="/user/settings/account" size="l">
            {m.confirm_email_change_settings()}
          </ButtonLink>
        </>
      )}
    </SceneCard>
  );
}
