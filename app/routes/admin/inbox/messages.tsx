// Inbox of the contact form.
import { useSearchParams } from "react-router";
import { CONTACT_SORTS, type ContactRow, INBOX_STATES, type InboxState, listContacts } from "#domain/inbox/inbox.ts";
import { readListQuery } from "#domain/paging.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { FilterTabs } from "../../../ui/tabs/filter-tabs.tsx";
import type { Route } from "./+types/messages";
import css from "./messages.module.css";
import { kindText, leftText, urgencyOf } from "./request-text.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "messages:answer");
  const state = INBOX_STATES.find((known) => known === url.searchParams.get("state")) ?? "open";
  const list = await listContacts(context.get(appContext).db, readListQuery(url, CONTACT_SORTS, "-created_at"), state);
  return { list, state, states: INBOX_STATES };
}

const STATES: Record<InboxState, () => string> = {
  open: m.admin_messages_open,
  unread: m.admin_messages_unread,
  privacy: m.admin_messages_privacy,
  answered: m.admin_messages_answered,
  archived: m.admin_messages_archived,
};

export default function Messages({ loaderData: { list, state, states } }: Route.ComponentProps) {
  const now = useNow();
  const deleted = useSearchParams()[0].get("done") === "deleted";
  const columns: Column<ContactRow>[] = [
    {
      key: "name",
      names: true,
      label: m.admin_messages_from(),
      sortable: true,
      cell: (row) => (
        <span className={css.from} data-unread={row.read ? undefined : ""}>
          <Link
            to={`/admin/messages/${row.contact_id}`}
            className={css.name}
            aria-label={m.admin_messages_read_it({ name: row.name })}
          >
            {row.name}
          </Link>
          {!row.read && <span className={css.new}>{m.admin_messages_new()}</span>}
          <span className={css.email}>{row.email}</span>
        </span>
      ),
    },
    {
      key: "message",
      label: m.admin_messages_text(),
      cell: (row) => (
        <span className={css.text}>
          {row.request && (
            <span className={css.request} data-urgency={urgencyOf(row.request.left)}>
              {kindText(row.request.kind)} · {leftText(row.request.left)}
            </span>
          )}
          {row.message}
        </span>
      ),
    },
    {
      key: "created_at",
      label: m.admin_messages_when(),
      sortable: true,
      cell: (row) => <RelativeTime at={row.created_at} now={now} />,
    },
  ];
  return (
    <>
      <AdminHeading title={m.admin_messages()} />
      {deleted && (
        <Notice tone="good" of={list}>
          {m.admin_message_deleted()}
        </Notice>
      )}
      <FilterTabs
        label={m.admin_messages_states()}
        name="state"
        value={state}
        tabs={states.map((value) => ({ value, label: STATES[value]() }))}
      />
      <DataTable
        caption={STATES[state]()}
        columns={columns}
        rows={list.rows}
        rowKey={(row) => row.contact_id}
        list={list}
        search={m.admin_messages_search()}
        filters={state === "open" ? undefined : <input type="hidden" name="state" value={state} />}
        empty={<p>{state === "open" ? m.admin_messages_empty_open() : m.admin_messages_empty()}</p>}
      />
    </>
  );
}
