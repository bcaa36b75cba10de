// Status admin: plans with their next times, and incidents, drafts first.

import { useSearchParams } from "react-router";
import { listIncidents } from "#domain/incidents/incidents.ts";
import { nextOccurrences } from "#domain/plans/occurrences.ts";
import { listPlans } from "#domain/plans/plans.ts";
import { spanText } from "#shared/text/date-text.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { language, localText } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { planKindText } from "../../../ui/countdown/countdown.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useReaderZone } from "../../../ui/reader-zone.ts";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import type { Route } from "./+types/status";
import css from "./status.module.css";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const { db } = context.get(appContext);
  const [plans, incidents] = await Promise.all([listPlans(db), listIncidents(db)]);
  const now = Date.now();
  return {
    plans: plans.map(({ plan, server_name, game_name }) => ({
      plan_id: plan.plan_id,
      kind: plan.kind,
      title: plan.title,
      about: server_name ?? game_name,
      repeats: plan.repeats,
      next: plan.ended_at ? null : (nextOccurrences(plan, now, 1)[0] ?? null),
    })),
    incidents: incidents.map(({ opened_at, published_at, closed_at, ...incident }) => ({
      ...incident,
      opened_at: opened_at.toISOString(),
      published: published_at !== null,
      closed: closed_at !== null,
    })),
  };
}

type Loaded = Route.ComponentProps["loaderData"];
type Plan = Loaded["plans"][number];
type Incident = Loaded["incidents"][number];

const REPEATS = { none: m.plan_repeats_none, daily: m.plan_repeats_daily, weekly: m.plan_repeats_weekly };
const DONE: Record<string, () => string> = {
  plan: m.admin_plan_saved,
  ended: m.admin_plan_ended,
  incident: m.admin_incident_published,
};

const planName = ({ kind, title, about }: Plan): string =>
  `${title ? localText(title) : planKindText(kind)}: ${about ?? m.plan_of_site()}`;

const incidentName = ({ title, servers }: Incident): string =>
  title ? localText(title) : m.admin_incident_draft_of({ servers: listText(servers) });

const listText = (names: string[]): string => new Intl.ListFormat(language(), { type: "conjunction" }).format(names);

function incidentState({ published, closed }: Incident): string {
  if (!published) return closed ? m.admin_incident_state_away() : m.admin_incident_state_draft();
  return closed ? m.admin_incident_state_closed() : m.admin_incident_state_open();
}

export default function Status({ loaderData: { plans, incidents } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const said = DONE[search.get("done") ?? ""];
  const { timeZone } = useReaderZone();
  const now = useNow();
  const planColumns: Column<Plan>[] = [
    {
      key: "name",
      names: true,
      label: m.admin_plan(),
      cell: (plan) => <Link to={`/admin/status/plans/${plan.plan_id}`}>{planName(plan)}</Link>,
    },
    {
      key: "next",
      label: m.admin_plan_next(),
      cell: ({ next }) =>
        next
          ? spanText(next.starts, next.ends, language(), timeZone, true) + (timeZone === "UTC" ? " UTC" : "")
          : m.admin_plan_state_ended(),
    },
    { key: "repeats", label: m.admin_plan_repeats(), cell: ({ repeats }) => REPEATS[repeats]() },
  ];
  const incidentColumns: Column<Incident>[] = [
    {
      key: "name",
      names: true,
      label: m.admin_incident(),
      cell: (incident) => <Link to={`/admin/status/incidents/${incident.incident_id}`}>{incidentName(incident)}</Link>,
    },
    { key: "state", label: m.admin_incident_state(), cell: incidentState },
    {
      key: "began",
      label: m.admin_incident_began(),
      cell: ({ opened_at }) => <RelativeTime at={opened_at} now={now} />,
    },
  ];
  return (
    <>
      <AdminHeading title={m.admin_status()} note={m.admin_status_note()}>
        <ButtonLink to="/status" variant="outlined">
          {m.admin_see_page()}
        </ButtonLink>
      </AdminHeading>
      {said && (
        <Notice tone="good" of={search.toString()}>
          {said()}
        </Notice>
      )}
      <section className={css.section}>
        <div className={css.head}>
          <h2>{m.admin_plans()}</h2>
          <ButtonLink to="/admin/status/plans/create">{m.admin_plan_add()}</ButtonLink>
        </div>
        <DataTable
          caption={m.admin_plans()}
          columns={planColumns}
          rows={plans}
          rowKey={({ plan_id }) => plan_id}
          empty={<p>{m.admin_plans_empty()}</p>}
        />
      </section>
      <section className={css.section}>
        <div className={css.head}>
          <h2>{m.admin_incidents()}</h2>
          <ButtonLink to="/admin/status/incidents/create" variant="tonal">
            {m.admin_incident_add()}
          </ButtonLink>
        </div>
        <p className={css.note}>{m.admin_incidents_note()}</p>
        <DataTable
          caption={m.admin_incidents()}
          columns={incidentColumns}
          rows={incidents}
          rowKey={({ incident_id }) => incident_id}
          empty={<p>{m.admin_incidents_empty()}</p>}
        />
      </section>
    </>
  );
}
