// One message: what it says, the days of a privacy request, the answers, and answering by mail.
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
import { appContext, siteContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { formatNumber, language } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Fact, FactList } from "../../../ui/admin-tiles/admin-tiles.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { faultWords } from "../faults.ts";
import { readId } from "../games/asked-game.ts";
import type { Route } from "./+types/message";
import css from "./message.module.css";
import { kindWords, lawWords, leftWords, urgencyOf } from "./request-words.ts";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, request }, "messages:answer");
  const { db, mailsGoOut } = context.get(appContext);
  const id = readId(params.contactId);
  const contact = id === null ? null : await findContact(db, id);
  if (!contact) throw data(null, { status: 404 });
  return { contact, mails_go_out: mailsGoOut, longest: ANSWER_MAX, may_remove: may(role, "messages:remove") };
}

type Answer = { intent: string; problem: string | null; fault?: string; typed?: string };

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "messages:answer");
  const { db, log } = context.get(appContext);
  const form = await readForm(request);
  const intent = String(form.get("intent") ?? "");
  const typed = String(form.get("text") ?? "");
  const id = readId(params.contactId);
  if (id === null) throw data(null, { status: 404 });
  const answer = (status: number, rest: Omit<Answer, "intent">) => data<Answer>({ intent, ...rest }, { status });
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const act = async (): Promise<InboxOutcome | { ok: false; reason: "fault"; code: string }> => {
    if (intent === "read") return markRead(db, actor, id);
    if (intent === "archive" || intent === "restore") return archiveContact(db, actor, id, intent === "archive");
    const checked = (intent === "extend" ? extensionShape : answerShape).safeParse(typed);
    if (!checked.success) return { ok: false, reason: "fault", code: checked.error.issues[0]?.message ?? "missing" };
    if (intent === "extend") return extendRequest(db, actor, id, checked.data);
    const replyTo = context.get(siteContext).read().settings.contact_email;
    return answerContact(db, actor, id, { answer: checked.data, seen: Number(form.get("seen")), replyTo });
  };
  if (!["read", "archive", "restore", "extend", "answer"].includes(intent)) throw data(null, { status: 400 });
  try {
    const outcome = await act();
    if (outcome.ok) return answer(200, { problem: null });
    if (outcome.reason === "fault") return answer(422, { problem: null, fault: faultWords(outcome.code), typed });
    if (outcome.reason === "gone") return answer(410, { problem: m.admin_message_gone(), typed });
    if (outcome.reason === "changed") return answer(409, { problem: m.admin_message_changed(), typed });
    return answer(409, { problem: m.admin_request_not_extendable(), typed });
  } catch (error) {
    log.error({ err: error }, "an act on a message failed");
    return answer(503, { problem: `${failedWords(intent)} ${m.admin_try_again()}`, typed });
  }
}

const failedWords = (intent: string) =>
  intent === "answer" ? m.failed_answer() : intent === "extend" ? m.failed_extension() : m.failed_message();

export default function Message({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const { contact, mails_go_out, longest, may_remove } = loaderData;
  const now = useNow();
  const navigation = useNavigation();
  const busy = navigation.state === "submitting" ? String(navigation.formData?.get("intent")) : null;
  const failed = actionData && (actionData.problem !== null || actionData.fault !== undefined);
  const of = (intent: string) => (actionData?.intent === intent && failed ? actionData : undefined);
  useMarkRead(contact.read);
  const hint = contact.locale === "de" ? m.admin_message_answer_hint_de : m.admin_message_answer_hint_en;
  return (
    <>
      <AdminHeading
        title={m.admin_message_title({ name: contact.name })}
        up={{ to: "/admin/messages", words: m.admin_messages() }}
      >
        {!contact.read && <Act intent="read" words={m.admin_message_mark_read()} />}
        <Act
          intent={contact.archived ? "restore" : "archive"}
          words={contact.archived ? m.admin_message_restore() : m.admin_message_archive()}
        />
      </AdminHeading>
      <div className={css.page}>
        {actionData?.problem && (
          <Notice tone="error" of={actionData}>
            {actionData.problem}
          </Notice>
        )}
        {actionData && !failed && actionData.intent !== "read" && (
          <Notice tone="good" of={actionData}>
            {actionData.intent === "answer" ? m.admin_message_sent() : m.admin_message_saved()}
          </Notice>
        )}
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
            answer={of("extend")}
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
          key={`${contact.answers.length}-${of("answer") ? "refused" : ""}`}
        >
          <input type="hidden" name="intent" value="answer" />
          <input type="hidden" name="seen" value={contact.answers.length} />
          <TextArea
            name="text"
            label={m.admin_message_answer()}
            hint={hint({ email: contact.email })}
            required
            maxLength={longest}
            rows={8}
            lang={contact.locale}
            defaultValue={of("answer")?.typed}
            error={of("answer")?.fault}
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

function Act({ intent, words }: { intent: string; words: string }) {
  return (
    <Form failed={m.failed_message()}>
      <input type="hidden" name="intent" value={intent} />
      <Button type="submit" variant="outlined" size="s">
        {words}
      </Button>
    </Form>
  );
}

type RequestProps = {
  request: NonNullable<Route.ComponentProps["loaderData"]["contact"]["request"]>;
  extension: string | null;
  answer: Answer | undefined;
  busy: boolean;
};

function Request({ request, extension, answer, busy }: RequestProps) {
  const date = new Intl.DateTimeFormat(language(), { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(request.due_at),
  );
  return (
    <section className={css.request} data-urgency={urgencyOf(request.left)}>
      <h2>
        {m.admin_request_title()} <span className={css.left}>{leftWords(request.left)}</span>
      </h2>
      <FactList>
        <Fact label={m.admin_request_kind()}>{kindWords(request.kind)}</Fact>
        <Fact label={m.admin_request_law()}>{lawWords(request.law)}</Fact>
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
              defaultValue={answer?.typed}
              error={answer?.fault}
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

/** Looking at a page changes nothing by itself; script says that somebody has read it, and a button without script. */
function useMarkRead(read: boolean) {
  const { submit } = useFetcher();
  const asked = useRef(false);
  useEffect(() => {
    if (read || asked.current) return;
    asked.current = true;
    submit({ intent: "read" }, { method: "post" });
  }, [read, submit]);
}
