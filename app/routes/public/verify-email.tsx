// The link that confirms an e-mail address. Opening it changes nothing, for mail programs open links too; its button does.
import { data, Form, redirectDocument, useLocation } from "react-router";
import { findVerification, verifyEmail } from "#web/auth-links.ts";
import { appContext, visitContext } from "#web/context.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/verify-email";

const TEXT = {
  en: {
    title: "Confirm your e-mail address",
    ask: (email: string) => `With this you confirm that ${email} is yours.`,
    act: "Confirm",
    done_title: "Your address is confirmed",
    done: "Your account is ready. Sign in with your password.",
    login: "Login",
    broken_title: "This link does not work any more",
    broken:
      "It is used or expired. If you have confirmed your address already, sign in. If not, sign in all the same: we send you a new link then.",
  },
  de: {
    title: "Bestätige deine E-Mail-Adresse",
    ask: (email: string) => `Damit bestätigst du, dass ${email} dir gehört.`,
    act: "Bestätigen",
    done_title: "Deine Adresse ist bestätigt",
    done: "Dein Konto ist bereit. Melde dich mit deinem Passwort an.",
    login: "Anmelden",
    broken_title: "Dieser Link gilt nicht mehr",
    broken:
      "Er ist benutzt oder abgelaufen. Wenn du deine Adresse schon bestätigt hast, melde dich an. Wenn nicht, melde dich trotzdem an: Dann schicken wir dir einen neuen Link.",
  },
};

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export async function loader({ context, request }: Route.LoaderArgs) {
  const found = await findVerification(context.get(appContext), tokenOf(request));
  return data({ email: found?.email ?? null }, { status: found ? 200 : 410, headers: SECRET_ADDRESS });
}

export async function action({ context, request }: Route.ActionArgs) {
  const outcome = await verifyEmail(context.get(appContext), request, context.get(visitContext), tokenOf(request));
  if (!outcome.ok) return data({ done: false }, { status: 410, headers: SECRET_ADDRESS });
  if (outcome.signed_in) {
    const spoken = spokenAt(new URL(request.url).pathname);
    throw redirectDocument(addressIn(spoken, outcome.signed_in.second_step ? "/two-factor" : "/"), {
      headers: outcome.signed_in.headers,
    });
  }
  return data({ done: true }, { status: 200, headers: SECRET_ADDRESS });
}

/** The address holds a token, which no other site gets to see. */
const SECRET_ADDRESS = { "Referrer-Policy": "same-origin" };
export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) =>
  new Headers([...loaderHeaders, ...actionHeaders]);

export default function VerifyEmail({ loaderData, actionData }: Route.ComponentProps) {
  const location = useLocation();
  const spoken = spokenAt(location.pathname);
  const t = TEXT[spoken];
  const state = actionData?.done ? "done" : loaderData.email === null || actionData ? "broken" : "ask";
  const title = state === "done" ? t.done_title : state === "broken" ? t.broken_title : t.title;
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={title}>
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      {state === "ask" && (
        <Form method="post" action={location.pathname + location.search}>
          <p>{t.ask(loaderData.email ?? "")}</p>
          <Button type="submit" size="l">
            {t.act}
          </Button>
        </Form>
      )}
      {state !== "ask" && (
        <>
          <Alert tone={state === "done" ? "good" : "plain"}>{state === "done" ? t.done : t.broken}</Alert>
          <ButtonLink to={addressIn(spoken, "/login/")} size="l">
            {t.login}
          </ButtonLink>
        </>
      )}
    </SceneCard>
  );
}
