// Shows one message, the deadline of a privacy request, and the answers; answers by mail.

import { useEffect, useRef } from "react";
import { data, useFetcher, useNavigation } from "react-router";
import {
  ANSWER_MAX,
  answerContact,
  answerShape,
  archiveContact,
  extendRequest,
  extensionShape,
  findContact,
  type InboxOutcome,
  markRead,
} from "#domain/inbox/inbox.ts";
import { may } from "#domain/permissions.ts";
import type { FormAnswer } from "#shared/form-answer.ts";
import { dayText } from "#shared/text/date-text.ts";
import { appContext, siteContext } from "#web/context.ts";
import { done, handleForm, permitted, type Refusals, refuseFor, textsOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { formatNumber, language } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Fact, FactList } from "../../../ui/admin-tiles/admin-tiles.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { KeptText } from "../../../ui/form/kept-text.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { requireId } from "../asked-id.ts";
import { checkFields } from "../field-errors.ts";
import type { Route } from "./+types/message";
import css from "./message.module.css";
import { kindText, lawText, leftText, urgencyOf } from "./request-text.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, url }, "messages:answer");
  const { db, mailsGoOut } = context.get(appContext);
  const contact = await findContact(db, requireId(params.contactId));
  if (!contact) throw data(null, { status: 404 });
  return { contact, mails_go_out: mailsGoOut, longest: ANSWER_MAX, may_remove: may(role, "messages:remove") };
}

const INTENTS = ["read", "archive", "restore", "extend", "answer"];

const REFUSALS: Refusals<Extract<InboxOutcome, { ok: false }>["reason"]> = {
  gone: [410, m.admin_message_gone],
  changed: [409, m.admin_message_changed],
  not_extendable: [409, m.admin_request_not_extendable],
};

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("messages:answer"),
    read: (form) => textsOf(form, ["text"]),
    async act({ given, form, intent, app: { db }, actor }) {
      const id = requireId(asked.params.contactId);
      if (!INTENTS.includes(intent)) throw data(null, { status: 400 });
      const told = (outcome: InboxOutcome) => (outcome.ok ? done(true) : refuseFor(REFUSALS, outcome.reason));
      if (intent === "read") return told(await markRead(db, actor, id));
      if (intent === "extend") {
        const checked = checkFields(extensionShape, given, null);
        return checked.ok ? told(await extendRequest(db, actor, id, checked.data.text)) : checked;
      }
      if (intent === "answer") {
        const checked = checkFields(answerShape, given, null);
        if (!checked.ok) return checked;
        const replyTo = asked.context.get(siteContext).read().settings.contact_email;
        const answer = { answer: checked.data.text, seen: Number(form.get("seen")), replyTo };
        return told(await answerContact(db, actor, id, answer));
      }
      return told(await archiveContact(db, actor, id, intent === "archive"));
    },
    away: (intent) => `${failedText(intent)} ${m.admin_try_again()}`,
  });
}

const failedText = (intent: string) =>
  intent === "answer" ? m.failed_answer() : intent === "extend" ? m.failed_extension() : m.failed_message();

const doneText = (intent: string | undefined) =>
  intent === "read" ? undefined : intent === "answer" ? m.admin_message_sent() : m.admin_message_saved();

export default function Message({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const { contact, mails_go_out, longest, may_remove } = loaderData;
  const now = useNow();
  const navigation = useNavigation();
  const busy = navigation.state === "submitting" ? String(navigation.formData?.get("intent")) : null;
  const refused = (intent: string) =>
    actionData?.intent === intent && actionData.done === null ? actionData : undefined;
  useMarkRead(contact.read);
  const hint = contact.locale === "de" ? m.admin_message_answer_hint_de : m.admin_message_answer_hint_en;
  return (
    <>
      <AdminHeading
        title={m.admin_message_title({ name: contact.name })}
        up={{ to: "/admin/messages", label: m.admin_messages() }}
      >
        {!contact.read && <Act intent="read" label={m.admin_message_mark_read()} />}
        <Act
          intent={contact.archived ? "restore" : "archive"}
          label={contact.archived ? m.admin_message_restore() : m.admin_message_archive()}
        />
      </AdminHeading>
      <div className={css.page}>
        <AnswerNotice answer={actionData} done={doneText(actionData?.intent)} />
        <article className={css.message}>
          <p className={css.from}>
            <a href={`mailto:${contact.email}`}>{contact.email}</a> · <RelativeTime at={contact.created_at} now={now} />
          </p>
          <p className={css.text}>{contact.message}</p>
          <p className={css.note}>{m.admin_message_unchecked()}</p>
        </article>
        {contact.request && (
          <Request
            request={contact.request}
            extension={contact.extension_reason}
            answer={refused("extend")}
            busy={busy === "extend"}
          />
        )}
        {contact.answers.length > 0 && (
          <section className={css.part}>
            <h2>{m.admin_message_answers()}</h2>
            {contact.answers.map(({ text, at }) => (
              <div key={at} className={css.answer}>
                <p className={css.from}>
                  <RelativeTime at={at} now={now} />
                </p>
                <p className={css.text}>{text}</p>
              </div>
            ))}
          </section>
        )}
        <Form
          failed={m.failed_answer()}
          className={css.part}
          key={`${contact.answers.length}-${refused("answer") ? "refused" : ""}`}
        >
          <input type="hidden" name="intent" value="answer" />
          <KeptText of="answer" />
          <input type="hidden" name="seen" value={contact.answers.length} />
          <TextArea
            name="text"
            label={m.admin_message_answer()}
            hint={hint({ email: contact.email })}
            required
            maxLength={longest}
            rows={8}
            lang={contact.locale}
            defaultValue={refused("answer")?.given.text}
            error={refused("answer")?.fieldErrors.text}
          />
          {!mails_go_out && <p className={css.note}>{m.admin_message_no_mail()}</p>}
          <div>
            <Button type="submit" loading={busy === "answer"}>
              {m.admin_message_send()}
            </Button>
          </div>
        </Form>
        {may_remove && (
          <section className={css.part}>
            <h2>{m.admin_delete()}</h2>
            <p className={css.note}>
              <Link to={`/admin/messages/${contact.contact_id}/delete`}>{m.admin_message_delete()}</Link>
            </p>
          </section>
        )}
      </div>
    </>
  );
}

function Act({ intent, label }: { intent: string; label: string }) {
  return (
    <Form failed={m.failed_message()}>
      <input type="hidden" name="intent" value={intent} />
      <Button type="submit" variant="outlined" size="s">
        {label}
      </Button>
    </Form>
  );
}

type RequestProps = {
  request: NonNullable<Route.ComponentProps["loaderData"]["contact"]["request"]>;
  extension: string | null;
  answer: FormAnswer<{ text: string }> | undefined;
  busy: boolean;
};

function Request({ request, extension, answer, busy }: RequestProps) {
  const date = dayText(Date.parse(request.due_at), language(), "UTC");
  return (
    <section className={css.request} data-urgency={urgencyOf(request.left)}>
      <h2>
        {m.admin_request_title()} <span className={css.left}>{leftText(request.left)}</span>
      </h2>
      <FactList>
        <Fact label={m.admin_request_kind()}>{kindText(request.kind)}</Fact>
        <Fact label={m.admin_request_law()}>{lawText(request.law)}</Fact>
        <Fact label={m.admin_request_due()}>{m.admin_request_due_of({ date, days: formatNumber(request.days) })}</Fact>
      </FactList>
      {extension !== null && <p className={css.note}>{m.admin_request_extended({ reason: extension })}</p>}
      {request.extendable && request.left !== null && request.left > 0 && (
        <details open={answer !== undefined}>
          <summary>{m.admin_request_extend()}</summary>
          <Form failed={m.failed_extension()} className={css.extend}>
            <input type="hidden" name="intent" value="extend" />
            <p className={css.note}>{m.admin_request_extend_note()}</p>
            <TextField
              name="text"
              label={m.admin_request_extend_reason()}
              required
              maxLength={300}
              defaultValue={answer?.given.text}
              error={answer?.fieldErrors.text}
            />
            <div>
              <Button type="submit" variant="outlined" size="s" loading={busy}>
                {m.admin_request_extend()}
              </Button>
            </div>
          </Form>
        </details>
      )}
    </section>
  );
}

/** Viewing alone changes nothing: script marks the message as read, or a button without script. */
function useMarkRead(read: boolean) {
  const { submit } = useFetcher();
  const asked = useRef(false);
  useEffect(() => {
    if (read || asked.current) return;
    asked.current = true;
    submit({ intent: "read" }, { method: "post" });
  }, [read, submit]);
}
