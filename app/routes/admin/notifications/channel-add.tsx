// Adds a channel of one kind: its name and the settings that its service needs. A webhook's secret is shown once.
import { data, redirect, useNavigation } from "react-router";
import {
  CHANNEL_NAME_MAX,
  channelForm,
  channelShape,
  createChannel,
  OPERATOR_KINDS,
  type OperatorKind,
} from "#domain/notifications/operator-channels.ts";
import { localeAt } from "#shared/locale.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, type Refusals, refuseFor, textOf } from "#web/forms/handle-form.ts";
import { typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { checkFields } from "../field-errors.ts";
import { StillThere } from "../still-there.tsx";
import type { Route } from "./+types/channel-add";
import css from "./channels.module.css";
import { NoMail } from "./no-mail.tsx";
import { SecretOnce } from "./secret-once.tsx";

const AT = "/admin/notifications/channels";

export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const kind = kindOf(params.kind);
  // A channel outlasts the session, so creating one needs re-authentication: before anything is typed.
  requireFreshSession({ context, url });
  const { service, fields } = channelForm(kind, localeAt(url.pathname));
  const typed = findTyped({ context, request, url });
  return {
    service,
    fields: fields.map((field) => (typed ? { ...field, initial: typedText(typed, field.name) } : field)),
    typed: typed && { name: typedText(typed, "name") },
    most: CHANNEL_NAME_MAX,
    mails_go_out: context.get(appContext).mailsGoOut,
  };
}

function kindOf(param: string): OperatorKind {
  const kind = OPERATOR_KINDS.find((known) => known === param);
  if (!kind) throw data(null, { status: 404 });
  return kind;
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: (form) => Object.fromEntries([...form.keys()].map((name) => [name, textOf(form, name)])),
    async act({ given, app, actor, locale }) {
      const kind = kindOf(asked.params.kind);
      const { name, intent: _, ...settings } = given;
      const secrets = channelForm(kind, locale).fields.filter(({ type }) => type === "secret");
      const typed = Object.entries(given).filter(([field]) => !secrets.some((secret) => secret.name === field));
      requireFreshSession(asked, { typed: Object.fromEntries(typed) });
      const checked = checkFields(channelShape(kind), { name, settings });
      if (!checked.ok) return checked;
      const made = await createChannel(app.db, app.secret, actor, { kind, ...checked.data, locale }, app.addressRule);
      if (!made.ok) return refuseFor(REFUSALS, made.reason);
      return made.secret === null
        ? redirect(here(`${AT}/${made.target_id}?done=added`))
        : done({ secret: made.secret, target_id: made.target_id });
    },
    away: () => `${m.failed_notification()} ${m.admin_try_again()}`,
  });
}

const REFUSALS: Refusals<"taken" | "too_many" | "blocked" | "dns"> = {
  taken: [409, m.admin_notify_channel_taken],
  too_many: [409, m.admin_notify_channel_too_many],
  blocked: [422, m.admin_notify_webhook_blocked],
  dns: [422, m.admin_notify_webhook_dns],
};

export default function ChannelAdd({ loaderData, ...props }: Route.ComponentProps) {
  const { service, fields, typed, most, mails_go_out } = loaderData;
  const answer = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const refused = answer?.done === null ? answer : undefined;
  const name = service?.name ?? m.admin_notify_mailbox();
  return (
    <>
      <AdminHeading
        title={m.admin_notify_channel_add_of({ name })}
        up={{ to: AT, label: m.admin_notify_channels() }}
        note={service?.help ?? m.admin_notify_mail_note()}
      />
      {!service && !mails_go_out && <NoMail />}
      {answer?.done ? (
        <div className={css.acts}>
          <AnswerNotice answer={answer} done={m.admin_notify_webhook_once()} />
          <SecretOnce secret={answer.done.secret} />
          <div>
            <ButtonLink to={`${AT}/${answer.done.target_id}`}>{m.admin_notify_channel_open()}</ButtonLink>
          </div>
        </div>
      ) : (
        <Form failed={m.failed_notification()} className={css.form} key={refused ? "refused" : "new"}>
          {typed && !answer && <StillThere />}
          <AnswerNotice answer={answer} />
          <TextField
            name="name"
            label={m.admin_notify_channel_name()}
            hint={m.admin_notify_channel_name_hint()}
            required
            maxLength={most}
            autoComplete="off"
            defaultValue={refused?.given?.name ?? typed?.name}
            error={refused?.fieldErrors.name}
          />
          {fields.map((field) => (
            <Setting
              key={field.name}
              field={field}
              given={refused?.given?.[field.name]}
              error={refused?.fieldErrors[`settings.${field.name}`]}
            />
          ))}
          <div>
            <Button type="submit" loading={busy}>
              {m.admin_notify_channel_add()}
            </Button>
          </div>
          {service?.docs && (
            <p className={css.note}>
              <a href={service.docs}>{m.admin_notify_service_docs({ name })}</a>
            </p>
          )}
        </Form>
      )}
    </>
  );
}

type SettingProps = {
  field: Route.ComponentProps["loaderData"]["fields"][number];
  given: string | undefined;
  error: string | undefined;
};

function Setting({ field: { name, type, label, hint, optional, initial, max }, given, error }: SettingProps) {
  const common = {
    name,
    label: optional ? m.admin_notify_optional({ label }) : label,
    hint,
    required: !optional,
    maxLength: max,
    autoComplete: "off",
    spellCheck: false,
    defaultValue: given ?? initial,
    error,
  } as const;
  return type === "lines" ? (
    <TextArea {...common} rows={6} />
  ) : (
    <TextField {...common} inputMode={type === "url" ? "url" : undefined} />
  );
}
