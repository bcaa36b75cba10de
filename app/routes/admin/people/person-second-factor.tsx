// Removing the second factor of somebody who lost it: what that means is said first, and the address has to be typed.
import { data, redirect } from "react-router";
import { removeMemberSecondFactor } from "#domain/members/acts.ts";
import { findPerson } from "#domain/members/people.ts";
import { appContext, visitContext } from "#web/context.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { typedText } from "#web/request/typed-before.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ConfirmAct, refuseOnMember } from "../confirm-act.tsx";
import type { Route } from "./+types/person-second-factor";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "members:write");
  requireFreshSession({ context, request });
  const person = await findPerson(context.get(appContext).db, params.userId);
  if (!person) throw data(null, { status: 404 });
  const { user_id, user_nick_name, email } = person;
  const typed = typedText(findTyped({ context, request }), "confirm");
  return { person: { user_id, user_nick_name, email }, typed };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "members:write");
  const { db, siteUrl } = context.get(appContext);
  const typed = String((await readForm(request)).get("confirm") ?? "").slice(0, 300);
  requireFreshSession({ context, request }, { typed: { confirm: typed } });
  const person = await findPerson(db, params.userId);
  if (!person) return refuseOnMember(typed, "gone");
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const outcome = await removeMemberSecondFactor(db, actor, person.user_id, { typedEmail: typed, siteUrl });
  return outcome.ok ? redirect(here(`/admin/people/${person.user_id}`)) : refuseOnMember(typed, outcome.reason);
}

export default function PersonSecondFactor({ loaderData: { person, typed }, actionData }: Route.ComponentProps) {
  const at = `/admin/people/${person.user_id}`;
  return (
    <>
      <AdminHeading title={m.admin_person_factor_remove()} up={{ to: at, words: person.user_nick_name }} />
      <ConfirmAct
        name={person.email}
        act={m.admin_person_factor_remove()}
        back={at}
        answer={actionData}
        failed={m.failed_second_factor()}
        typed={typed}
      >
        <p>{m.admin_person_factor_what({ name: person.user_nick_name })}</p>
        <p>{m.admin_person_factor_sure()}</p>
      </ConfirmAct>
    </>
  );
}
