// Revokes an outpost: explains the effect, and asks for its name.
import { data, redirect } from "react-router";
import { findOutpostName, revokeOutpost } from "#domain/outposts/outposts.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { requireId } from "../asked-id.ts";
import { ConfirmAct } from "../confirm-act.tsx";
import { readConfirm, refuseDeletion } from "../confirm-refusals.ts";
import type { Route } from "./+types/revoke";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const name = await findOutpostName(context.get(appContext).db, requireId(params.outpostId));
  if (name === null) throw data(null, { status: 404 });
  return { name };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: readConfirm,
    async act({ given, app, actor }) {
      const outcome = await revokeOutpost(app.db, actor, requireId(asked.params.outpostId), given.confirm);
      return outcome.ok ? redirect(here("/admin/settings/outposts?done=revoked")) : refuseDeletion(outcome.reason);
    },
    away: () => `${m.failed_outpost()} ${m.admin_try_again()}`,
  });
}

export default function Revoke({ loaderData: { name }, actionData }: Route.ComponentProps) {
  return (
    <>
      <AdminHeading
        title={m.admin_outposts_revoke_of({ name })}
        up={{ to: "/admin/settings/outposts", label: m.admin_outposts() }}
      />
      <ConfirmAct
        name={name}
        act={m.admin_outposts_revoke()}
        back="/admin/settings/outposts"
        answer={actionData}
        failed={m.failed_outpost()}
      >
        <p>{m.admin_outposts_revoke_what({ name })}</p>
      </ConfirmAct>
    </>
  );
}
