// Creates the first admin by the one-time link that the first start printed.
import { data, redirect, redirectDocument, useNavigation } from "react-router";
import { may } from "#domain/permissions.ts";
import { addressIn, localeAt } from "#shared/locale.ts";
import { isSetupLink, setUpFirstAdmin } from "#web/accounts/auth-links.ts";
import { appContext, memberContext } from "#web/context.ts";
import { handleForm, textOf, textsOf } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/setup";
import { refuseSignIn } from "./refuse-sign-in.ts";

const SECRET_ADDRESS = { "Referrer-Policy": "same-origin" };

export const handle: RouteFacts = { kept: false, robots: false };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const good = await isSetupLink(context.get(appContext), params.token);
  // An admin who used it and goes back, or opens the terminal's link again, continues the setup.
  const member = context.get(memberContext);
  if (!good && member && may(member.role, "settings:write")) {
    throw redirect(addressIn(localeAt(url.pathname), "/admin/setup"));
  }
  return data({ good }, { status: good ? 200 : 410, headers: SECRET_ADDRESS });
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: (form) => ({ email: textOf(form, "email", 254) }),
    async act({ form, app, visit, locale }) {
      const given = { ...textsOf(form, ["email", "password"]), locale };
      const outcome = await setUpFirstAdmin(app, asked.request, visit, asked.params.token, given);
      if (!outcome.ok) return refuseSignIn(outcome);
      return redirectDocument(addressIn(locale, "/admin/setup"), { headers: outcome.headers });
    },
    away: m.refused_away,
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) =>
  new Headers([...loaderHeaders, ...actionHeaders]);

export default function Setup({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const title = loaderData.good ? m.setup_title() : m.link_broken_title();
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={title}>
      <PageTitle>{title}</PageTitle>
      <meta name="robots" content="noindex" />
      {loaderData.good ? (
        <Form failed={m.failed_setup()}>
          <p>{m.setup_how()}</p>
          {actionData?.problem && !busy && <Alert tone="error">{`${m.failed_setup()} ${actionData.problem}`}</Alert>}
          <TextField
            label={m.field_email()}
            name="email"
            type="email"
            required
            autoComplete="email"
            maxLength={254}
            defaultValue={actionData?.given.email}
          />
          <TextField
            label={m.field_password()}
            name="password"
            type="password"
            required
            autoComplete="new-password"
            hint={m.password_hint()}
            reveal={{ show: m.password_show(), hide: m.password_hide() }}
          />
          <Button type="submit" size="l" loading={busy}>
            {m.setup_act()}
          </Button>
        </Form>
      ) : (
        <Alert tone="plain">{m.setup_broken()}</Alert>
      )}
    </SceneCard>
  );
}
