// Outcome of a form, at its top: an error, or success. Empty if fields or a conflict show it.
import type { FormAnswer } from "#shared/form-answer.ts";
import { Notice } from "./notice.tsx";

type Props = {
  answer: FormAnswer | null | undefined;
  /** Failed action, before each reason. */
  failed?: string;
  /** Text for success. */
  done?: string;
};

export function AnswerNotice({ answer, failed, done }: Props) {
  const text = answer?.done == null ? answer?.problem : done;
  if (!text) return null;
  return answer?.done == null ? (
    <Notice tone="error" of={answer}>
      {failed && `${failed} `}
      {text}
    </Notice>
  ) : (
    <Notice tone="good" of={answer}>
      {text}
    </Notice>
  );
}
