// The two links of a change of address: one to the old mailbox, one to the new.
import { data, Form, useLocation } from "react-router";
import { confirmEmailChange, findEmailChange } from "#web/auth-settings.ts";
import { appContext, visitContext } from "#web/context.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/confirm-email-change";

const TEXT = {
  en: {
    title: "Change of your e-mail address",
    ask: (email: string) => `Your account is to move to ${email}. Do you agree?`,
    act: "Yes, change it",
    half: "Thank you. Now use the link in the mail to your other address, and the change is made.",
    done: "Your address is changed. All devices were signed out: sign in with the new one.",
    login: "Login",
    broken: "This link is used or expired. Ask for the change again in your settings.",
    settings: "To the settings",
  },
  de: {
    title: "Neue E-Mail-Adresse",
    ask: (email: string) => `Dein Konto soll auf ${email} umziehen. Bist du einverstanden?`,
    act: "Ja, ändern",
    half: "Danke. Benutze jetzt noch den Link in der Mail an deine andere Adresse, dann ist sie geändert.",
    done: "Deine Adresse ist geändert. Alle Geräte wurden abgemeldet: Melde dich mit der neuen an.",
    login: "Anmelden",
    broken: "Dieser Link ist benutzt oder abgelaufen. Fordere die Änderung in deinen Einstellungen neu an.",
    settings: "Zu den Einstellungen",
  },
};

const SECRET_ADDRESS = { "Referrer-Policy": "same-origin" };
const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export async function loader({ context, request }: Route.LoaderArgs) {
  const found = await findEmailChange(context.get(appContext), tokenOf(request));
  return data({ new_email: found?.new_email ?? null }, { status: found ? 200 : 410, headers: SECRET_ADDRESS });
}

export async function action({ context, request }: Route.ActionArgs) {
  const outcome = await confirmEmailChange(context.get(appContext), context.get(visitContext), tokenOf(request));
  if (!outcome.ok) return data({ state: "broken" as const }, { status: 410, headers: SECRET_ADDRESS });
  return data(
    { state: outcome.done ? ("done" as const) : ("half" as const) },
    { status: 200, headers: SECRET_ADDRESS },
  );
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) =>
  new Headers([...loaderHeaders, ...actionHeaders]);

export default function ConfirmEmailChange({ loaderData, actionData }: Route.ComponentProps) {
  const location = useLocation();
  const spoken = spokenAt(location.pathname);
  const t = TEXT[spoken];
  const state = actionData?.state ?? (loaderData.new_email === null ? "broken" : "ask");
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={t.title}>
      <title>{t.title}</title>
      <meta name="robots" content="noindex" />
      {state === "ask" && (
        <Form method="post" action={location.pathname + location.search}>
          <p>{t.ask(loaderData.new_email ?? "")}</p>
          <Button type="submit" size="l">
            {t.act}
          </Button>
        </Form>
      )}
      {state === "half" && <Alert tone="good">{t.half}</Alert>}
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
          <ButtonLink to={addressIn(spoken, "/user/settings/account")} size="l">
            {t.settings}
          </ButtonLink>
        </>
      )}
    </SceneCard>
  );
}
