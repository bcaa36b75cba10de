// Form of an action that is confirmed by typing a name or an address.
import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import type { FormAnswer } from "#shared/form-answer.ts";
import { ConfirmForm } from "../../ui/confirm-form/confirm-form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../ui/notice/answer-notice.tsx";

type Props = {
  /** The exact text to type. */
  name: string;
  /** Label of the button. */
  act: string;
  /** Target of "Cancel". */
  back: string;
  answer: FormAnswer<{ confirm: string }, never> | undefined;
  /** Shown when no answer comes; default: deleting. */
  failed?: string;
  /** Text typed before re-authentication. */
  typed?: string;
  /** Explains the action. */
  children: ReactNode;
};

export function ConfirmAct({ name, act, back, answer, failed, typed, children }: Props) {
  const refused = useAnswer(answer);
  const busy = useNavigation().state === "submitting";
  return (
    <>
      <AnswerNotice answer={refused} />
      <ConfirmForm
        name={name}
        act={act}
        back={back}
        error={refused?.fieldErrors.confirm}
        typed={refused?.given.confirm ?? typed}
        busy={busy}
        failed={failed}
      >
        {children}
      </ConfirmForm>
    </>
  );
}
