// Lists all game servers for admins, hidden ones too.
import { useSearchParams } from "react-router";
import type { GameServerRow } from "#domain/game-servers/fields.ts";
import { GAME_SERVER_SORTS, listGameServers } from "#domain/game-servers/game-servers.ts";
import { listGameOrder } from "#domain/games/edits.ts";
import { readListQuery } from "#domain/paging.ts";
import { may } from "#domain/permissions.ts";
import { SHOWN_STATUSES } from "#shared/statuses.ts";
import { appContext, siteContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { FilterSelect } from "../../../ui/data-table/search-form.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { StatusSign, statusText } from "../../../ui/status-sign/status-sign.tsx";
import { readId } from "../asked-id.ts";
import css from "../games/games.module.css";
import { editColumn } from "../row-acts.tsx";
import type { Route } from "./+types/game-servers";
import { visibilityText } from "./fields.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, url }, "admin:read");
  const { db } = context.get(appContext);
  const gameId = readId(url.searchParams.get("game") ?? undefined);
  const status = SHOWN_STATUSES.find((known) => known === url.searchParams.get("status")) ?? null;
  const siteIntervalS = context.get(siteContext).read().poll_interval_s;
  const [list, games] = await Promise.all([
    listGameServers(db, readListQuery(url, GAME_SERVER_SORTS, "order"), { gameId, status, siteIntervalS }),
    listGameOrder(db),
  ]);
  return { list, games, game: gameId, status, may_edit: may(role, "gameservers:write") };
}

export default function GameServers({ loaderData: { list, games, game, status, may_edit } }: Route.ComponentProps) {
  const done = useSearchParams()[0].get("done") === "deleted";
  const columns: Column<GameServerRow>[] = [
    { key: "server_id", label: m.admin_server_id(), sortable: true, cell: (server) => server.server_id },
    {
      key: "game",
      label: m.admin_server_game(),
      sortable: true,
      cell: (server) => (
        <>
          {server.game_name} <span className={css.id}>({server.game_id})</span>
        </>
      ),
    },
    {
      key: "server_name",
      names: true,
      label: m.admin_server_name(),
      sortable: true,
      cell: (server) => <span className={css.name}>{server.server_name}</span>,
    },
    { key: "status", label: m.admin_server_status(), cell: (server) => <StatusSign status={server.status} size="s" /> },
    {
      key: "user_max",
      label: m.admin_server_max(),
      sortable: true,
      kind: "number",
      cell: (server) => (server.user_max === null ? "–" : formatNumber(server.user_max)),
    },
    {
      key: "visibility",
      label: m.admin_server_visibility(),
      sortable: true,
      cell: (server) => visibilityText(server.visibility),
    },
    {
      key: "server_locations",
      label: m.admin_server_locations(),
      cell: (server) => server.server_locations.join(", ") || "–",
    },
  ];
  if (may_edit) {
    columns.push(
      editColumn((server) => ({ to: `/admin/gameservers/${server.server_id}/edit`, name: server.server_name })),
    );
  }
  const first = game ?? games[0]?.id;
  return (
    <>
      <AdminHeading title={m.admin_gameservers()}>
        {may_edit && (
          <>
            <ButtonLink to="/admin/gameservers/doctor" variant="outlined" size="s">
              {m.admin_doctor()}
            </ButtonLink>
            {first !== undefined && (
              <ButtonLink to={`/admin/gameservers/order/${first}`} variant="outlined" size="s">
                {m.admin_order()}
              </ButtonLink>
            )}
            <ButtonLink to="/admin/gameservers/paste" variant="outlined" size="s">
              {m.admin_paste()}
            </ButtonLink>
            <ButtonLink to="/admin/gameservers/create" size="s">
              {m.admin_create()}
            </ButtonLink>
          </>
        )}
      </AdminHeading>
      {done && (
        <Notice tone="good" of={list}>
          {m.admin_servers_deleted()}
        </Notice>
      )}
      <DataTable
        caption={m.admin_gameservers()}
        columns={columns}
        rows={list.rows}
        rowKey={(server) => server.server_id}
        list={list}
        search={m.admin_servers_search()}
        filterNames={["game", "status"]}
        filters={
          <>
            <FilterSelect
              name="game"
              label={m.admin_server_game()}
              value={game === null ? "" : String(game)}
              all={m.admin_all_games()}
              options={games.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
            <FilterSelect
              name="status"
              label={m.admin_server_status()}
              value={status ?? ""}
              all={m.admin_all_statuses()}
              options={SHOWN_STATUSES.map((value) => ({ value, label: statusText(value) }))}
            />
          </>
        }
        empty={<p>{m.admin_servers_empty()}</p>}
      />
    </>
  );
}
