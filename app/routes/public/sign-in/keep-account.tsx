// Shown after a deletion request: what happens next, and the link to keep the account.
import { data, redirectDocument, useLocation } from "react-router";
import { findToken } from "#domain/accounts/one-time-tokens.ts";
import { keepAccount } from "#domain/members/erasure.ts";
import { addressIn, localeAt } from "#shared/locale.ts";
import { beginSession } from "#web/accounts/begin-session.ts";
import { appContext } from "#web/context.ts";
import { handleForm, refuse } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/keep-account";

/** The address contains a token; don't send it to other sites. */
const SECRET_ADDRESS = { "Referrer-Policy": "same-origin" };
const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token");

export const handle: RouteFacts = { kept: false, robots: false };

export async function loader({ context, request }: Route.LoaderArgs) {
  const token = tokenOf(request);
  if (token === null)
    return data({ state: context.get(appContext).mailsGoOut ? ("gone" as const) : ("unmailed" as const) });
  const found = await findToken(context.get(appContext).db, "keep-account", token);
  return found
    ? data({ state: "ask" as const }, { headers: SECRET_ADDRESS })
    : data({ state: "broken" as const }, { status: 410, headers: SECRET_ADDRESS });
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: () => null,
    async act({ app, visit, locale }) {
      const user = await keepAccount(app.db, tokenOf(asked.request) ?? "", visit);
      if (!user) return refuse(410, null);
      const signedIn = await beginSession(app, asked.request, visit, { user_id: user.id, by: "keep-account" });
      if (!signedIn.ok) return redirectDocument(addressIn(locale, "/login/"));
      const next = addressIn(locale, signedIn.second_step ? "/two-factor" : "/user/settings/profile/");
      return redirectDocument(next, { headers: signedIn.headers });
    },
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function KeepAccount({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const locale = localeAt(location.pathname);
  const state = actionData ? "broken" : loaderData.state;
  const gone = state === "gone" || state === "unmailed";
  const title = {
    gone: m.keep_account_gone_title(),
    unmailed: m.keep_account_gone_title(),
    ask: m.keep_account_ask_title(),
    broken: m.link_broken_title(),
  }[state];
  return (
    <SceneCard picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />} title={title}>
      <PageTitle>{title}</PageTitle>
      <meta name="robots" content="noindex" />
      {state === "ask" && (
        <Form failed={m.failed_account_keep()} action={location.pathname + location.search}>
          <p>{m.keep_account_ask()}</p>
          <Button type="submit" size="l">
            {m.keep_account_act()}
          </Button>
        </Form>
      )}
      {state !== "ask" && (
        <>
          <Alert tone="plain">
            {state === "gone" ? m.keep_account_gone() : gone ? m.keep_account_gone_no_mail() : m.keep_account_broken()}
          </Alert>
          <ButtonLink to={addressIn(locale, gone ? "/" : "/login/")} size="l">
            {gone ? m.keep_account_home() : m.nav_login()}
          </ButtonLink>
        </>
      )}
    </SceneCard>
  );
}
