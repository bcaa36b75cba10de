// The admin's list of games.
import { useSearchParams } from "react-router";
import type { GameRow } from "#domain/games/fields.ts";
import { GAME_SORTS, listGames } from "#domain/games/games.ts";
import { readListQuery } from "#domain/paging.ts";
import { may } from "#domain/permissions.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { editColumn } from "../row-acts.tsx";
import type { Route } from "./+types/games";
import css from "./games.module.css";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, url }, "admin:read");
  const list = await listGames(context.get(appContext).db, readListQuery(url, GAME_SORTS, "order"));
  return { list, may_edit: may(role, "games:write") };
}

export default function Games({ loaderData: { list, may_edit } }: Route.ComponentProps) {
  const done = useSearchParams()[0].get("done");
  const columns: Column<GameRow>[] = [
    { key: "game_id", label: m.admin_games_id(), sortable: true, cell: (game) => game.game_id },
    {
      key: "game_name",
      names: true,
      label: m.admin_games_name(),
      sortable: true,
      cell: (game) => (
        <span className={css.name}>
          {game.game_name}
          {!game.published && <span className={css.mark}>{m.admin_games_unpublished()}</span>}
        </span>
      ),
    },
    { key: "game_acronym", label: m.admin_games_acronym(), sortable: true, cell: (game) => game.game_acronym },
    {
      key: "server_count",
      label: m.admin_games_servers(),
      sortable: true,
      kind: "number",
      cell: (game) => <Link to={`/admin/gameservers?game=${game.game_id}`}>{formatNumber(game.server_count)}</Link>,
    },
  ];
  if (may_edit) {
    columns.push(editColumn((game) => ({ to: `/admin/games/${game.game_id}/edit`, name: game.game_name })));
  }
  return (
    <>
      <AdminHeading title={m.admin_games()}>
        {may_edit && (
          <>
            <ButtonLink to="/admin/games/order" variant="outlined" size="s">
              {m.admin_order()}
            </ButtonLink>
            <ButtonLink to="/admin/games/create" size="s">
              {m.admin_create()}
            </ButtonLink>
          </>
        )}
      </AdminHeading>
      {(done === "deleted" || done === "taken") && (
        <Notice tone="good" of={list}>
          {done === "deleted" ? m.admin_games_deleted() : m.admin_games_taken()}
        </Notice>
      )}
      <DataTable
        caption={m.admin_games()}
        columns={columns}
        rows={list.rows}
        rowKey={(game) => game.game_id}
        list={list}
        search={m.admin_games_search()}
        empty={<p>{m.admin_games_empty()}</p>}
      />
    </>
  );
}
