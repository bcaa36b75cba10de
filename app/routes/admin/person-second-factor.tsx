// Removing the second factor of somebody who lost it: what that means is said first, and the address has to be typed.
import { data, redirect, useNavigation } from "react-router";
import { removeMemberSecondFactor } from "#domain/member-acts.ts";
import { findPerson } from "#domain/people.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/read-form.ts";
import { here } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { AdminHeading } from "../../ui/admin-heading/admin-heading.tsx";
import { ConfirmForm } from "../../ui/confirm-form/confirm-form.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import type { Route } from "./+types/person-second-factor";
import { outcomeStatus, outcomeWords } from "./member-outcome-words.ts";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "members:write");
  const person = await findPerson(context.get(appContext).db, params.userId);
  if (!person) throw data(null, { status: 404 });
  const { user_id, user_nick_name, email } = person;
  return { person: { user_id, user_nick_name, email } };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "members:write");
  const { db, siteUrl } = context.get(appContext);
  const typed = String((await readForm(request)).get("confirm") ?? "").slice(0, 300);
  const refuse = (reason: Parameters<typeof outcomeWords>[0]) =>
    data(
      reason === "not_confirmed"
        ? { typed, fault: outcomeWords(reason), problem: null }
        : { typed, fault: undefined, problem: outcomeWords(reason) },
      { status: outcomeStatus(reason) },
    );
  const person = await findPerson(db, params.userId);
  if (!person) return refuse("gone");
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const outcome = await removeMemberSecondFactor(db, actor, person.user_id, { typedEmail: typed, siteUrl });
  return outcome.ok ? redirect(here(`/admin/people/${person.user_id}`)) : refuse(outcome.reason);
}

export default function PersonSecondFactor({ loaderData: { person }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const at = `/admin/people/${person.user_id}`;
  return (
    <>
      <AdminHeading title={m.admin_person_factor_remove()} up={{ to: at, words: person.user_nick_name }} />
      {actionData?.problem && (
        <Notice tone="error" of={actionData}>
          {actionData.problem}
        </Notice>
      )}
      <ConfirmForm
        name={person.email}
        act={m.admin_person_factor_remove()}
        back={at}
        error={actionData?.fault}
        typed={actionData?.typed}
        busy={busy}
      >
        <p>{m.admin_person_factor_what({ name: person.user_nick_name })}</p>
        <p>{m.admin_person_factor_sure()}</p>
      </ConfirmForm>
    </>
  );
}
