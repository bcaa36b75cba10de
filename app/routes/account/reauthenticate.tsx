// Asks once more who it is, before an act that could cost the account; then back to where it was needed.
import { data, Form, Link, redirectDocument, useLocation, useNavigation } from "react-router";
import { reauthenticate } from "#web/auth-settings.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requireMember } from "#web/guards.ts";
import { nextPage } from "#web/next-page.ts";
import { announceOnNextPage } from "../../live/auth-events.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import { refusalInit, refusalWords } from "../public/refusal-words.ts";
import type { Route } from "./+types/reauthenticate";

const TEXT = {
  en: {
    title: "Is it still you?",
    why: "What you are about to do could cost you your account. Please enter your password again.",
    password: "Password",
    reveal: { show: "Show password", hide: "Hide password" },
    act: "Continue",
    other: "Use a code from your mailbox instead",
  },
  de: {
    title: "Bist du es noch?",
    why: "Was du gleich tust, könnte dich dein Konto kosten. Bitte gib dein Passwort noch einmal ein.",
    password: "Passwort",
    reveal: { show: "Passwort zeigen", hide: "Passwort verbergen" },
    act: "Weiter",
    other: "Stattdessen einen Code aus dem Postfach nehmen",
  },
};

export function loader({ context, request }: Route.LoaderArgs) {
  return { email: requireMember({ context, request }).email };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember({ context, request });
  const url = new URL(request.url);
  const spoken = spokenAt(url.pathname);
  const password = String((await request.formData()).get("password") ?? "");
  const outcome = await reauthenticate(context.get(appContext), request, context.get(visitContext), member, password);
  if (!outcome.ok) return data({ reason: refusalWords(spoken, outcome) }, refusalInit(outcome));
  throw redirectDocument(nextPage(url.searchParams.get("next"), addressIn(spoken, "/user/settings/profile/")), {
    headers: outcome.headers,
  });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function Reauthenticate({ loaderData, actionData }: Route.ComponentProps) {
  const location = useLocation();
  const spoken = spokenAt(location.pathname);
  const t = TEXT[spoken];
  const busy = useNavigation().state === "submitting";
  return (
    <SceneCard picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />} title={t.title}>
      <title>{t.title}</title>
      <p>{t.why}</p>
      <Form
        method="post"
        action={location.pathname + location.search}
        onSubmit={() => announceOnNextPage("TOKEN_REFRESHED")}
      >
        {actionData?.reason && !busy && <Alert tone="error">{actionData.reason}</Alert>}
        {/* For password managers: which account it is. */}
        <input type="email" name="username" autoComplete="username" defaultValue={loaderData.email} hidden readOnly />
        <TextField
          label={t.password}
          name="password"
          type="password"
          required
          autoComplete="current-password"
          reveal={t.reveal}
        />
        <Button type="submit" size="l" loading={busy}>
          {t.act}
        </Button>
      </Form>
      <Link to={`${addressIn(spoken, "/sign-in-code")}${location.search}`}>{t.other}</Link>
    </SceneCard>
  );
}
