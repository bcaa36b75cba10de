// What became of a form, at its head: why nothing was done, or that it was. Nothing where its fields or a conflict say it.
import type { FormAnswer } from "#shared/form-answer.ts";
import { Notice } from "./notice.tsx";

type Props = {
  answer: FormAnswer | null | undefined;
  /** What could not be done, said before each reason. */
  failed?: string;
  /** What is said when it was done. */
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
