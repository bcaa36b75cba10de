// One incident: texts, game servers and updates; publish, update and close it.
import { data, useNavigation } from "react-router";
import {
  addIncidentUpdate,
  closeIncident,
  findIncident,
  incidentTextShape,
  incidentUpdateShape,
  publishIncident,
} from "#domain/incidents/incidents.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, type Refusals, refuseFor, textsOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { language, localText } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { KeptText } from "../../../ui/form/kept-text.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { requireId } from "../asked-id.ts";
import { checkFields } from "../field-errors.ts";
import type { Route } from "./+types/incident";
import { IncidentText, IncidentTitle } from "./incident-text-fields.tsx";
import css from "./status.module.css";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const found = await findIncident(context.get(appContext).db, requireId(params.incidentId));
  if (!found) throw data(null, { status: 404 });
  const { incident, servers, updates } = found;
  return {
    title: incident.title,
    opened_at: incident.opened_at.toISOString(),
    published: incident.published_at !== null,
    closed_at: incident.closed_at?.toISOString() ?? null,
    by_outage: incident.by_outage,
    servers: servers.map(({ down_since, back_at, ...server }) => ({
      ...server,
      down_since: down_since?.toISOString() ?? null,
      back_at: back_at?.toISOString() ?? null,
    })),
    updates: updates.map(({ created_at, ...update }) => ({ ...update, at: created_at.toISOString() })),
  };
}

export function action(asked: Route.ActionArgs) {
  const id = requireId(asked.params.incidentId);
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: (form) => textsOf(form, ["title_en", "title_de", "text_en", "text_de"]),
    async act({ given, intent, app, actor }) {
      if (intent === "close") {
        const closed = await closeIncident(app.db, actor, id);
        return closed.ok ? done("closed") : refuseFor(REFUSALS, closed.reason);
      }
      if (intent === "update") {
        const text = checkFields(incidentUpdateShape, given);
        if (!text.ok) return text;
        const added = await addIncidentUpdate(app.db, actor, id, text.data);
        return added.ok ? done("updated") : refuseFor(REFUSALS, added.reason);
      }
      const checked = checkFields(incidentTextShape, given);
      if (!checked.ok) return checked;
      const published = await publishIncident(app.db, actor, id, checked.data);
      return published.ok ? done(published.told) : refuseFor(REFUSALS, published.reason);
    },
    away: () => `${m.failed_incident()} ${m.admin_try_again()}`,
  });
}

const REFUSALS: Refusals<"gone" | "over"> = {
  gone: [410, m.admin_plan_no_subject],
  over: [409, m.admin_incident_over],
};

const DONE = {
  published: m.admin_incident_published,
  published_late: m.admin_incident_published_late,
  saved: m.admin_incident_saved,
  updated: m.admin_incident_updated,
  closed: m.admin_incident_closed,
};

const namesOf = (servers: { server_name: string }[], locale: string): string => {
  const most = 3;
  const names = servers.slice(0, most).map(({ server_name }) => server_name);
  return new Intl.ListFormat(locale).format(servers.length > most ? [...names, `+${servers.length - most}`] : names);
};

export default function Incident({ loaderData: incident, ...props }: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const now = useNow();
  const { title, servers, updates, published, closed_at } = incident;
  const isDraft = !published;
  const of = (intent: string) => (answer?.intent === intent ? answer : undefined);
  const publish = of("publish");
  const update = of("update");
  const typed = update && !update.done ? update : undefined;
  const proposed = {
    title_en: title?.en ?? m.admin_incident_title_is_en({ servers: namesOf(servers, "en") }).slice(0, 80),
    title_de:
      title?.de ?? (title ? "" : m.admin_incident_title_is_de({ servers: namesOf(servers, "de") }).slice(0, 80)),
  };
  return (
    <>
      <AdminHeading
        title={title ? localText(title) : m.admin_incident_draft_of({ servers: namesOf(servers, language()) })}
        up={{ to: "/admin/status", label: m.admin_status() }}
        note={
          <>
            {isDraft
              ? m.admin_incident_draft_note()
              : closed_at
                ? m.admin_incident_state_closed()
                : m.statuspage_open()}
            {" · "}
            <RelativeTime at={incident.opened_at} now={now} />
          </>
        }
      />
      <AnswerNotice answer={answer} done={answer?.done ? DONE[answer.done]() : undefined} />
      {servers.length > 0 && (
        <section className={css.section} aria-labelledby="servers">
          <h2 id="servers">{m.admin_plan_about_servers()}</h2>
          <ul className={css.servers}>
            {servers.map((server) => (
              <li key={server.server_id}>
                <Link to={`/admin/gameservers/${server.server_id}/edit`}>{server.server_name}</Link>{" "}
                <span className={css.quiet}>
                  {server.back_at ? (
                    <>
                      {m.status_online()} <RelativeTime at={server.back_at} now={now} form="lasting" />
                    </>
                  ) : (
                    server.down_since && (
                      <>
                        {m.status_offline()} <RelativeTime at={server.down_since} now={now} form="lasting" />
                      </>
                    )
                  )}
                </span>
              </li>
            ))}
          </ul>
          {incident.by_outage && !closed_at && <p className={css.quiet}>{m.admin_incident_closes_itself()}</p>}
        </section>
      )}
      <Form failed={m.failed_incident()} className={`${css.section} ${css.form}`}>
        <input type="hidden" name="intent" value="publish" />
        <IncidentTitle given={publish?.given ?? proposed} errors={publish?.fieldErrors ?? {}} />
        <div className={css.acts}>
          <Button type="submit" variant={isDraft ? "default" : "tonal"} loading={busy}>
            {isDraft ? m.admin_incident_publish() : m.admin_incident_words()}
          </Button>
        </div>
      </Form>
      <Form
        failed={m.failed_incident()}
        className={`${css.section} ${css.form}`}
        key={typed ? "typed" : `written-${updates.length}`}
      >
        <h2>{m.admin_incident_update()}</h2>
        <input type="hidden" name="intent" value="update" />
        <KeptText of="update" />
        <IncidentText given={typed?.given ?? {}} errors={typed?.fieldErrors ?? {}} />
        <div className={css.acts}>
          <Button type="submit" variant={isDraft || closed_at ? "tonal" : "default"} loading={busy}>
            {m.admin_incident_update()}
          </Button>
        </div>
        {updates.length > 0 && (
          <ol className={css.updates}>
            {updates.map(({ update_id, text, at }) => (
              <li key={update_id}>
                <span className={css.quiet}>
                  <RelativeTime at={at} now={now} />
                </span>
                <p>{localText(text)}</p>
              </li>
            ))}
          </ol>
        )}
      </Form>
      {!closed_at && (
        <Form failed={m.failed_incident()} className={css.end}>
          <input type="hidden" name="intent" value="close" />
          <div>
            <Button type="submit" variant="outlined" loading={busy}>
              {isDraft ? m.admin_incident_discard() : m.admin_incident_close()}
            </Button>
          </div>
        </Form>
      )}
    </>
  );
}
