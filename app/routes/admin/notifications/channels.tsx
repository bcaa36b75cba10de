// Lists and creates operators' channels: webhooks and mailboxes. A webhook's secret is shown once.
import { useNavigation, useSearchParams } from "react-router";
import {
  CHANNEL_NAME_MAX,
  createMailChannel,
  createWebhook,
  listChannels,
  mailChannelShape,
  webhookShape,
} from "#domain/notifications/operator-channels.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, type Refusals, refuseFor, textsOf } from "#web/forms/handle-form.ts";
import { typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { formatNumber } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { checkFields } from "../field-errors.ts";
import { StillThere } from "../still-there.tsx";
import type { Route } from "./+types/channels";
import { stateText } from "./channel-text.ts";
import css from "./channels.module.css";
import { NoMail } from "./no-mail.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { NotificationTabs } from "./tabs.tsx";

const WEBHOOK = "webhook";
const MAIL = "mail";

export async function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "settings:write");
  const { db, mailsGoOut } = context.get(appContext);
  const channels = await listChannels(db);
  const typed = findTyped({ context, request });
  return {
    channels: channels
      // Discord channels have their own page.
      .filter(({ kind }) => kind !== "discord")
      .map(({ failing_since, dead_at, last_sent_at, ...channel }) => ({
        ...channel,
        failing: failing_since !== null,
        dead: dead_at !== null,
        last_sent_at: last_sent_at?.toISOString() ?? null,
      })),
    typed: typed && {
      intent: typedText(typed, "intent"),
      name: typedText(typed, "name"),
      url: typedText(typed, "url"),
      to: typedText(typed, "to"),
    },
    most: CHANNEL_NAME_MAX,
    mails_go_out: mailsGoOut,
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: (form) => textsOf(form, ["intent", "name", "url", "to"]),
    async act({ given, intent, app, actor, locale }) {
      // A channel outlasts the session, so creating one needs re-authentication.
      requireFreshSession(asked, { typed: given });
      if (intent === MAIL) {
        const checked = checkFields(mailChannelShape, given);
        if (!checked.ok) return checked;
        const made = await createMailChannel(app.db, app.secret, actor, { ...checked.data, locale });
        return made.ok ? done({ secret: null }) : refuseFor(REFUSALS, made.reason);
      }
      const checked = checkFields(webhookShape, given);
      if (!checked.ok) return checked;
      const made = await createWebhook(app.db, app.secret, actor, { ...checked.data, locale }, app.addressRule);
      return made.ok ? done({ secret: made.secret }) : refuseFor(REFUSALS, made.reason);
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

type Channel = Route.ComponentProps["loaderData"]["channels"][number];

export default function Channels({ loaderData, ...props }: Route.ComponentProps) {
  const { channels, most, mails_go_out } = loaderData;
  const answer = useAnswer(props.actionData);
  const removed = useSearchParams()[0].get("done") === "removed";
  const busy = useNavigation().state === "submitting";
  const typed = answer ? null : loaderData.typed;
  const refused = answer?.done === null ? answer : undefined;
  /** Returns the form's part of the answer. */
  const of = (intent: string) => ({
    answer: answer?.intent === intent ? answer : undefined,
    given: refused?.intent === intent ? refused.given : typed?.intent === intent ? typed : undefined,
    errors: refused?.intent === intent ? refused.fieldErrors : {},
    back: typed?.intent === intent,
  });
  const [webhook, mail] = [of(WEBHOOK), of(MAIL)];
  return (
    <>
      <NotificationTabs />
      {!answer && removed && (
        <Notice tone="good" of={removed}>
          {m.admin_notify_channel_removed()}
        </Notice>
      )}
      <p className={css.intro}>{m.admin_notify_channels_note()}</p>
      <ChannelTable channels={channels} />
      <div className={css.forms}>
        <Form
          failed={m.failed_notification()}
          className={css.form}
          key={`webhook ${refused ? "refused" : channels.length}`}
        >
          <h2>{m.admin_notify_webhook_add()}</h2>
          <p className={css.note}>{m.admin_notify_webhook_note()}</p>
          {webhook.back && <StillThere />}
          <AnswerNotice answer={webhook.answer} done={m.admin_notify_webhook_once()} />
          {webhook.answer?.done?.secret && <SecretOnce secret={webhook.answer.done.secret} />}
          <input type="hidden" name="intent" value={WEBHOOK} />
          <NameField most={most} given={webhook.given?.name} error={webhook.errors.name} />
          <TextField
            name="url"
            label={m.admin_notify_webhook_url()}
            hint={m.admin_notify_webhook_url_hint()}
            required
            maxLength={1000}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            defaultValue={webhook.given?.url}
            error={webhook.errors.url}
          />
          <div>
            <Button type="submit" loading={busy}>
              {m.admin_notify_webhook_make()}
            </Button>
          </div>
        </Form>
        <Form
          failed={m.failed_notification()}
          className={css.form}
          key={`mail ${refused ? "refused" : channels.length}`}
        >
          <h2>{m.admin_notify_mail_add()}</h2>
          <p className={css.note}>{m.admin_notify_mail_note()}</p>
          {!mails_go_out && <NoMail />}
          {mail.back && <StillThere />}
          <AnswerNotice answer={mail.answer} done={m.admin_notify_mail_made()} />
          <input type="hidden" name="intent" value={MAIL} />
          <NameField most={most} given={mail.given?.name} error={mail.errors.name} />
          <TextField
            name="to"
            label={m.admin_notify_mail_to()}
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            defaultValue={mail.given?.to}
            error={mail.errors.to}
          />
          <div>
            <Button type="submit" variant="tonal" loading={busy}>
              {m.admin_notify_mail_make()}
            </Button>
          </div>
        </Form>
      </div>
    </>
  );
}

function NameField({ most, given, error }: { most: number; given: string | undefined; error: string | undefined }) {
  return (
    <TextField
      name="name"
      label={m.admin_notify_channel_name()}
      hint={m.admin_notify_channel_name_hint()}
      required
      maxLength={most}
      autoComplete="off"
      defaultValue={given}
      error={error}
    />
  );
}

function ChannelTable({ channels }: { channels: Channel[] }) {
  const now = useNow();
  const columns: Column<Channel>[] = [
    { key: "name", names: true, label: m.admin_notify_channel_name(), cell: ({ name }) => <bdi>{name}</bdi> },
    {
      key: "kind",
      label: m.admin_notify_channel_kind(),
      kind: "word",
      cell: ({ kind }) => m.admin_notify_channel_kinds({ kind }),
    },
    {
      key: "where",
      label: m.admin_notify_channel_where(),
      cell: ({ last4 }) => <bdi className={css.where}>{last4}</bdi>,
    },
    { key: "state", label: m.admin_notify_channel_state(), kind: "word", cell: (channel) => stateText(channel) },
    {
      key: "sent",
      label: m.admin_notify_last_sent(),
      kind: "word",
      cell: ({ last_sent_at }) => (last_sent_at === null ? "–" : <RelativeTime at={last_sent_at} now={now} />),
    },
    { key: "rules", label: m.admin_notify_channel_rules(), kind: "number", cell: ({ rules }) => formatNumber(rules) },
    {
      key: "open",
      label: m.admin_notify_channel_open(),
      kind: "action",
      cell: ({ target_id, name }) => (
        <ButtonLink
          to={`/admin/notifications/channels/${target_id}`}
          variant="tonal"
          size="s"
          aria-label={m.admin_notify_channel_open_of({ name })}
        >
          {m.admin_notify_channel_open()}
        </ButtonLink>
      ),
    },
  ];
  return (
    <DataTable
      caption={m.admin_notify_channels()}
      columns={columns}
      rows={channels}
      rowKey={({ target_id }) => target_id}
      empty={<p>{m.admin_notify_channels_empty()}</p>}
    />
  );
}
