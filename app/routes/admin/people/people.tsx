// Lists users: search by name and address, filter by role.
import { useSearchParams } from "react-router";
import { listUsers, USER_FILTERS, USER_SORTS, type UserRow } from "#domain/members/user-list.ts";
import { readListQuery } from "#domain/paging.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { roleText } from "../../../role-label.ts";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { FilterSelect } from "../../../ui/data-table/search-form.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import type { Route } from "./+types/people";
import css from "./people.module.css";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "members:write");
  const filter = USER_FILTERS.find((known) => known === url.searchParams.get("role")) ?? null;
  const list = await listUsers(context.get(appContext).db, readListQuery(url, USER_SORTS, "-created_at"), filter);
  return { list, filter, filters: USER_FILTERS };
}

export default function People({ loaderData: { list, filter, filters } }: Route.ComponentProps) {
  const now = useNow();
  const deleted = useSearchParams()[0].get("done") === "deleted";
  const columns: Column<UserRow>[] = [
    {
      key: "user_nick_name",
      names: true,
      label: m.admin_people_name(),
      sortable: true,
      cell: (person) => (
        <span className={css.name}>
          {person.user_nick_name}
          {person.banned && <span className={css.bad}>{m.admin_people_banned()}</span>}
          {person.deactivated && <span className={css.mark}>{m.admin_people_leaving()}</span>}
        </span>
      ),
    },
    {
      key: "email",
      label: m.admin_people_email(),
      sortable: true,
      cell: (person) => (
        <span className={css.email}>
          {person.email}
          {!person.email_verified && <span className={css.mark}>{m.admin_people_unverified()}</span>}
        </span>
      ),
    },
    { key: "role", label: m.admin_people_role(), kind: "word", cell: (person) => roleText(person.role) },
    {
      key: "created_at",
      label: m.admin_people_joined(),
      sortable: true,
      cell: (person) => <RelativeTime at={person.created_at} now={now} />,
    },
    {
      key: "open",
      label: m.admin_people_open(),
      kind: "action",
      cell: (person) => (
        <ButtonLink
          to={`/admin/people/${person.user_id}`}
          variant="tonal"
          size="s"
          aria-label={m.admin_people_open_of({ name: person.user_nick_name })}
        >
          {m.admin_people_open()}
        </ButtonLink>
      ),
    },
  ];
  return (
    <>
      <AdminHeading title={m.admin_people()}>
        <ButtonLink to="/admin/people/blocked" variant="outlined" size="s">
          {m.admin_people_blocks()}
        </ButtonLink>
      </AdminHeading>
      {deleted && (
        <Notice tone="good" of={list}>
          {m.admin_person_deleted()}
        </Notice>
      )}
      <DataTable
        caption={m.admin_people()}
        columns={columns}
        rows={list.rows}
        rowKey={(person) => person.user_id}
        list={list}
        search={m.admin_people_search()}
        filters={
          <FilterSelect
            name="role"
            label={m.admin_people_filter()}
            value={filter ?? ""}
            all={m.admin_people_all()}
            options={filters.map((value) => ({
              value,
              label: value === "banned" ? m.admin_people_banned() : roleText(value),
            }))}
          />
        }
        filterNames={["role"]}
        empty={<p>{m.admin_people_empty()}</p>}
      />
    </>
  );
}
