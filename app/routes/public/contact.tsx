// Contact form to the site's operators.
import { useEffect, useRef } from "react";
import { redirect, useLocation, useNavigation } from "react-router";
import { CONTACT_LIMITS, contactShape } from "#domain/inbox/contacts.ts";
import type { RequestKind, RequestRegion } from "#domain/inbox/privacy-deadlines.ts";
import type { FieldErrors } from "#shared/form-answer.ts";
import { addressIn, localeAt } from "#shared/locale.ts";
import { receiveContact } from "#web/accounts/contact.ts";
import { appContext, siteContext } from "#web/context.ts";
import { readFormAge, sealFormMoment } from "#web/forms/form-age.ts";
import { handleForm, refuse, refuseFields, refuseForNow, textOf, textsOf } from "#web/forms/handle-form.ts";
import { knownMember } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { KeptText } from "../../ui/form/kept-text.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { Link } from "../../ui/link/link.tsx";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { TextArea } from "../../ui/text-area/text-area.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/contact";
import css from "./contact.module.css";
import { Choice } from "./contact-choice.tsx";

/** Faster submissions come from programs; a form older than a day has to be sent again. */
const FORM_AGE_MS = { least: 2_000, most: 24 * 3600_000 };

/** The form contains the time at which it was opened. */
export const handle: RouteFacts = { kept: false, footer: m.footer_contact };

export function loader({ context, url }: Route.LoaderArgs) {
  const { settings } = context.get(siteContext).read();
  return {
    site_name: settings.site_name,
    contact_email: settings.contact_email,
    sent: url.searchParams.has("sent"),
    opened: sealFormMoment(context.get(appContext).secret),
    limits: { name: CONTACT_LIMITS.name, email: CONTACT_LIMITS.email },
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: (form) => ({
      ...textsOf(form, ["name", "email", "message", "kind", "region"]),
      privacy: form.has("privacy"),
    }),
    async act({ given, form, app, visit, locale }) {
      const request = given.privacy ? { kind: given.kind, region: given.region } : null;
      const contact = contactShape.safeParse({ ...given, request });
      if (!contact.success) return refuseFields(fieldErrorsOf(contact.error.issues), m.contact_check());
      if (textOf(form, "website") !== "") return refuse(422, m.contact_trap());
      const age = readFormAge(app.secret, textOf(form, "opened"));
      if (age === null || age > FORM_AGE_MS.most) return refuse(422, m.contact_too_old());
      if (age < FORM_AGE_MS.least) return refuse(422, m.contact_too_fast());

      const { settings } = asked.context.get(siteContext).read();
      const from = { visit, member: knownMember(asked.context) };
      const wait = await receiveContact(app, settings, from, contact.data, locale);
      if (wait !== null) return refuseForNow(wait, m.contact_wait({ count: Math.ceil(wait / 60) }));
      return redirect(`${addressIn(locale, "/contact")}?sent`);
    },
    away: m.contact_failed,
    failed: m.contact_error,
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

const MISSING = {
  name: m.contact_missing_name,
  email: m.contact_missing_email,
  message: m.contact_missing_message,
  kind: m.contact_missing_kind,
  region: m.contact_missing_region,
};
const TOO_LONG: { [field: string]: (most: { count: string }) => string } = {
  name: m.contact_too_long_name,
  email: m.contact_too_long_email,
  message: m.contact_too_long_message,
};

/** Returns the first error of each field. */
function fieldErrorsOf(issues: readonly { path: readonly PropertyKey[]; message: string }[]): FieldErrors {
  const errors: FieldErrors = {};
  const limits: { [field: string]: number } = CONTACT_LIMITS;
  for (const { path, message } of issues) {
    const at = path.at(-1) as keyof typeof MISSING;
    const tooLong = message === "too_long" ? TOO_LONG[at]?.({ count: formatNumber(limits[at] ?? 0) }) : undefined;
    errors[at] ??= tooLong ?? (message === "no_email" ? m.refused_email() : MISSING[at]());
  }
  return errors;
}

const KINDS = {
  access: m.contact_kind_access,
  correct: m.contact_kind_correct,
  delete: m.contact_kind_delete,
  copy: m.contact_kind_copy,
  opt_out: m.contact_kind_opt_out,
  appeal: m.contact_kind_appeal,
} satisfies Record<RequestKind, () => string>;
const REGIONS = {
  europe: m.contact_region_europe,
  colorado: m.contact_region_colorado,
  connecticut: m.contact_region_connecticut,
  virginia: m.contact_region_virginia,
  us_other: m.contact_region_us_other,
  elsewhere: m.contact_region_elsewhere,
} satisfies Record<RequestRegion, () => string>;

export default function Contact({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const locale = localeAt(location.pathname);
  const navigation = useNavigation();
  const here = addressIn(locale, "/contact");
  const { fieldErrors = {}, given } = actionData ?? {};
  const form = useRef<HTMLFormElement>(null);
  // A refusal is shown above the pressed button: scrolls there and focuses the first field with an error.
  useEffect(() => {
    if (!actionData) return;
    form.current?.scrollIntoView({ block: "start" });
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus({ preventScroll: true });
  }, [actionData]);
  const thanks = useRef<HTMLDivElement>(null);
  const { sent } = loaderData;
  useEffect(() => {
    if (sent) thanks.current?.focus();
  }, [sent]);
  return (
    <div className={`page ${css.contact}`}>
      <PageTitle>{m.contact_title()}</PageTitle>
      <meta name="description" content={m.contact_description()} />
      <meta property="og:title" content={`${m.contact_title()} – ${loaderData.site_name}`} />
      <meta property="og:description" content={m.contact_description()} />
      <header className={css.head}>
        <h1>{m.contact_title()}</h1>
        <p>{m.contact_lead()}</p>
        {loaderData.contact_email && (
          <p>
            {m.contact_or_email()} <a href={`mailto:${loaderData.contact_email}`}>{loaderData.contact_email}</a>
          </p>
        )}
      </header>
      {sent && !actionData ? (
        <div className={css.sheet} ref={thanks} tabIndex={-1}>
          <Alert tone="good">{m.contact_sent()}</Alert>
          <p>
            <Link to={here}>{m.contact_another()}</Link>
          </p>
        </div>
      ) : (
        <Form failed={m.failed_contact()} action={here} className={css.sheet} ref={form}>
          <KeptText of="message" />
          {actionData?.problem && navigation.state === "idle" && <Alert tone="error">{actionData.problem}</Alert>}
          <Fields limits={loaderData.limits} given={given} fieldErrors={fieldErrors} />
          <PrivacyRequest given={given} fieldErrors={fieldErrors} />
          {/* Hidden trap: programs fill in every field. */}
          <label className={css.trap} aria-hidden="true">
            {m.contact_trap_label()}
            <input name="website" type="text" tabIndex={-1} autoComplete="off" />
          </label>
          <input type="hidden" name="opened" value={loaderData.opened} />
          <div className={css.end}>
            <Button type="submit" size="l" loading={navigation.formAction?.startsWith(here)}>
              {m.contact_submit()}
            </Button>
            <p className={css.small}>
              {m.contact_kept()} {/* Outside the form: following it would lose what was typed. */}
              <Link to="/privacy-policy" target="_blank">
                {m.privacy_policy()}
                <span className="visually-hidden"> {m.contact_policy_tab()}</span>
              </Link>
            </p>
          </div>
        </Form>
      )}
    </div>
  );
}

type FieldsProps = {
  given: NonNullable<Route.ComponentProps["actionData"]>["given"] | undefined;
  fieldErrors: FieldErrors;
};

function Fields({ limits, given, fieldErrors }: FieldsProps & Pick<Route.ComponentProps["loaderData"], "limits">) {
  return (
    <>
      <TextField
        label={m.field_name()}
        name="name"
        required
        autoComplete="name"
        maxLength={limits.name}
        defaultValue={given?.name}
        missing={m.contact_missing_name()}
        error={fieldErrors.name}
      />
      <TextField
        label={m.field_email()}
        name="email"
        type="email"
        inputMode="email"
        required
        autoComplete="email"
        maxLength={limits.email}
        defaultValue={given?.email}
        missing={m.contact_missing_email()}
        error={fieldErrors.email}
      />
      <TextArea
        label={m.contact_message()}
        name="message"
        required
        defaultValue={given?.message}
        missing={m.contact_missing_message()}
        error={fieldErrors.message}
      />
    </>
  );
}

/** For requests by privacy law: which one, and where its sender lives. */
function PrivacyRequest({ given, fieldErrors }: FieldsProps) {
  return (
    <>
      <label className={css.check}>
        <input type="checkbox" name="privacy" defaultChecked={given?.privacy} />
        {m.contact_privacy()}
      </label>
      <fieldset className={css.request}>
        <legend className={css.legend}>{m.contact_privacy_hint()}</legend>
        <Choice
          name="kind"
          label={m.contact_kind()}
          none={m.field_choose()}
          labels={KINDS}
          chosen={given?.kind}
          error={fieldErrors.kind}
        />
        <Choice
          name="region"
          label={m.contact_region()}
          none={m.field_choose()}
          labels={REGIONS}
          chosen={given?.region}
          error={fieldErrors.region}
        />
      </fieldset>
    </>
  );
}
