// Shows what needs an admin's attention: game servers in trouble, waiting people, and the site's health. The public figures are
// live; the rest is reloaded every fifteen seconds while the page is visible.
import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { may } from "#domain/permissions.ts";
import { backupTrouble, readBackupState } from "#domain/site/backups.ts";
import {
  countFailedMails,
  countUsers,
  countWaitingMessages,
  hasGameServers,
  listTroubledServers,
  readCollectorHealth,
  readRoom,
} from "#domain/site/health.ts";
import { listLastRuns } from "#domain/site/jobs.ts";
import { JOB_NAMES } from "#jobs/schedule.ts";
import { appContext, siteContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import type { CannotWrite } from "#web/health.ts";
import { formatNumber } from "../../language.ts";
import { livePage } from "../../live/live-page.ts";
import { useNow, useTotals } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { AdminHeading } from "../../ui/admin-heading/admin-heading.tsx";
import { Fact, FactList, Tile, Tiles } from "../../ui/admin-tiles/admin-tiles.tsx";
import { outcomeText } from "../../ui/doctor-result/result-text.ts";
import { Link } from "../../ui/link/link.tsx";
import { RelativeTime } from "../../ui/relative-time/relative-time.tsx";
import { StatusSign } from "../../ui/status-sign/status-sign.tsx";
import type { Route } from "./+types/dashboard";
import { backupRemedy } from "./backup-remedy.ts";
import css from "./dashboard.module.css";
import { formatBytes } from "./format-bytes.ts";
import { Jobs } from "./jobs.tsx";
import { SetupChecklist } from "./setup/checklist.tsx";
import { findChecklist } from "./setup/setup-actions.ts";

const REFRESH_MS = 15_000;
const LOW_DISK = 0.1;
/** With less free space Postgres is about to stop. */
const FULL_DISK = 1e9;
const CERTIFICATE_DAYS = 14;
const OLD_BACKUP_S = 7 * 86_400;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, url }, "admin:read");
  const app = context.get(appContext);
  const { db, dataDir, canWrite, certificate } = app;
  const site = context.get(siteContext).read();
  const { poll_interval_s } = site;
  const [servers, unfinished, any_server, messages, mails, collector, room, members, backup, lastRuns, cannot_write] =
    await Promise.all([
      listTroubledServers(db, poll_interval_s, "trouble"),
      listTroubledServers(db, poll_interval_s, "unfinished"),
      hasGameServers(db),
      countWaitingMessages(db),
      countFailedMails(db),
      readCollectorHealth(db),
      readRoom(db, dataDir),
      countUsers(db),
      readBackupState(db),
      listLastRuns(db),
      canWrite(),
    ]);
  return {
    live: livePage(site, { site: true }),
    servers,
    unfinished,
    any_server,
    messages,
    mails,
    collector,
    held_back: site.delayed_since !== null,
    room,
    members,
    backup: { ...backup, trouble: backup.error && backupTrouble(backup.error), planned: app.outside.backups !== null },
    jobs: JOB_NAMES.map((name) => ({ name, last: lastRuns.get(name) ?? null })),
    cannot_write,
    certificate_days: certificate(),
    setup: may(role, "settings:write") ? await findChecklist(app) : null,
    may_edit: may(role, "settings:write"),
  };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  useRefresh();
  const { servers, unfinished, any_server, messages, mails, members, setup, may_edit } = loaderData;
  return (
    <>
      <AdminHeading title={m.admin_dashboard()} />
      {setup?.live === false && <SetupChecklist setup={setup} />}
      <Tiles>
        <LiveTiles />
        <Tile
          label={m.admin_dash_unread()}
          figure={formatNumber(messages.unread)}
          act={messages.unread > 0}
          to="/admin/messages?state=unread"
        />
        <Tile
          label={m.admin_dash_requests()}
          figure={formatNumber(messages.requests)}
          act={messages.least_days_left !== null && messages.least_days_left <= 7}
          note={requestsNote(messages.least_days_left)}
          to="/admin/messages?state=privacy"
        />
        <Tile
          label={m.admin_dash_mails()}
          figure={formatNumber(mails.given_up)}
          act={mails.given_up > 0}
          note={
            mails.last_error ??
            (mails.retrying > 0
              ? m.admin_dash_mails_retrying({ count: formatNumber(mails.retrying) })
              : m.admin_dash_mails_none())
          }
        />
        <Tile
          label={m.admin_dash_new_members()}
          figure={formatNumber(members.this_week)}
          note={m.admin_dash_members_total({ count: formatNumber(members.total) })}
          to={may_edit ? "/admin/people" : undefined}
        />
      </Tiles>
      <div className={css.halves}>
        <div className={css.side}>
          <section className={css.part}>
            <h2>{m.admin_dash_servers()}</h2>
            {servers.total > 0 ? (
              <ServerList {...servers} mayEdit={may_edit} />
            ) : any_server ? (
              <p className={css.quiet}>{m.admin_dash_servers_fine()}</p>
            ) : (
              <p className={css.quiet}>
                {m.admin_dash_servers_none()}{" "}
                {may_edit && <Link to="/admin/gameservers/create">{m.admin_dash_servers_add()}</Link>}
              </p>
            )}
          </section>
          {unfinished.total > 0 && (
            <section className={css.part}>
              <h2>{m.admin_dash_unfinished()}</h2>
              <ServerList {...unfinished} mayEdit={may_edit} />
            </section>
          )}
        </div>
        <div className={css.side}>
          <Health {...loaderData} />
          <Backup backup={loaderData.backup} />
          {setup?.live && <SetupChecklist setup={setup} />}
        </div>
      </div>
      <Jobs jobs={loaderData.jobs} />
    </>
  );
}

function requestsNote(left: number | null): string {
  if (left === null) return m.admin_dash_requests_none();
  return left > 0 ? m.admin_dash_requests_left({ count: left }) : m.admin_dash_requests_over();
}

function LiveTiles() {
  const { players_online, players_known, servers_online, servers_total } = useTotals();
  return (
    <>
      <Tile label={m.admin_dash_players()} figure={players_known ? formatNumber(players_online) : "–"} />
      <Tile
        label={m.admin_dash_online()}
        figure={m.servers_of({ online: formatNumber(servers_online), total: formatNumber(servers_total) })}
      />
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function ServerList({ rows, total, mayEdit }: Data["servers"] & { mayEdit: boolean }) {
  const now = useNow();
  return (
    <>
      <ul className={css.servers}>
        {rows.map((server) => (
          <li key={server.server_id}>
            <span className={css.name}>
              {mayEdit ? (
                <Link to={`/admin/gameservers/${server.server_id}/edit`}>{server.server_name}</Link>
              ) : (
                server.server_name
              )}
              <span className={css.quiet}>
                {server.game_name}
                {server.hidden && ` · ${m.admin_dash_hidden()}`}
              </span>
            </span>
            <StatusSign status={server.status} size="s" />
            <span className={css.why}>
              {failureText(server.failure)} · <RelativeTime at={server.since} now={now} form="lasting" />
            </span>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <p className={css.quiet}>{m.admin_dash_servers_more({ count: formatNumber(total - rows.length) })}</p>
      )}
    </>
  );
}

function failureText(failure: string | null): string {
  if (failure === null) return m.admin_dash_never();
  return failure === "stale" ? m.admin_dash_stale() : outcomeText(failure);
}

const CANNOT_WRITE: Record<CannotWrite, () => string> = {
  standby: m.admin_dash_write_standby,
  read_only: m.admin_dash_write_read_only,
  disk_full: m.admin_dash_write_disk_full,
  no_answer: m.admin_dash_write_no_answer,
};

function Health(props: Pick<Data, "collector" | "held_back" | "room" | "cannot_write" | "certificate_days">) {
  const { collector, held_back, room, cannot_write, certificate_days: days } = props;
  const now = useNow();
  const { disk_free_bytes: free, disk_bytes: disk } = room;
  return (
    <section className={css.part}>
      <h2>{m.admin_dash_health()}</h2>
      {cannot_write !== null && <p className={css.bad}>{CANNOT_WRITE[cannot_write]()}</p>}
      {days !== null && days < CERTIFICATE_DAYS && (
        <p className={css.bad}>
          {days < 0 ? m.admin_dash_certificate_over() : m.admin_dash_certificate({ count: days })}
        </p>
      )}
      {collector.collectors === 0 && <p className={css.bad}>{m.admin_dash_collector_none()}</p>}
      {held_back && <p className={css.bad}>{m.admin_dash_delayed()}</p>}
      <FactList>
        <Fact label={m.admin_dash_last_tick()}>
          {collector.last_tick_at === null ? "–" : <RelativeTime at={collector.last_tick_at} now={now} />}
        </Fact>
        <Fact label={m.admin_dash_in_flight()}>{formatNumber(collector.in_flight)}</Fact>
        <Fact label={m.admin_dash_lag()}>
          {collector.overdue === 0
            ? m.admin_dash_lag_none()
            : m.admin_dash_lag_of({
                seconds: formatNumber(collector.lag_s),
                count: formatNumber(collector.overdue),
              })}
        </Fact>
        <Fact label={m.admin_dash_database()}>{formatBytes(room.database_bytes)}</Fact>
        <Fact label={m.admin_dash_disk()} bad={free !== null && disk !== null && free < disk * LOW_DISK}>
          {free === null || disk === null
            ? m.admin_dash_disk_unknown()
            : m.admin_dash_disk_of({ free: formatBytes(free), total: formatBytes(disk) })}
        </Fact>
      </FactList>
      {free !== null && disk !== null && free < disk * LOW_DISK && (
        <p className={css.bad}>{free < FULL_DISK ? m.admin_dash_disk_full() : m.admin_dash_disk_low()}</p>
      )}
    </section>
  );
}

function Backup({ backup: { made_at, age_s, bytes: size, proven_at, error, trouble, planned } }: Pick<Data, "backup">) {
  const now = useNow();
  const old = age_s !== null && age_s > OLD_BACKUP_S;
  return (
    <section className={css.part}>
      <h2>{m.admin_dash_backups()}</h2>
      {made_at === null && planned && error === null && <p>{m.admin_dash_backup_first()}</p>}
      {made_at === null && !planned && <p className={css.bad}>{m.admin_dash_backup_none()}</p>}
      {old && <p className={css.bad}>{m.admin_dash_backup_old()}</p>}
      {made_at !== null && proven_at === null && <p className={css.bad}>{m.admin_dash_backup_unproven()}</p>}
      {error !== null && <p className={css.bad}>{m.admin_dash_backup_failed({ reason: error })}</p>}
      {trouble && <p className={css.bad}>{backupRemedy(trouble)}</p>}
      <FactList>
        <Fact label={m.admin_dash_backup()} bad={(made_at === null && (!planned || error !== null)) || old}>
          {made_at === null ? m.admin_dash_backup_never() : <RelativeTime at={made_at} now={now} />}
          {size !== null && ` · ${formatBytes(size)}`}
        </Fact>
        <Fact label={m.admin_dash_backup_proven()} bad={made_at !== null && proven_at === null}>
          {proven_at === null ? m.admin_dash_backup_never() : <RelativeTime at={proven_at} now={now} />}
        </Fact>
      </FactList>
    </section>
  );
}

function useRefresh() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") revalidate();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
}
