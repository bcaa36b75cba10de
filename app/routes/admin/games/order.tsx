// Sorts the games on the home page.
import { listGameOrder, orderGames } from "#domain/games/edits.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { SortableList } from "../../../ui/sortable-list/sortable-list.tsx";
import { readOrder } from "../moved-order.ts";
import type { Route } from "./+types/order";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "games:write");
  return { items: await listGameOrder(context.get(appContext).db) };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    read: readOrder,
    async act({ given: ids, app, actor }) {
      if (!ids) return refuse(422, m.admin_order_changed());
      const { ok } = await orderGames(app.db, actor, ids);
      return ok ? done(true) : refuse(409, m.admin_order_changed());
    },
  });
}

export default function GamesOrder({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  return (
    <>
      <AdminHeading
        title={m.admin_games_order()}
        up={{ to: "/admin/games", label: m.admin_games() }}
        note={m.admin_order_note()}
      />
      {actionData?.problem && <p role="alert">{actionData.problem}</p>}
      <SortableList items={loaderData.items} label={m.admin_games_order()} />
    </>
  );
}
