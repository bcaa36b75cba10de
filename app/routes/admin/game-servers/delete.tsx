// Deletes a game server: names what is deleted with it, and asks for its name.
import { redirect } from "react-router";
import { removeGameServer } from "#domain/game-servers/edits.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { requireId } from "../asked-id.ts";
import { ConfirmAct } from "../confirm-act.tsx";
import { readConfirm, refuseDeletion } from "../confirm-refusals.ts";
import type { Route } from "./+types/delete";
import { headOf, requireGameServer } from "./asked-game-server.ts";
import { GameServerTabs } from "./tabs.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  return { head: headOf(await requireGameServer(context.get(appContext).db, params.serverId)) };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: readConfirm,
    async act({ given, app, actor }) {
      const outcome = await removeGameServer(app.db, actor, requireId(asked.params.serverId), given.confirm);
      return outcome.ok ? redirect(here("/admin/gameservers?done=deleted")) : refuseDeletion(outcome.reason);
    },
  });
}

export default function GameServerDelete({ loaderData: { head }, actionData }: Route.ComponentProps) {
  return (
    <>
      <GameServerTabs server={head} />
      <ConfirmAct
        name={head.name}
        act={m.admin_server_delete()}
        back={`/admin/gameservers/${head.server_id}/edit`}
        answer={actionData}
      >
        <p>{m.admin_server_delete_what({ server: head.name })}</p>
        <p>{m.admin_no_way_back()}</p>
      </ConfirmAct>
    </>
  );
}
