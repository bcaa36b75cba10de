// The form of an act that is confirmed by typing a name or an address.
import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import type { FormAnswer } from "#shared/form-answer.ts";
import { ConfirmForm } from "../../ui/confirm-form/confirm-form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../ui/notice/answer-notice.tsx";

type Props = {
  /** What has to be typed, as it stands. */
  name: string;
  /** The label of the button. */
  act: string;
  /** Where "Cancel" leads. */
  back: string;
  answer: FormAnswer<{ confirm: string }, never> | undefined;
  /** What is said when no answer comes; deleting is the usual act. */
  failed?: string;
  /** What was typed before the person was asked who they are. */
  typed?: string;
  /** What the act means. */
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
