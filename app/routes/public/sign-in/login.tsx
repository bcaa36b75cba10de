// Login and registration: two forms at one address, the second under #register.
import { useEffect, useState } from "react";
import { redirect, redirectDocument, useLocation, useNavigation } from "react-router";
import { addressIn, localeAt } from "#shared/locale.ts";
import { pageAfterSignIn } from "#web/accounts/after-sign-in.ts";
import { type MailNote, readMailNote } from "#web/accounts/mail-note.ts";
import { signIn } from "#web/accounts/sign-in.ts";
import { signUp } from "#web/accounts/sign-up.ts";
import { appContext, memberContext, siteContext } from "#web/context.ts";
import { done, handleForm, refuse, textOf, textsOf } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { nextPage } from "#web/request/next-page.ts";
import { m } from "../../../paraglide/messages.js";
import { whyNoPasskeys } from "../../../passkeys.ts";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { KeptText } from "../../../ui/form/kept-text.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { MailSent } from "../../../ui/mail-sent/mail-sent.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { PasskeyPlace } from "../../../ui/passkey-place/passkey-place.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SceneCard } from "../../../ui/scene-card/scene-card.tsx";
import { LinkTabs } from "../../../ui/tabs/link-tabs.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/login";
import css from "./login.module.css";
import { PasskeyButton } from "./passkey-button.tsx";
import { refuseSignIn } from "./refuse-sign-in.ts";

export const handle: RouteFacts = { kept: false, sitemap: false };

export function loader({ context, url }: Route.LoaderArgs) {
  const home = addressIn(localeAt(url.pathname), "/");
  // With a requested page, continues there; otherwise shows a notice on the home page.
  if (context.get(memberContext)) throw redirect(nextPage(url.searchParams.get("next"), `${home}?notice=logged-in`));
  const { settings, site_url } = context.get(siteContext).read();
  const providers = context.get(appContext).providers.map(({ id, name }) => ({ id, name }));
  return {
    no_passkeys: whyNoPasskeys(site_url),
    providers,
    /** The name of the provider whose login was refused. */
    refusedBy: providers.find(({ id }) => id === url.searchParams.get("refused"))?.name ?? null,
    registration: settings.registration,
    to: nextPage(url.searchParams.get("next"), home),
  };
}

export function action(asked: Route.ActionArgs) {
  const { context, request } = asked;
  return handleForm(asked, {
    read: (form) => ({ email: textOf(form, "email", 254), link: null as MailNote | null }),
    async act({ given: shown, form, intent, app, visit, url, locale }) {
      const since = Date.now();
      const given = { ...textsOf(form, ["email", "password"]), locale };
      if (intent === "register") {
        const outcome = await signUp(app, request, visit, { ...given, invitation: textOf(form, "invitation") });
        if (!outcome.ok) return refuseSignIn(outcome);
        return done(await readMailNote(context, [given.email], since), { headers: outcome.headers });
      }
      const outcome = await signIn(app, request, visit, given);
      if (outcome.ok) {
        const to = nextPage(url.searchParams.get("next"), addressIn(locale, "/"));
        // Loads a new document: a visitor's data and live stream aren't a member's.
        return redirectDocument(pageAfterSignIn(locale, outcome, to), { headers: outcome.headers });
      }
      const link = outcome.reason === "unverified" ? await readMailNote(context, [given.email], since) : null;
      if (!link || link.out) return refuseSignIn(outcome);
      const problem = unsentText(link.demo !== null);
      return { ...refuse(outcome.status, problem), given: { ...shown, link: link.demo && link } };
    },
    away: m.refused_away,
  });
}

/** The address needs confirming, but mail is off. */
const unsentText = (demo: boolean) => (demo ? m.refused_unverified_demo() : m.refused_unverified_no_mail());

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function Login({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const sent = actionData && (actionData.intent === "register" ? "register" : "login");
  const shown = useShown(sent);
  const here = location.pathname + location.search;
  const picture = <Picture name="slide-2" portrait="slide-2-portrait" alt="" sizes="100vw" priority />;

  if (actionData?.done) {
    const sentTitle = actionData.done.out ? m.login_sent_title() : m.mail_none_title();
    return (
      <SceneCard picture={picture} title={sentTitle}>
        <PageTitle>{sentTitle}</PageTitle>
        <MailSent
          note={actionData.done}
          tone="good"
          text={m.login_sent({ email: actionData.given.email })}
          nothing={
            <>
              {m.mail_demo_taken()} <Link to="/login">{m.nav_login()}</Link>
            </>
          }
        />
      </SceneCard>
    );
  }
  const failure = (intent: "login" | "register") => (sent === intent ? (actionData?.problem ?? null) : null);
  return (
    <SceneCard picture={picture} title={m.login_welcome()}>
      <PageTitle>{m.nav_login()}</PageTitle>
      <meta name="description" content={m.login_description()} />
      <LinkTabs
        label={m.login_tabs()}
        shown={shown}
        tabs={[
          { hash: "login", label: m.nav_login() },
          { hash: "register", label: m.login_register() },
        ]}
      />
      <div className={css.panels} data-shown={shown ?? undefined}>
        <section id="register" className={css.register} aria-label={m.login_register()}>
          {loaderData.registration === "closed" ? (
            <p>{m.login_sign_ups_closed()}</p>
          ) : (
            <AccountForm
              intent="register"
              action={here}
              email={actionData?.given.email ?? ""}
              failure={failure("register")}
              failed={(reason: string) => m.login_register_failed({ reason })}
              invited={loaderData.registration === "invitation"}
            />
          )}
          <p className={css.small}>
            {m.login_terms()} {/* Outside the form: following it would lose what was typed. */}
            <Link to="/terms-of-service" target="_blank">
              {m.login_terms_link()}
              <span className="visually-hidden"> {m.login_terms_tab()}</span>
            </Link>
            .
          </p>
        </section>
        <section id="login" className={css.login} aria-label={m.nav_login()}>
          {loaderData.refusedBy && !actionData && (
            <Alert tone="error">{m.login_provider_refused({ name: loaderData.refusedBy })}</Alert>
          )}
          {actionData?.given.link && (
            <MailSent note={actionData.given.link} tone="plain" text="" nothing={m.mail_demo_no_account()} />
          )}
          <AccountForm
            intent="login"
            action={here}
            email={actionData?.given.email ?? ""}
            failure={failure("login")}
            failed={(reason: string) => m.login_failed({ reason })}
          />
          {loaderData.no_passkeys ? (
            <PasskeyPlace why={loaderData.no_passkeys} path={here} className={css.small} />
          ) : (
            <PasskeyButton
              texts={{ act: m.login_passkey_act(), refused: m.login_passkey_refused() }}
              to={loaderData.to}
            />
          )}
          {loaderData.providers.map(({ id, name }) => (
            <form
              key={id}
              method="post"
              action={`/api/auth/${id}?next=${encodeURIComponent(loaderData.to)}`}
              className={css.provider}
            >
              <Button type="submit" variant="outlined" size="l">
                {m.login_provider({ name })}
              </Button>
            </form>
          ))}
          <ul className={css.ways}>
            <li>
              <Link to="/forgot-password">{m.login_forgot()}</Link>
            </li>
            <li>
              <Link to={`/sign-in-code${location.search}`}>{m.login_code()}</Link>
            </li>
          </ul>
        </section>
      </div>
    </SceneCard>
  );
}

/** Which form is on top: the one just sent, else by hash. Null until script runs; then the style sheet reads the hash. */
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
  intent: "login" | "register";
  action: string;
  email: string;
  failure: string | null;
  failed: (reason: string) => string;
  /** Registration requires an invitation. */
  invited?: boolean;
}) {
  const { intent, failure } = props;
  const navigation = useNavigation();
  const busy = navigation.formData?.get("intent") === intent;
  // A read message is dismissed by its button or by returning to the fields; a new answer shows again.
  const [putAway, setPutAway] = useState<object | null>(null);
  const [answer, setAnswer] = useState<{ failure: string | null }>({ failure });
  if (navigation.state === "idle" && answer.failure !== failure) setAnswer({ failure });
  const onFocus = () => setPutAway(answer);
  const visible = failure !== null && putAway !== answer;
  return (
    <Form
      failed={props.failed}
      action={`${props.action}${intent === "register" ? "#register" : ""}`}
      onSubmit={() => setAnswer({ failure: null })}
      preventScrollReset
    >
      <input type="hidden" name="intent" value={intent} />
      <KeptText of={intent} />
      {visible && (
        <Alert tone="error" dismiss={{ label: m.dismiss(), onDismiss: onFocus }}>
          {failure === m.refused_missing() ? failure : props.failed(failure)}
        </Alert>
      )}
      <TextField
        label={m.field_email()}
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
        label={m.field_password()}
        name="password"
        type="password"
        required
        autoComplete={intent === "login" ? "current-password" : "new-password"}
        hint={intent === "register" ? m.password_hint() : undefined}
        reveal={{ show: m.password_show(), hide: m.password_hide() }}
        onFocus={onFocus}
      />
      {props.invited && (
        <TextField
          label={m.login_invitation()}
          name="invitation"
          required
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          hint={m.login_invitation_hint()}
          onFocus={onFocus}
        />
      )}
      <Button type="submit" size="l" loading={busy}>
        {intent === "login" ? m.nav_login() : m.login_register()}
      </Button>
    </Form>
  );
}
