// Deleting a game server: what goes with it is said first, and its name has to be typed.
import { data, redirect } from "react-router";
import { removeGameServer } from "#domain/game-servers/edits.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { ConfirmAct, refuseDeletion } from "../confirm-act.tsx";
import { readId } from "../games/asked-game.ts";
import type { Route } from "./+types/delete";
import { headOf, requireGameServer } from "./asked-game-server.ts";
import { GameServerTabs } from "./tabs.tsx";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "gameservers:write");
  return { head: headOf(await requireGameServer(context.get(appContext).db, params.serverId)) };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "gameservers:write");
  const typed = String((await readForm(request)).get("confirm") ?? "").slice(0, 200);
  const serverId = readId(params.serverId);
  if (serverId === null) throw data(null, { status: 404 });
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const outcome = await removeGameServer(context.get(appContext).db, actor, serverId, typed);
  if (outcome.ok) return redirect(here("/admin/gameservers?done=deleted"));
  return refuseDeletion(typed, outcome.reason);
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
