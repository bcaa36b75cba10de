// An act on a person that its admin confirms by typing the person's address: the form, and how a refusal goes back to it.
import type { ReactNode } from "react";
import { data, useNavigation } from "react-router";
import { AdminHeading } from "../../ui/admin-heading/admin-heading.tsx";
import { ConfirmForm } from "../../ui/confirm-form/confirm-form.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { outcomeStatus, outcomeWords } from "./member-outcome-words.ts";

/** What was typed, beside it what is wrong with it, or above the form why else the act was refused. */
type Refused = { typed: string; fault: string | undefined; problem: string | null };

export function refuseOnPerson(typed: string, reason: Parameters<typeof outcomeWords>[0]) {
  const words = outcomeWords(reason);
  const refused: Refused =
    reason === "not_confirmed" ? { typed, fault: words, problem: null } : { typed, fault: undefined, problem: words };
  return data(refused, { status: outcomeStatus(reason) });
}

type Props = {
  person: { user_id: string; user_nick_name: string; email: string };
  /** The act, as the page's title and on its button. */
  act: string;
  refused: Refused | undefined;
  /** What the act means. */
  children: ReactNode;
};

export function ConfirmOnPerson({ person, act, refused, children }: Props) {
  const busy = useNavigation().state === "submitting";
  const at = `/admin/people/${person.user_id}`;
  return (
    <>
      <AdminHeading title={act} up={{ to: at, words: person.user_nick_name }} />
      {refused?.problem && (
        <Notice tone="error" of={refused}>
          {refused.problem}
        </Notice>
      )}
      <ConfirmForm name={person.email} act={act} back={at} error={refused?.fault} typed={refused?.typed} busy={busy}>
        {children}
      </ConfirmForm>
    </>
  );
}
