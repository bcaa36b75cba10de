// Deleting a message: what goes is said first, and the sender's name has to be typed.
import { data, redirect } from "react-router";
import { findContact, removeContact } from "#domain/inbox/inbox.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ConfirmAct, refuseDeletion } from "../confirm-act.tsx";
import { readId } from "../games/asked-game.ts";
import type { Route } from "./+types/message-delete";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "messages:remove");
  const id = readId(params.contactId);
  const contact = id === null ? null : await findContact(context.get(appContext).db, id);
  if (!contact) throw data(null, { status: 404 });
  const { contact_id, name, request: asked, answers } = contact;
  return { contact_id, name, waiting: asked !== null && answers.length === 0 };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "messages:remove");
  const typed = String((await readForm(request)).get("confirm") ?? "").slice(0, 200);
  const id = readId(params.contactId);
  if (id === null) throw data(null, { status: 404 });
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const outcome = await removeContact(context.get(appContext).db, actor, id, typed);
  if (outcome.ok) return redirect(here("/admin/messages?done=deleted"));
  return refuseDeletion(typed, outcome.reason);
}

export default function MessageDelete({ loaderData, actionData }: Route.ComponentProps) {
  const { contact_id, name, waiting } = loaderData;
  const at = `/admin/messages/${contact_id}`;
  return (
    <>
      <AdminHeading title={m.admin_message_delete()} up={{ to: at, words: m.admin_message_title({ name }) }} />
      <ConfirmAct name={name} act={m.admin_message_delete()} back={at} answer={actionData}>
        <p>{m.admin_message_delete_what({ name })}</p>
        {waiting && <p>{m.admin_message_delete_request()}</p>}
        <p>{m.admin_no_way_back()}</p>
      </ConfirmAct>
    </>
  );
}
