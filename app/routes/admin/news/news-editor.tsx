// News form with the outcome of sending it, for new and existing articles.
import type { ReactNode } from "react";
import type { FormAnswer } from "#shared/form-answer.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { NewsFormFields } from "./form.tsx";
import type { NewsForm, NewsLimits } from "./form-texts.ts";
import type { Outcome } from "./news-acts.ts";
import { Previews } from "./preview.tsx";

type Props = {
  stored: NewsForm;
  /** Null: nothing is stored yet. */
  revision: string | null;
  more: boolean;
  limits: NewsLimits;
  answer: FormAnswer<NewsForm, Outcome> | undefined;
  busy: boolean;
  /** Shown when no answer comes. */
  failed: string;
  /** The address it is sent to; also shows the stored article. */
  at: string;
  /** Shown above the form before anything is sent. */
  notice?: ReactNode;
};

const NO_ERRORS = {};

export function NewsEditor({ stored, revision, more, limits, answer, busy, failed, at, notice }: Props) {
  const given = useAnswer(answer);
  const outcome = given?.done ?? null;
  const saved = outcome?.kind === "saved";
  return (
    <>
      {given?.conflict && <Conflict rows={given.conflict} to={at} />}
      <Form failed={failed} action={at} preventScrollReset={outcome?.kind === "found" || undefined}>
        {/* Default button for Enter in a field: saves, instead of pressing the first button. */}
        <button type="submit" hidden />
        {revision !== null && <input type="hidden" name="revision" value={given?.revision ?? revision} />}
        <FormSheet>
          <AnswerNotice
            answer={outcome && !saved ? undefined : given}
            failed={failed}
            done={saved ? m.admin_news_updated() : undefined}
          />
          {!given && notice}
          <NewsFormFields
            shown={given?.given ?? stored}
            fieldErrors={given?.fieldErrors ?? NO_ERRORS}
            limits={limits}
            more={more}
            found={outcome?.kind === "found" ? outcome : undefined}
          />
          {outcome?.kind === "preview" && <Previews previews={outcome.previews} />}
          <FormActs cancel="/admin/news" saved={saved && given} unsaved={given !== undefined && !saved}>
            <Button type="submit" loading={busy}>
              {m.admin_save()}
            </Button>
            <Button type="submit" name="act" value="preview" variant="tonal" formNoValidate>
              {m.admin_news_preview()}
            </Button>
          </FormActs>
        </FormSheet>
      </Form>
    </>
  );
}
