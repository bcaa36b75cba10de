// Deletes a message: says what is deleted, and asks for the sender's name.
import { data, redirect } from "react-router";
import { findContact, removeContact } from "#domain/inbox/inbox.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { requireId } from "../asked-id.ts";
import { ConfirmAct } from "../confirm-act.tsx";
import { readConfirm, refuseDeletion } from "../confirm-refusals.ts";
import type { Route } from "./+types/message-delete";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "messages:remove");
  const contact = await findContact(context.get(appContext).db, requireId(params.contactId));
  if (!contact) throw data(null, { status: 404 });
  const { contact_id, name, request: asked, answers } = contact;
  return { contact_id, name, waiting: asked !== null && answers.length === 0 };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("messages:remove"),
    read: readConfirm,
    async act({ given, app, actor }) {
      const outcome = await removeContact(app.db, actor, requireId(asked.params.contactId), given.confirm);
      return outcome.ok ? redirect(here("/admin/messages?done=deleted")) : refuseDeletion(outcome.reason);
    },
  });
}

export default function MessageDelete({ loaderData, actionData }: Route.ComponentProps) {
  const { contact_id, name, waiting } = loaderData;
  const at = `/admin/messages/${contact_id}`;
  return (
    <>
      <AdminHeading title={m.admin_message_delete()} up={{ to: at, label: m.admin_message_title({ name }) }} />
      <ConfirmAct name={name} act={m.admin_message_delete()} back={at} answer={actionData}>
        <p>{m.admin_message_delete_what({ name })}</p>
        {waiting && <p>{m.admin_message_delete_request()}</p>}
        <p>{m.admin_no_way_back()}</p>
      </ConfirmAct>
    </>
  );
}
