// Logout: a form with confirmation, so that a foreign link can't log anyone out.
import { redirect, redirectDocument } from "react-router";
import { addressIn, localeAt } from "#shared/locale.ts";
import { signOut } from "#web/accounts/sign-in.ts";
import { accountAwayContext, memberContext } from "#web/context.ts";
import { handleForm } from "#web/forms/handle-form.ts";
import { knownMember } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/logout";

export const handle: RouteFacts = { kept: false, robots: false };

export function loader({ context, url }: Route.LoaderArgs) {
  const somebody = context.get(memberContext) ?? context.get(accountAwayContext);
  if (!somebody) throw redirect(addressIn(localeAt(url.pathname), "/"));
  return null;
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: () => null,
    async act({ app, visit, locale }) {
      const headers = await signOut(app, asked.request, visit, knownMember(asked.context));
      return redirectDocument(addressIn(locale, "/"), { headers });
    },
    away: m.logout_failed_how,
  });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function Logout(props: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  return (
    <SceneCard
      picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />}
      title={m.account_menu_logout()}
    >
      <PageTitle>{m.account_menu_logout()}</PageTitle>
      {actionData?.problem && (
        <Alert tone="error">
          <strong>{m.failed_logout()}</strong> {actionData.problem}
        </Alert>
      )}
      <p>{m.logout_ask()}</p>
      <Form failed={m.failed_logout()}>
        <Button type="submit" size="l">
          {m.account_menu_logout()}
        </Button>
      </Form>
    </SceneCard>
  );
}
