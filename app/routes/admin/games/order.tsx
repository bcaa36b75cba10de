// The order of the games on the home page.
import { data } from "react-router";
import { listGameOrder, orderGames } from "#domain/games/edits.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { SortableList } from "../../../ui/sortable-list/sortable-list.tsx";
import { readOrder } from "../moved-order.ts";
import type { Route } from "./+types/order";

export async function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  return { items: await listGameOrder(context.get(appContext).db) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "games:write");
  const ids = readOrder(await readForm(request));
  if (!ids) return data({ ok: false }, { status: 422 });
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const { ok } = await orderGames(context.get(appContext).db, actor, ids);
  return data({ ok }, { status: ok ? 200 : 409 });
}

export default function GamesOrder({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  return (
    <>
      <AdminHeading
        title={m.admin_games_order()}
        up={{ to: "/admin/games", words: m.admin_games() }}
        note={m.admin_order_note()}
      />
      {actionData?.ok === false && <p role="alert">{m.admin_order_changed()}</p>}
      <SortableList items={loaderData.items} label={m.admin_games_order()} />
    </>
  );
}
