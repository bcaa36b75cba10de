// Deletes a user's account: names what is deleted with it, and asks for its address.
import { data, redirect } from "react-router";
import { removeUser } from "#domain/members/acts.ts";
import { eraseDueAccounts } from "#domain/members/erasure.ts";
import { countUserData, findUserDetails } from "#domain/members/user-list.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { formatNumber, here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ConfirmAct } from "../confirm-act.tsx";
import { readConfirm, refuseOnPerson } from "../confirm-refusals.ts";
import type { Route } from "./+types/person-delete";

export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "members:write");
  requireFreshSession({ context, url });
  const { db } = context.get(appContext);
  const person = await findUserDetails(db, params.userId);
  if (!person) throw data(null, { status: 404 });
  const { user_id, user_nick_name, email } = person;
  const typed = typedText(findTyped({ context, request, url }), "confirm");
  return { person: { user_id, user_nick_name, email }, hanging: await countUserData(db, person), typed };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("members:write"),
    read: readConfirm,
    async act({ given, app, actor }) {
      requireFreshSession(asked, { typed: given });
      const person = await findUserDetails(app.db, asked.params.userId);
      if (!person) return refuseOnPerson("gone");
      const outcome = await removeUser(app.db, actor, person.user_id, given.confirm);
      if (!outcome.ok) return refuseOnPerson(outcome.reason);
      // Remaining data is erased within the hour.
      await eraseDueAccounts(app, (error) => app.log.error({ err: error }, "an avatar could not be removed")).catch(
        (error) => app.log.warn({ err: error }, "a deleted account is erased later"),
      );
      return redirect(here("/admin/people?done=deleted"));
    },
  });
}

export default function PersonDelete({ loaderData: { person, hanging, typed }, actionData }: Route.ComponentProps) {
  const at = `/admin/people/${person.user_id}`;
  return (
    <>
      <AdminHeading title={m.admin_person_delete()} up={{ to: at, label: person.user_nick_name }} />
      <ConfirmAct name={person.email} act={m.admin_person_delete()} back={at} answer={actionData} typed={typed}>
        <p>{m.admin_person_delete_what({ name: person.user_nick_name })}</p>
        <ul>
          <li>{m.admin_person_delete_devices({ count: formatNumber(hanging.devices) })}</li>
          <li>{m.admin_person_delete_passkeys({ count: formatNumber(hanging.passkeys) })}</li>
          <li>{m.admin_person_delete_messages({ count: formatNumber(hanging.messages) })}</li>
          <li>{m.admin_person_delete_acts({ count: formatNumber(hanging.acts) })}</li>
        </ul>
        <p>{m.admin_person_delete_kept()}</p>
        <p>{m.admin_no_way_back()}</p>
      </ConfirmAct>
    </>
  );
}
