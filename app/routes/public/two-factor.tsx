// The second step of signing in: a code of the authenticator app, or a recovery code.
import { data, Form, Link, redirectDocument, useLocation, useNavigation } from "react-router";
import { appContext, visitContext } from "#web/context.ts";
import { nextPage } from "#web/next-page.ts";
import { takeSecondStep } from "#web/second-factor.ts";
import { announceOnNextPage } from "../../live/auth-events.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/two-factor";
import { refusalInit, refusalWords } from "./refusal-words.ts";

const TEXT = {
  en: {
    title: "One more step",
    how: "Open your authenticator app and enter the code that it shows for this site.",
    code: "Code",
    act: "Sign in",
    lost: "Device not at hand?",
    recovery_how: "Take one of the recovery codes that you kept. Each works once.",
    recovery: "Recovery code",
    failed: (reason: string) => `Login failed. ${reason}`,
    again: "Start again",
  },
  de: {
    title: "Noch ein Schritt",
    how: "Öffne deine Authenticator-App und gib den Code ein, den sie für diese Seite zeigt.",
    code: "Code",
    act: "Anmelden",
    lost: "Gerät nicht zur Hand?",
    recovery_how: "Nimm einen der Wiederherstellungscodes, die du aufbewahrt hast. Jeder gilt einmal.",
    recovery: "Wiederherstellungscode",
    failed: (reason: string) => `Anmeldung fehlgeschlagen. ${reason}`,
    again: "Von vorn beginnen",
  },
};

export async function action({ context, request }: Route.ActionArgs) {
  const url = new URL(request.url);
  const spoken = spokenAt(url.pathname);
  const form = await request.formData();
  const kind = form.get("kind") === "recovery" ? ("recovery" as const) : ("app" as const);
  const code = String(form.get("code") ?? "").slice(0, 40);
  const outcome = await takeSecondStep(context.get(appContext), request, context.get(visitContext), { code, kind });
  if (!outcome.ok) return data({ kind, reason: refusalWords(spoken, outcome) }, refusalInit(outcome));
  throw redirectDocument(nextPage(url.searchParams.get("next"), addressIn(spoken, "/")), { headers: outcome.headers });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function TwoFactor({ actionData }: Route.ComponentProps) {
  const location = useLocation();
  const spoken = spokenAt(location.pathname);
  const t = TEXT[spoken];
  const busy = useNavigation().state === "submitting";
  const here = location.pathname + location.search;
  const onSubmit = () => announceOnNextPage("MFA_CHALLENGE_VERIFIED");
  return (
    <SceneCard picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />} title={t.title}>
      <title>{t.title}</title>
      {actionData?.reason && !busy && <Alert tone="error">{t.failed(actionData.reason)}</Alert>}
      <p>{t.how}</p>
      <Form method="post" action={here} onSubmit={onSubmit}>
        <input type="hidden" name="kind" value="app" />
        <TextField
          label={t.code}
          name="code"
          required
          autoComplete="one-time-code"
          inputMode="numeric"
          pattern="[0-9 ]*"
          maxLength={9}
        />
        <Button type="submit" size="l" loading={busy}>
          {t.act}
        </Button>
      </Form>
      <details open={actionData?.kind === "recovery"}>
        <summary>{t.lost}</summary>
        <Form method="post" action={here} onSubmit={onSubmit}>
          <input type="hidden" name="kind" value="recovery" />
          <p>{t.recovery_how}</p>
          <TextField label={t.recovery} name="code" required autoComplete="off" maxLength={20} />
          <Button type="submit" variant="tonal" loading={busy}>
            {t.act}
          </Button>
        </Form>
      </details>
      <Link to={`${addressIn(spoken, "/login/")}${location.search}`}>{t.again}</Link>
    </SceneCard>
  );
}
