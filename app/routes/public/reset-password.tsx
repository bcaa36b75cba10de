// Sets a new password by a link from the mailbox.
import { useEffect } from "react";
import { data, Form, useLocation, useNavigation } from "react-router";
import { isResetLink, resetPassword } from "#web/auth-links.ts";
import { appContext, visitContext } from "#web/context.ts";
import { announce } from "../../live/auth-events.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/reset-password";
import { refusalInit, refusalWords } from "./refusal-words.ts";

const TEXT = {
  en: {
    title: "Choose a new password",
    password: "New password",
    hint: "8 characters or more. A short sentence is better than a puzzle.",
    reveal: { show: "Show password", hide: "Hide password" },
    act: "Set password",
    done_title: "Your password is set",
    done: "All devices were signed out. Sign in with the new password.",
    login: "Login",
    broken_title: "This link does not work any more",
    broken: "It is used or expired. Ask for a new one: it takes a moment.",
    again: "Ask for a new link",
  },
  de: {
    title: "Wähle ein neues Passwort",
    password: "Neues Passwort",
    hint: "Mindestens 8 Zeichen. Ein kurzer Satz ist besser als ein Rätsel.",
    reveal: { show: "Passwort zeigen", hide: "Passwort verbergen" },
    act: "Passwort setzen",
    done_title: "Dein Passwort ist gesetzt",
    done: "Alle Geräte wurden abgemeldet. Melde dich mit dem neuen Passwort an.",
    login: "Anmelden",
    broken_title: "Dieser Link gilt nicht mehr",
    broken: "Er ist benutzt oder abgelaufen. Fordere einen neuen an, das dauert nur einen Moment.",
    again: "Neuen Link anfordern",
  },
};

/** The address holds a token, which no other site gets to see. */
const SECRET_ADDRESS = { "Referrer-Policy": "same-origin" };
const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export async function loader({ context, request }: Route.LoaderArgs) {
  const good = await isResetLink(context.get(appContext), tokenOf(request));
  return data({ good }, { status: good ? 200 : 410, headers: SECRET_ADDRESS });
}

export async function action({ context, request }: Route.ActionArgs) {
  const spoken = spokenAt(new URL(request.url).pathname);
  const password = String((await request.formData()).get("password") ?? "");
  const token = tokenOf(request);
  const given = { token, password, locale: spoken };
  const outcome = await resetPassword(context.get(appContext), context.get(visitContext), given);
  if (outcome.ok) return data({ state: "done" as const, reason: null }, { status: 200, headers: SECRET_ADDRESS });
  if (outcome.reason === "link") {
    return data({ state: "broken" as const, reason: null }, { status: 410, headers: SECRET_ADDRESS });
  }
  const init = refusalInit(outcome);
  return data(
    { state: "ask" as const, reason: refusalWords(spoken, outcome) },
    { ...init, headers: { ...init.headers, ...SECRET_ADDRESS } },
  );
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) =>
  new Headers([...loaderHeaders, ...actionHeaders]);

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const location = useLocation();
  const spoken = spokenAt(location.pathname);
  const t = TEXT[spoken];
  const busy = useNavigation().state === "submitting";
  const state = actionData?.state ?? (loaderData.good ? "ask" : "broken");
  const title = { ask: t.title, done: t.done_title, broken: t.broken_title }[state];
  useEffect(() => {
    if (state === "ask") announce("PASSWORD_RECOVERY");
  }, [state]);
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={title}>
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      {state === "ask" && (
        <Form method="post" action={location.pathname + location.search}>
          <TextField
            label={t.password}
            name="password"
            type="password"
            required
            autoComplete="new-password"
            hint={t.hint}
            error={busy ? null : actionData?.reason}
            reveal={t.reveal}
          />
          <Button type="submit" size="l" loading={busy}>
            {t.act}
          </Button>
        </Form>
      )}
      {state === "done" && (
        <>
          <Alert tone="good">{t.done}</Alert>
          <ButtonLink to={addressIn(spoken, "/login/")} size="l">
            {t.login}
          </ButtonLink>
        </>
      )}
      {state === "broken" && (
        <>
          <Alert tone="plain">{t.broken}</Alert>
          <ButtonLink to={addressIn(spoken, "/forgot-password")} size="l">
            {t.again}
          </ButtonLink>
        </>
      )}
    </SceneCard>
  );
}
