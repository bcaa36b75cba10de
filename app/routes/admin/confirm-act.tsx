// An act that is confirmed by typing a name or an address: its form, and how a refusal goes back to it.
import type { ReactNode } from "react";
import { data, useNavigation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { ConfirmForm } from "../../ui/confirm-form/confirm-form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { Notice } from "../../ui/notice/notice.tsx";
import { outcomeStatus, outcomeWords } from "./people/member-outcome-words.ts";

/** What was typed, beside it what is wrong with it, or above the form why else the act was refused. */
type Refused = { typed: string; fault: string | undefined; problem: string | null };

function refuse(typed: string, atField: boolean, words: string, status: number) {
  const refused: Refused = atField
    ? { typed, fault: words, problem: null }
    : { typed, fault: undefined, problem: words };
  return data(refused, { status });
}

/** A thing was not deleted: it is gone already, or what was typed is not its name. */
export const refuseDeletion = (typed: string, reason: "gone" | "not_confirmed") =>
  reason === "gone"
    ? refuse(typed, false, m.admin_already_deleted(), 410)
    : refuse(typed, true, m.admin_confirm_wrong(), 422);

/** Nothing was done to a member. */
export const refuseOnMember = (typed: string, reason: Parameters<typeof outcomeWords>[0]) =>
  refuse(typed, reason === "not_confirmed", outcomeWords(reason), outcomeStatus(reason));

type Props = {
  /** What has to be typed, as it stands. */
  name: string;
  /** The words on the button. */
  act: string;
  /** Where "Cancel" leads. */
  back: string;
  answer: Refused | undefined;
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
      {refused?.problem && (
        <Notice tone="error" of={refused}>
          {refused.problem}
        </Notice>
      )}
      <ConfirmForm
        name={name}
        act={act}
        back={back}
        error={refused?.fault}
        typed={refused?.typed ?? typed}
        busy={busy}
        failed={failed}
      >
        {children}
      </ConfirmForm>
    </>
  );
}
