// The order of a game's game servers on its page.
import { data } from "react-router";
import { listGameServerOrder, orderGameServers } from "#domain/game-servers/edits.ts";
import { listGameOrder } from "#domain/games/edits.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { SortableList } from "../../../ui/sortable-list/sortable-list.tsx";
import { NavTabs } from "../../../ui/tabs/nav-tabs.tsx";
import { readId } from "../games/asked-game.ts";
import { readOrder } from "../moved-order.ts";
import type { Route } from "./+types/order";

/** More are not put in order by hand. */
const MOST = 500;

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "gameservers:write");
  const { db } = context.get(appContext);
  const games = await listGameOrder(db);
  const game = games.find(({ id }) => id === readId(params.gameId));
  if (!game) throw data(null, { status: 404 });
  const items = await listGameServerOrder(db, game.id);
  return { game, games, items: items.slice(0, MOST), too_many: items.length > MOST };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "gameservers:write");
  const gameId = readId(params.gameId);
  if (gameId === null) throw data(null, { status: 404 });
  const ids = readOrder(await readForm(request));
  if (!ids) return data({ ok: false }, { status: 422 });
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const { ok } = await orderGameServers(context.get(appContext).db, actor, gameId, ids);
  return data({ ok }, { status: ok ? 200 : 409 });
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
        up={{ to: "/admin/gameservers", words: m.admin_gameservers() }}
        note={m.admin_order_note()}
      />
      <NavTabs
        label={m.admin_games()}
        tabs={games.map(({ id, name }) => ({ to: `/admin/gameservers/order/${id}`, words: name }))}
      />
      {actionData?.ok === false && <p role="alert">{m.admin_order_changed()}</p>}
      {items.length === 0 || too_many ? (
        <p>{too_many ? m.admin_order_too_many() : m.no_server_available()}</p>
      ) : (
        <SortableList key={game.id} items={items} label={m.admin_servers_order()} />
      )}
    </>
  );
}
