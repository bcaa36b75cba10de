// Lists uploaded pictures with their uses, and removes unused ones.
import { data } from "react-router";
import { unlessStoreFails } from "#domain/media/files.ts";
import { listMedia, MEDIA_SORTS, type Media, removeMedia } from "#domain/media/media-list.ts";
import { readListQuery } from "#domain/paging.ts";
import { may } from "#domain/permissions.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, textsOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Alert } from "../../../ui/alert/alert.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { FilterSelect } from "../../../ui/data-table/search-form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { formatBytes } from "../format-bytes.ts";
import type { Route } from "./+types/media";
import css from "./media.module.css";
import { RemovePicture } from "./remove-picture.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, url }, "admin:read");
  const app = context.get(appContext);
  const unused = url.searchParams.get("shown") === "nowhere";
  const query = readListQuery(url, MEDIA_SORTS, "-changed_at");
  const known = { unused, may: { games: may(role, "games:write"), settings: may(role, "settings:write") } };
  const list = await unlessStoreFails(
    (error) => app.log.warn({ err: error }, "the store of pictures could not be listed"),
    () => listMedia(app, query, { unused, placeText }),
  );
  if (!list) return data({ ...known, list }, { status: 503 });
  return { ...known, list: { ...list, rows: list.rows.map(rowOf) } };
}

/** `thumbnail`: name of the smallest file that every browser shows; null after a broken upload. */
const rowOf = ({ media_id, files, size, changed_at, used_by, removable }: Media) => ({
  media_id,
  size,
  used_by,
  removable,
  changed_at: changed_at.toISOString(),
  thumbnail:
    files.filter(({ key }) => key.endsWith(".webp")).sort((one, other) => one.size - other.size)[0]?.key ?? null,
});

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    read: (form) => textsOf(form, ["media_id"]),
    async act({ given, app, actor }) {
      const outcome = await unlessStoreFails(
        (error) => app.log.error({ err: error }, "the store of pictures failed; a picture could not be removed"),
        () => removeMedia(app, actor, given.media_id),
      );
      if (!outcome) return refuse(503, `${m.failed_media()} ${m.admin_media_away()}`);
      if (outcome.ok) return done(true);
      return outcome.reason === "gone" ? refuse(410, m.admin_media_gone()) : refuse(409, m.admin_media_used());
    },
    away: () => `${m.failed_media()} ${m.admin_try_again()}`,
  });
}

type Row = ReturnType<typeof rowOf>;
type Use = Row["used_by"][number];

const placeText = (place: string) =>
  place === "logo" ? m.admin_settings_logo() : m.admin_settings_slide({ number: place.slice(-1) });
const nameOfUse = (use: Use) => (use.type === "game" ? use.name : placeText(use.place));

/** Enough of an id to tell pictures apart. */
const shortId = (mediaId: string) => mediaId.slice(0, 8);

export default function MediaList({ loaderData: { list, unused, may }, ...props }: Route.ComponentProps) {
  const now = useNow();
  const answer = useAnswer(props.actionData);
  const columns: Column<Row>[] = [
    { key: "picture", names: true, label: m.admin_media_picture(), cell: (row) => <Thumbnail row={row} /> },
    { key: "used_by", label: m.admin_media_shown(), cell: (row) => <Uses uses={row.used_by} may={may} /> },
    {
      key: "size",
      label: m.admin_media_size(),
      kind: "number",
      sortable: true,
      cell: (row) => <span className={css.size}>{formatBytes(row.size)}</span>,
    },
    {
      key: "changed_at",
      label: m.admin_media_uploaded(),
      sortable: true,
      cell: (row) => <RelativeTime at={row.changed_at} now={now} />,
    },
  ];
  if (may.games) {
    columns.push({
      key: "remove",
      label: m.admin_remove(),
      kind: "action",
      cell: (row) =>
        row.removable ? (
          <RemovePicture id={row.media_id} name={shortId(row.media_id)} thumbnail={row.thumbnail} answer={answer} />
        ) : (
          <span className={css.quiet}>{row.used_by.length > 0 ? m.admin_media_in_use() : m.admin_media_fresh()}</span>
        ),
    });
  }
  return (
    <>
      <AdminHeading title={m.admin_media()} note={m.admin_media_note()} />
      <AnswerNotice answer={answer} done={m.admin_media_removed()} />
      {list ? (
        <DataTable
          caption={m.admin_media()}
          columns={columns}
          rows={list.rows}
          rowKey={(row) => row.media_id}
          list={list}
          search={m.admin_media_search()}
          filters={
            <FilterSelect
              name="shown"
              label={m.admin_media_filter()}
              value={unused ? "nowhere" : ""}
              all={m.admin_media_all()}
              options={[{ value: "nowhere", label: m.admin_media_nowhere() }]}
            />
          }
          filterNames={["shown"]}
          empty={<p>{m.admin_media_empty()}</p>}
        />
      ) : (
        <Alert tone="error">{m.admin_media_away()}</Alert>
      )}
    </>
  );
}

function Thumbnail({ row: { media_id, thumbnail, used_by } }: { row: Row }) {
  const alt =
    used_by.length > 0
      ? m.admin_media_alt({ what: used_by.map(nameOfUse).join(", ") })
      : m.admin_media_alt({ what: m.admin_media_nowhere() });
  return (
    <span className={css.picture}>
      <span className={css.frame}>
        {thumbnail && <img src={`/media/${thumbnail}`} alt={alt} loading="lazy" decoding="async" />}
      </span>
      <code title={media_id}>{shortId(media_id)}</code>
    </span>
  );
}

/** Links to where another picture can be chosen, if permitted. */
function Uses({ uses, may }: { uses: Use[]; may: { games: boolean; settings: boolean } }) {
  if (uses.length === 0) return <span className={css.quiet}>{m.admin_media_nowhere()}</span>;
  return (
    <ul className={css.uses}>
      {uses.map((use) => {
        const [to, open] =
          use.type === "game"
            ? [`/admin/games/${use.game_id}/picture`, may.games]
            : [`/admin/settings/pictures#${use.place}`, may.settings];
        return <li key={to}>{open ? <Link to={to}>{nameOfUse(use)}</Link> : nameOfUse(use)}</li>;
      })}
    </ul>
  );
}
