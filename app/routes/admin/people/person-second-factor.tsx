// Removes a user's lost second factor: explains the effect, and asks for the address.
import { data, redirect } from "react-router";
import { removeUserSecondFactor } from "#domain/members/acts.ts";
import { findUserDetails } from "#domain/members/user-list.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ConfirmAct } from "../confirm-act.tsx";
import { readConfirm, refuseOnPerson } from "../confirm-refusals.ts";
import type { Route } from "./+types/person-second-factor";

export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "members:write");
  requireFreshSession({ context, url });
  const person = await findUserDetails(context.get(appContext).db, params.userId);
  if (!person) throw data(null, { status: 404 });
  const { user_id, user_nick_name, email } = person;
  const typed = typedText(findTyped({ context, request, url }), "confirm");
  return { person: { user_id, user_nick_name, email }, typed };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("members:write"),
    read: readConfirm,
    async act({ given, app, actor }) {
      requireFreshSession(asked, { typed: given });
      const person = await findUserDetails(app.db, asked.params.userId);
      if (!person) return refuseOnPerson("gone");
      const typed = { typedEmail: given.confirm, siteUrl: app.siteUrl };
      const outcome = await removeUserSecondFactor(app.db, actor, person.user_id, typed);
      return outcome.ok ? redirect(here(`/admin/people/${person.user_id}`)) : refuseOnPerson(outcome.reason);
    },
  });
}

export default function PersonSecondFactor({ loaderData: { person, typed }, actionData }: Route.ComponentProps) {
  const at = `/admin/people/${person.user_id}`;
  return (
    <>
      <AdminHeading title={m.admin_person_factor_remove()} up={{ to: at, label: person.user_nick_name }} />
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
