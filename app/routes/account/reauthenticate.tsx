// Asks once more who it is, before an act that could cost the account; then back to where it was needed.
import { data, redirectDocument, useLocation, useNavigation } from "react-router";
import { reauthenticate } from "#web/auth-settings.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requireMember } from "#web/guards.ts";
import { nextPage } from "#web/next-page.ts";
import { readForm } from "#web/read-form.ts";
import { announceOnNextPage } from "../../live/auth-events.ts";
import { m } from "../../paraglide/messages.js";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { Link } from "../../ui/link/link.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import { refusalInit, refusalWords } from "../public/refusal-words.ts";
import type { Route } from "./+types/reauthenticate";

export function loader({ context, request }: Route.LoaderArgs) {
  return { email: requireMember({ context, request }).email };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember({ context, request });
  const url = new URL(request.url);
  const spoken = spokenAt(url.pathname);
  const password = String((await readForm(request)).get("password") ?? "");
  const outcome = await reauthenticate(context.get(appContext), request, context.get(visitContext), member, password);
  if (!outcome.ok) return data({ reason: refusalWords(spoken, outcome) }, refusalInit(outcome));
  throw redirectDocument(nextPage(url.searchParams.get("next"), addressIn(spoken, "/user/settings/profile/")), {
    headers: outcome.headers,
  });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function Reauthenticate({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const busy = useNavigation().state === "submitting";
  return (
    <SceneCard
      picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />}
      title={m.account_reauthenticate_title()}
    >
      <title>{m.account_reauthenticate_title()}</title>
      <p>{m.account_reauthenticate_why()}</p>
      <Form
        failed={m.failed_reauthenticate()}
        action={location.pathname + location.search}
        onSubmit={() => announceOnNextPage("TOKEN_REFRESHED")}
      >
        {actionData?.reason && !busy && <Alert tone="error">{actionData.reason}</Alert>}
        {/* For password managers: which account it is. */}
        <input type="email" name="username" autoComplete="username" defaultValue={loaderData.email} hidden readOnly />
        <TextField
          label={m.field_password()}
          name="password"
          type="password"
          required
          autoComplete="current-password"
          reveal={{ show: m.password_show(), hide: m.password_hide() }}
        />
        <Button type="submit" size="l" loading={busy}>
          {m.account_reauthenticate_act()}
        </Button>
      </Form>
      <Link to={`/sign-in-code${location.search}`}>{m.account_reauthenticate_other()}</Link>
    </SceneCard>
  );
}
