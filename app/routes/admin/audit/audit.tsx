// Audit log: who changed what, from where, before and after.

import { readListQuery } from "#domain/paging.ts";
import { AUDIT_WHATS } from "#domain/site/audit.ts";
import { AUDIT_SORTS, type AuditRow, listAuditEvents, readAuditFilter } from "#domain/site/audit-log.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonAnchor } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { FilterSelect } from "../../../ui/data-table/search-form.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import type { Route } from "./+types/audit";
import css from "./audit.module.css";
import { whatText } from "./audit-text.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "audit:read");
  const filter = readAuditFilter(url);
  const list = await listAuditEvents(
    context.get(appContext).db,
    readListQuery(url, AUDIT_SORTS, "-happened_at"),
    filter,
  );
  const wanted = new URLSearchParams({ q: list.q, what: filter.what ?? "", who: filter.who });
  return { list, filter, kinds: AUDIT_WHATS, csv: `/admin/audit.csv?${wanted}` };
}

export default function Audit({ loaderData: { list, filter, kinds, csv } }: Route.ComponentProps) {
  const now = useNow();
  const columns: Column<AuditRow>[] = [
    {
      key: "happened_at",
      label: m.admin_audit_when(),
      sortable: true,
      cell: (row) => (
        <span className={css.when}>
          <RelativeTime at={row.happened_at} now={now} />
        </span>
      ),
    },
    { key: "what", names: true, label: m.admin_audit_kind(), cell: (row) => whatText(row.what) },
    { key: "who", label: m.admin_audit_who(), cell: (row) => <Who actor={row.actor} /> },
    { key: "subject", label: m.admin_audit_subject(), cell: (row) => <Subject subject={row.subject} /> },
    {
      key: "from",
      label: m.admin_audit_from(),
      cell: (row) => <span title={row.user_agent ?? ""}>{row.ip ?? "–"}</span>,
    },
    { key: "details", label: m.admin_audit_details(), cell: (row) => <Details details={row.details} /> },
  ];
  return (
    <>
      <AdminHeading title={m.admin_audit()} note={m.admin_audit_note()}>
        <ButtonAnchor href={here(csv)} variant="outlined" size="s">
          {m.admin_audit_csv()}
        </ButtonAnchor>
      </AdminHeading>
      <DataTable
        caption={m.admin_audit()}
        columns={columns}
        rows={list.rows}
        rowKey={(row) => row.event_id}
        list={list}
        search={m.admin_audit_search()}
        filters={
          <>
            <FilterSelect
              name="what"
              label={m.admin_audit_kind()}
              value={filter.what ?? ""}
              all={m.admin_audit_all_kinds()}
              options={kinds.map((value) => ({ value, label: whatText(value) }))}
            />
            <input
              type="search"
              name="who"
              aria-label={m.admin_audit_person()}
              placeholder={m.admin_audit_person()}
              className={css.who}
              defaultValue={filter.who}
              maxLength={100}
            />
          </>
        }
        filterNames={["what", "who"]}
        empty={<p>{m.admin_audit_empty()}</p>}
      />
    </>
  );
}

function Who({ actor }: { actor: AuditRow["actor"] }) {
  if (!actor) return <span className={css.quiet}>{m.admin_audit_nobody()}</span>;
  if (actor.name === null) return <span className={css.quiet}>{m.admin_audit_gone()}</span>;
  return <Link to={`/admin/people/${actor.user_id}`}>{actor.name}</Link>;
}

/** Pages of audited things, where there are any. */
const PAGES: Record<string, (id: string) => string> = {
  user: (id) => `/admin/people/${id}`,
  game: (id) => `/admin/games/${id}/edit`,
  gameserver: (id) => `/admin/gameservers/${id}/edit`,
  contact: (id) => `/admin/messages/${id}`,
};

function Subject({ subject }: { subject: AuditRow["subject"] }) {
  if (!subject) return "–";
  const label = subject.name ?? (subject.id ? `${subject.type} ${subject.id.slice(0, 43)}` : subject.type);
  const page = subject.type === "user" && subject.name === null ? undefined : PAGES[subject.type];
  return <span className={css.subject}>{page ? <Link to={page(subject.id)}>{label}</Link> : label}</span>;
}

function Details({ details }: { details: AuditRow["details"] }) {
  if (!details) return "–";
  const { before = {}, after = {}, ...facts } = details;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <dl className={css.details}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{asText(value)}</dd>
        </div>
      ))}
      {names.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {name in before && (
              <del>
                <span className="visually-hidden">{m.admin_audit_before()}: </span>
                {asText(before[name])}
              </del>
            )}{" "}
            {name in after && (
              <ins>
                <span className="visually-hidden">{m.admin_audit_after()}: </span>
                {asText(after[name])}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function asText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text || "–";
}
