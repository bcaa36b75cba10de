// Confirms an email address. Opening the link changes nothing, because mail programs open links too; its button does.
import { data, redirectDocument, useLocation } from "react-router";
import { addressIn } from "#shared/locale.ts";
import { findVerification, verifyEmail } from "#web/accounts/auth-links.ts";
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
import type { Route } from "./+types/verify-email";

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export const handle: RouteFacts = { kept: false, robots: false };

export async function loader({ context, request }: Route.LoaderArgs) {
  const found = await findVerification(context.get(appContext), tokenOf(request));
  return data({ email: found?.email ?? null }, { status: found ? 200 : 410, headers: SECRET_ADDRESS });
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: () => null,
    async act({ app, visit, locale }) {
      const outcome = await verifyEmail(app, asked.request, visit, tokenOf(asked.request));
      if (!outcome.ok) return refuse(410, null);
      if (!outcome.signed_in) return done({ set_password: outcome.set_password });
      const { second_step, headers } = outcome.signed_in;
      return redirectDocument(addressIn(locale, second_step ? "/two-factor" : "/"), { headers });
    },
  });
}

/** The address contains a token; don't send it to other sites. */
const SECRET_ADDRESS = { "Referrer-Policy": "same-origin" };
export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) =>
  new Headers([...loaderHeaders, ...actionHeaders]);

export default function VerifyEmail({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const state = actionData?.done ? "done" : loaderData.email === null || actionData ? "broken" : "ask";
  const setPassword = actionData?.done?.set_password ?? null;
  const title =
    state === "done"
      ? m.verify_email_done_title()
      : state === "broken"
        ? m.link_broken_title()
        : m.verify_email_title();
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={title}>
      <PageTitle>{title}</PageTitle>
      <meta name="robots" content="noindex" />
      {state === "ask" && (
        <Form failed={m.failed_email_confirm()} action={location.pathname + location.search}>
          <p>{m.verify_email_ask({ email: loaderData.email ?? "" })}</p>
          <Button type="submit" size="l">
            {m.verify_email_act()}
          </Button>
        </Form>
      )}
      {state !== "ask" && (
        <>
          <Alert tone={state === "done" ? "good" : "plain"}>
            {state === "broken"
              ? m.verify_email_broken()
              : setPassword === null
                ? m.verify_email_done()
                : m.verify_email_elsewhere()}
          </Alert>
          {setPassword === null ? (
            <ButtonLink to="/login/" size="l">
              {m.nav_login()}
            </ButtonLink>
          ) : (
            <ButtonLink to={`/reset-password?token=${setPassword}`} size="l">
              {m.verify_email_set_password()}
            </ButtonLink>
          )}
        </>
      )}
    </SceneCard>
  );
}
