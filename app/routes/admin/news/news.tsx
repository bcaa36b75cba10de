// The admin's list of news.
import { useSearchParams } from "react-router";
import { listNews, NEWS_SORTS, type NewsListRow, type NewsState } from "#domain/news/admin-list.ts";
import { readListQuery } from "#domain/paging.ts";
import { may } from "#domain/permissions.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { editColumn } from "../row-acts.tsx";
import type { Route } from "./+types/news";

const STATES: Record<NewsState, () => string> = {
  draft: m.admin_news_state_draft,
  later: m.admin_news_state_later,
  shown: m.admin_news_state_shown,
  over: m.admin_news_state_over,
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, url }, "admin:read");
  const list = await listNews(context.get(appContext).db, readListQuery(url, NEWS_SORTS, "order"));
  return { list, may_edit: may(role, "news:write") };
}

export default function AdminNews({ loaderData: { list, may_edit } }: Route.ComponentProps) {
  const deleted = useSearchParams()[0].get("done") === "deleted";
  const now = useNow();
  const columns: Column<NewsListRow>[] = [
    {
      key: "title",
      names: true,
      label: m.admin_news_title(),
      sortable: true,
      cell: ({ title, slug, state }) =>
        state === "shown" || state === "over" ? <Link to={`/news/${slug}`}>{title}</Link> : title,
    },
    {
      key: "state",
      label: m.admin_news_state(),
      cell: ({ state, pinned }) => (pinned ? `${STATES[state]()} · ${m.news_pinned()}` : STATES[state]()),
    },
    {
      key: "starts_at",
      label: m.admin_news_starts(),
      sortable: true,
      cell: ({ starts_at }) => (starts_at === null ? "–" : <RelativeTime at={starts_at} now={now} />),
    },
  ];
  if (may_edit) columns.push(editColumn(({ news_id, title }) => ({ to: `/admin/news/${news_id}/edit`, name: title })));
  return (
    <>
      <AdminHeading title={m.admin_news()}>
        {may_edit && (
          <ButtonLink to="/admin/news/create" size="s">
            {m.admin_news_create()}
          </ButtonLink>
        )}
      </AdminHeading>
      {deleted && (
        <Notice tone="good" of={list}>
          {m.admin_news_deleted()}
        </Notice>
      )}
      <DataTable
        caption={m.admin_news()}
        columns={columns}
        rows={list.rows}
        rowKey={({ news_id }) => news_id}
        list={list}
        search={m.admin_news_search()}
        empty={<p>{m.admin_news_empty()}</p>}
      />
    </>
  );
}
