// Sorts a game's game servers on its page.
import { data } from "react-router";
import { listGameServerOrder, orderGameServers } from "#domain/game-servers/edits.ts";
import { listGameOrder } from "#domain/games/edits.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { SortableList } from "../../../ui/sortable-list/sortable-list.tsx";
import { NavTabs } from "../../../ui/tabs/nav-tabs.tsx";
import { readId, requireId } from "../asked-id.ts";
import { readOrder } from "../moved-order.ts";
import type { Route } from "./+types/order";

/** Longest list that can be sorted by hand. */
const MOST = 500;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const { db } = context.get(appContext);
  const games = await listGameOrder(db);
  const game = games.find(({ id }) => id === readId(params.gameId));
  if (!game) throw data(null, { status: 404 });
  const items = await listGameServerOrder(db, game.id);
  return { game, games, items: items.slice(0, MOST), too_many: items.length > MOST };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: readOrder,
    async act({ given: ids, app, actor }) {
      if (!ids) return refuse(422, m.admin_order_changed());
      const { ok } = await orderGameServers(app.db, actor, requireId(asked.params.gameId), ids);
      return ok ? done(true) : refuse(409, m.admin_order_changed());
    },
  });
}

export default function GameServersOrder({
  loaderData: { game, games, items, too_many },
  ...props
}: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  return (
    <>
      <AdminHeading
        title={m.admin_servers_order()}
        up={{ to: "/admin/gameservers", label: m.admin_gameservers() }}
        note={m.admin_order_note()}
      />
      <NavTabs
        label={m.admin_games()}
        tabs={games.map(({ id, name }) => ({ to: `/admin/gameservers/order/${id}`, label: name }))}
      />
      {actionData?.problem && <p role="alert">{actionData.problem}</p>}
      {items.length === 0 || too_many ? (
        <p>{too_many ? m.admin_order_too_many() : m.no_server_available()}</p>
      ) : (
        <SortableList key={game.id} items={items} label={m.admin_servers_order()} />
      )}
    </>
  );
}
