// Panel for pasted addresses: the text field, then a row for each, with its answer as it arrives.
import { type ReactNode, useEffect } from "react";
import { useNavigation, useRevalidator } from "react-router";
import type { FormAnswer } from "#shared/form-answer.ts";
import { here } from "../../../../language.ts";
import { m } from "../../../../paraglide/messages.js";
import { Button, ButtonLink } from "../../../../ui/button/button.tsx";
import { Form } from "../../../../ui/form/form.tsx";
import { Link } from "../../../../ui/link/link.tsx";
import { AnswerNotice } from "../../../../ui/notice/answer-notice.tsx";
import { Notice } from "../../../../ui/notice/notice.tsx";
import { TextArea } from "../../../../ui/text-area/text-area.tsx";
import { batchAddress } from "./batch-address.ts";
import { BatchRows } from "./batch-rows.tsx";
import css from "./panel.module.css";
import type { PasteData } from "./paste-actions.ts";

/** Answer of `handlePaste`. */
export type PasteAnswer = FormAnswer<{ text: string }, { added: { added: number; refused: number } | null }>;

type Props = {
  /** From `loadPaste`. */
  data: PasteData;
  answer: PasteAnswer | undefined;
  /** Address of the panel's page, without a batch. */
  at: string;
  /** Next step after a finished batch, instead of the link to the list. */
  onward?: ReactNode;
};

export function PastePanel({ data: { batch, gone, unfinished, limits }, answer, at, onward }: Props) {
  useFreshAnswers(batch !== null && batch.waiting > 0);
  const text = answer?.intent === "start" || answer?.intent === "more" ? answer : undefined;
  const thrown = answer?.intent === "throw" ? answer : undefined;
  if (!batch) {
    return (
      <div className={css.panel}>
        {gone && (
          <Notice tone="error" of={gone}>
            {m.admin_paste_gone()}
          </Notice>
        )}
        <PasteForm intent="start" action={here(at)} answer={text} most={limits.text} />
        <Unfinished batches={unfinished} at={at} />
      </div>
    );
  }
  const address = batchAddress(at, batch.batch_id);
  return (
    <div className={css.panel}>
      <BatchRows
        key={batch.batch_id}
        batch={batch}
        address={address}
        answer={text || thrown ? undefined : answer}
        onward={onward}
      />
      <details className={css.more} open={text !== undefined}>
        <summary>{m.admin_paste_more()}</summary>
        <PasteForm intent="more" action={here(address)} answer={text} most={limits.text} key={batch.lines.length} />
      </details>
      <div className={css.end}>
        <ButtonLink to={at} variant="outlined" size="s">
          {m.admin_paste_another()}
        </ButtonLink>
        <Form failed={m.failed_paste()} action={here(address)}>
          <AnswerNotice answer={thrown} failed={m.failed_paste()} />
          <Button type="submit" name="intent" value="throw" variant="outlined" size="s">
            {m.admin_paste_throw()}
          </Button>
        </Form>
      </div>
    </div>
  );
}

type PasteFormProps = { intent: "start" | "more"; action: string; answer: PasteAnswer | undefined; most: number };

function PasteForm({ intent, action, answer, most }: PasteFormProps) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === intent;
  return (
    <Form failed={m.failed_paste()} action={action} className={css.paste}>
      <AnswerNotice answer={answer} failed={m.failed_paste()} />
      <TextArea
        name="text"
        label={m.admin_paste_text()}
        hint={m.admin_paste_hint()}
        rows={intent === "start" ? 12 : 6}
        defaultValue={answer?.given.text}
        error={answer?.fieldErrors.text}
        missing={m.admin_paste_empty()}
        maxLength={most}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        wrap="off"
      />
      <div>
        <Button type="submit" name="intent" value={intent} loading={busy}>
          {intent === "start" ? m.admin_paste_start() : m.admin_paste_start_more()}
        </Button>
      </div>
    </Form>
  );
}

function Unfinished({ batches, at }: { batches: PasteData["unfinished"]; at: string }) {
  if (batches.length === 0) return null;
  return (
    <section className={css.unfinished}>
      <h2>{m.admin_paste_unfinished()}</h2>
      <ul>
        {batches.map(({ batch_id, lines, first }) => (
          <li key={batch_id}>
            <Link to={batchAddress(at, batch_id)}>{m.admin_paste_unfinished_list({ count: lines })}</Link>
            <span className={css.first}>{first}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const LOOK_EVERY_MS = 1_200;

/** Reloads the page while answers are pending, unless it is hidden or a form is being sent. */
function useFreshAnswers(underWay: boolean) {
  const { revalidate, state } = useRevalidator();
  const idle = useNavigation().state === "idle" && state === "idle";
  useEffect(() => {
    if (!underWay || !idle) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [underWay, idle, revalidate]);
}
