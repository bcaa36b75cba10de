// Asks for a link to set a new password. The answer is the same for every address.
import { data, Form, Link, useLocation, useNavigation } from "react-router";
import { requestPasswordReset } from "#web/auth-links.ts";
import { appContext, visitContext } from "#web/context.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/forgot-password";
import { refusalInit, refusalWords } from "./refusal-words.ts";

const TEXT = {
  en: {
    title: "Forgot your password?",
    how: "We send you a link. With it you choose a new one.",
    email: "Email",
    act: "Send the link",
    sent_title: "Check your mail",
    sent: (email: string) =>
      `If ${email} has an account here, a link is on its way. It works once, for an hour. Look into the spam folder too.`,
    back: "Back to login",
  },
  de: {
    title: "Passwort vergessen?",
    how: "Wir schicken dir einen Link. Mit ihm wählst du ein neues.",
    email: "E-Mail",
    act: "Link schicken",
    sent_title: "Schau in dein Postfach",
    sent: (email: string) =>
      `Wenn es zu ${email} hier ein Konto gibt, ist ein Link unterwegs. Er gilt einmal, eine Stunde lang. Sieh auch im Spam-Ordner nach.`,
    back: "Zurück zur Anmeldung",
  },
};

export async function action({ context, request }: Route.ActionArgs) {
  const spoken = spokenAt(new URL(request.url).pathname);
  const email = String((await request.formData()).get("email") ?? "").slice(0, 300);
  const outcome = await requestPasswordReset(context.get(appContext), request, context.get(visitContext), {
    email,
    locale: spoken,
  });
  return outcome.ok
    ? data({ email, sent: true, reason: null })
    : data({ email, sent: false, reason: refusalWords(spoken, outcome) }, refusalInit(outcome));
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const spoken = spokenAt(useLocation().pathname);
  const t = TEXT[spoken];
  const busy = useNavigation().state === "submitting";
  const title = actionData?.sent ? t.sent_title : t.title;
  return (
    <SceneCard picture={<Picture name="slide-1" portrait="slide-1-portrait" alt="" sizes="100vw" />} title={title}>
      <title>{title}</title>
      {actionData?.sent ? (
        <Alert tone="good">{t.sent(actionData.email)}</Alert>
      ) : (
        <>
          <p>{t.how}</p>
          <Form method="post">
            {actionData?.reason && !busy && <Alert tone="error">{actionData.reason}</Alert>}
            <TextField
              label={t.email}
              name="email"
              type="email"
              required
              autoComplete="username"
              inputMode="email"
              maxLength={254}
              defaultValue={actionData?.email}
            />
            <Button type="submit" size="l" loading={busy}>
              {t.act}
            </Button>
          </Form>
        </>
      )}
      <Link to={addressIn(spoken, "/login/")}>{t.back}</Link>
    </SceneCard>
  );
}
