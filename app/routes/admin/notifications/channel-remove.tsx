// Deletes a channel: says what is deleted with it, and asks for its name.
import { data, redirect } from "react-router";
import { findChannel, removeChannel } from "#domain/notifications/operator-channels.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ConfirmAct } from "../confirm-act.tsx";
import { readConfirm, refuseDeletion } from "../confirm-refusals.ts";
import type { Route } from "./+types/channel-remove";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const { db, secret } = context.get(appContext);
  const channel = await findChannel(db, secret, params.targetId);
  if (!channel) throw data(null, { status: 404 });
  return { name: channel.name, target_id: channel.target_id };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: readConfirm,
    async act({ given, app, actor }) {
      const outcome = await removeChannel(app.db, actor, asked.params.targetId, given.confirm);
      return outcome.ok ? redirect(here("/admin/notifications/channels?done=removed")) : refuseDeletion(outcome.reason);
    },
    away: () => `${m.failed_notification()} ${m.admin_try_again()}`,
  });
}

export default function ChannelRemove({ loaderData: { name, target_id }, actionData }: Route.ComponentProps) {
  const back = `/admin/notifications/channels/${target_id}`;
  return (
    <>
      <AdminHeading title={m.admin_notify_channel_remove()} up={{ to: back, label: name }} />
      <ConfirmAct
        name={name}
        act={m.admin_notify_channel_remove()}
        back={back}
        answer={actionData}
        failed={m.failed_notification()}
      >
        <p>{m.admin_notify_channel_remove_what()}</p>
      </ConfirmAct>
    </>
  );
}
