// Signing in and signing up: two forms of one address, the second under #register.
import { useEffect, useState } from "react";
import { data, Form, Link, redirect, redirectDocument, useLocation, useNavigation } from "react-router";
import { signIn, signUp } from "#web/auth-actions.ts";
import { appContext, memberContext, visitContext } from "#web/context.ts";
import { nextPage } from "#web/next-page.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button, ButtonAnchor } from "../../ui/button/button.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import { LinkTabs } from "../../ui/tabs/link-tabs.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/login";
import css from "./login.module.css";
import { PasskeyButton } from "./passkey-button.tsx";
import { refusalInit, refusalWords } from "./refusal-words.ts";

const TEXT = {
  en: {
    title: "Login",
    welcome: "Come on in",
    passkey: { act: "Use a passkey", refused: "Login failed. This passkey was not accepted." },
    discord: "Continue with Discord",
    tabs: "Login or register",
    login: "Login",
    register: "Register",
    email: "Email",
    password: "Password",
    password_hint: "8 characters or more. A short sentence is better than a puzzle.",
    reveal: { show: "Show password", hide: "Hide password" },
    login_failed: (reason: string) => `Login failed. ${reason}`,
    register_failed: (reason: string) => `Registration failed. ${reason} Please try again.`,
    dismiss: "Dismiss",
    forgot: "Forgot your password?",
    code: "Sign in by a code in your mailbox",
    sent_title: "Check your mail",
    sent: (email: string) =>
      `We have sent a link to ${email}. Open it in this browser, and your account is ready. If nothing arrives within a few minutes, look into the spam folder.`,
    already: "You are logged in",
    terms: "With an account you accept the",
    terms_link: "terms of service",
  },
  de: {
    title: "Anmelden",
    welcome: "Komm herein",
    passkey: { act: "Passkey benutzen", refused: "Anmeldung fehlgeschlagen. Dieser Passkey wurde nicht angenommen." },
    discord: "Weiter mit Discord",
    tabs: "Anmelden oder registrieren",
    login: "Anmelden",
    register: "Registrieren",
    email: "E-Mail",
    password: "Passwort",
    password_hint: "Mindestens 8 Zeichen. Ein kurzer Satz ist besser als ein Rätsel.",
    reveal: { show: "Passwort zeigen", hide: "Passwort verbergen" },
    login_failed: (reason: string) => `Anmeldung fehlgeschlagen. ${reason}`,
    register_failed: (reason: string) => `Registrierung fehlgeschlagen. ${reason} Bitte versuche es noch einmal.`,
    dismiss: "Schließen",
    forgot: "Passwort vergessen?",
    code: "Mit einem Code aus deinem Postfach anmelden",
    sent_title: "Schau in dein Postfach",
    sent: (email: string) =>
      `Wir haben einen Link an ${email} geschickt. Öffne ihn in diesem Browser, dann ist dein Konto bereit. Kommt in ein paar Minuten nichts an, sieh im Spam-Ordner nach.`,
    already: "Du bist angemeldet",
    terms: "Mit einem Konto nimmst du die folgenden Bedingungen an:",
    terms_link: "Nutzungsbedingungen",
  },
};

export function loader({ context, request }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const home = addressIn(spokenAt(url.pathname), "/");
  if (context.get(memberContext)) throw redirect(nextPage(url.searchParams.get("next"), home));
  return {
    discord: context.get(appContext).discord,
    to: nextPage(url.searchParams.get("next"), home),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const app = context.get(appContext);
  const visit = context.get(visitContext);
  const url = new URL(request.url);
  const spoken = spokenAt(url.pathname);
  const form = await request.formData();
  const intent = form.get("intent") === "register" ? ("register" as const) : ("login" as const);
  const given = {
    email: String(form.get("email") ?? ""),
    password: String(form.get("password") ?? ""),
    locale: spoken,
  };

  if (intent === "register") {
    const outcome = await signUp(app, request, visit, given);
    const kept = { intent, email: given.email.slice(0, 254) };
    return outcome.ok
      ? data({ ...kept, sent: true, reason: null }, { headers: outcome.headers })
      : data({ ...kept, sent: false, reason: refusalWords(spoken, outcome) }, refusalInit(outcome));
  }
  const outcome = await signIn(app, request, visit, given);
  if (!outcome.ok) {
    return data(
      { intent, email: given.email.slice(0, 254), sent: false, reason: refusalWords(spoken, outcome) },
      refusalInit(outcome),
    );
  }
  const to = nextPage(url.searchParams.get("next"), addressIn(spoken, "/"));
  const second = `${addressIn(spoken, "/two-factor")}?next=${encodeURIComponent(to)}`;
  // A whole new page: what was loaded for a visitor, the live stream too, is not what a member sees.
  throw redirectDocument(outcome.second_step ? second : to, { headers: outcome.headers });
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const location = useLocation();
  const spoken = spokenAt(location.pathname);
  const t = TEXT[spoken];
  const shown = useShown(actionData?.intent);
  const here = location.pathname + location.search;
  const picture = <Picture name="slide-2" portrait="slide-2-portrait" alt="" sizes="100vw" priority />;

  if (actionData?.sent) {
    return (
      <SceneCard picture={picture} title={t.sent_title}>
        <title>{t.sent_title}</title>
        <Alert tone="good">{t.sent(actionData.email)}</Alert>
      </SceneCard>
    );
  }
  const failure = (intent: "login" | "register") =>
    actionData?.intent === intent && actionData.reason ? actionData.reason : null;
  return (
    <SceneCard picture={picture} title={t.welcome}>
      <title>{t.title}</title>
      <LinkTabs
        label={t.tabs}
        shown={shown}
        tabs={[
          { hash: "login", words: t.login },
          { hash: "register", words: t.register },
        ]}
      />
      <div className={css.panels} data-shown={shown ?? undefined}>
        <section id="register" className={css.register} aria-label={t.register}>
          <AccountForm
            t={t}
            intent="register"
            action={here}
            email={actionData?.email ?? ""}
            failure={failure("register")}
            failed={t.register_failed}
          />
          <p className={css.small}>
            {t.terms} <Link to={addressIn(spoken, "/terms-of-service")}>{t.terms_link}</Link>.
          </p>
        </section>
        <section id="login" className={css.login} aria-label={t.login}>
          <AccountForm
            t={t}
            intent="login"
            action={here}
            email={actionData?.email ?? ""}
            failure={failure("login")}
            failed={t.login_failed}
          />
          <PasskeyButton words={t.passkey} to={loaderData.to} />
          {loaderData.discord && (
            <ButtonAnchor
              href={`/api/auth/discord?next=${encodeURIComponent(loaderData.to)}`}
              variant="outlined"
              size="l"
            >
              {t.discord}
            </ButtonAnchor>
          )}
          <ul className={css.ways}>
            <li>
              <Link to={addressIn(spoken, "/forgot-password")}>{t.forgot}</Link>
            </li>
            <li>
              <Link to={`${addressIn(spoken, "/sign-in-code")}${location.search}`}>{t.code}</Link>
            </li>
          </ul>
        </section>
      </div>
    </SceneCard>
  );
}

/** Which form is on top: what was just sent, then the hash. Null until script runs; then the style sheet reads the hash. */
function useShown(sent: "login" | "register" | undefined): "login" | "register" | null {
  const { hash, key } = useLocation();
  const [chosen, setChosen] = useState<"login" | "register" | null>(sent ?? null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new entry in the history with the same hash counts as well
  useEffect(() => {
    setChosen(sent && hash === "" ? sent : hash === "#register" ? "register" : "login");
  }, [hash, key, sent]);
  return chosen;
}

function AccountForm(props: {
  t: (typeof TEXT)["en"];
  intent: "login" | "register";
  action: string;
  email: string;
  failure: string | null;
  failed: (reason: string) => string;
}) {
  const { t, intent, failure } = props;
  const navigation = useNavigation();
  const busy = navigation.formData?.get("intent") === intent;
  // What was read once is put away by its button, or by going back to the fields; a new answer shows again.
  const [putAway, setPutAway] = useState<object | null>(null);
  const [answer, setAnswer] = useState<{ failure: string | null }>({ failure });
  if (navigation.state === "idle" && answer.failure !== failure) setAnswer({ failure });
  const onFocus = () => setPutAway(answer);
  const visible = failure !== null && putAway !== answer;
  return (
    <Form
      method="post"
      action={`${props.action}${intent === "register" ? "#register" : ""}`}
      onSubmit={() => setAnswer({ failure: null })}
      preventScrollReset
    >
      <input type="hidden" name="intent" value={intent} />
      {visible && (
        <Alert tone="error" dismiss={{ words: t.dismiss, onDismiss: onFocus }}>
          {failure.startsWith("You must provide") ? failure : props.failed(failure)}
        </Alert>
      )}
      <TextField
        label={t.email}
        name="email"
        type="email"
        required
        autoComplete={intent === "login" ? "username" : "email"}
        inputMode="email"
        maxLength={254}
        defaultValue={props.email}
        onFocus={onFocus}
      />
      <TextField
        label={t.password}
        name="password"
        type="password"
        required
        autoComplete={intent === "login" ? "current-password" : "new-password"}
        hint={intent === "register" ? t.password_hint : undefined}
        reveal={t.reveal}
        onFocus={onFocus}
      />
      <Button type="submit" size="l" loading={busy}>
        {intent === "login" ? t.login : t.register}
      </Button>
    </Form>
  );
}
