// Lists outposts with their health, and where they see something different from the site.
import { formatNumber } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import type { Route } from "./+types/outposts";

type Loaded = Route.ComponentProps["loaderData"];
type Outpost = Loaded["outposts"][number];
type Difference = Loaded["differences"][number];

const stateOf = ({ reports, last_seen_at }: Outpost) =>
  reports
    ? m.admin_outposts_state_reports()
    : last_seen_at === null
      ? m.admin_outposts_state_new()
      : m.admin_outposts_state_silent();

/** Formats "1.4 s ahead"; up to a second in milliseconds. */
function clockOf(offsetMs: number | null): string {
  if (offsetMs === null) return "–";
  const size = Math.abs(offsetMs);
  const time =
    size < 1_000
      ? m.known_ms({ milliseconds: formatNumber(size) })
      : `${formatNumber(Math.round(size / 100) / 10)}\u00a0s`;
  return offsetMs < 0 ? m.admin_outposts_clock_behind({ time }) : m.admin_outposts_clock_ahead({ time });
}

export function OutpostTable({ outposts }: { outposts: Outpost[] }) {
  const now = useNow();
  const columns: Column<Outpost>[] = [
    { key: "name", names: true, label: m.admin_outposts_place(), cell: ({ name }) => <bdi>{name}</bdi> },
    { key: "state", label: m.admin_outposts_state(), cell: stateOf },
    {
      key: "seen",
      label: m.admin_outposts_seen(),
      cell: ({ last_seen_at }) => (last_seen_at === null ? "–" : <RelativeTime at={last_seen_at} now={now} />),
    },
    {
      key: "looks-at",
      label: m.admin_outposts_looks_at(),
      kind: "number",
      cell: ({ looks_at }) => formatNumber(looks_at),
    },
    { key: "clock", label: m.admin_outposts_clock(), cell: ({ clock_offset_ms }) => clockOf(clock_offset_ms) },
    {
      key: "round-trip",
      label: m.admin_outposts_round_trip(),
      cell: ({ round_trip_ms }) =>
        round_trip_ms === null ? "–" : m.known_ms({ milliseconds: formatNumber(round_trip_ms) }),
    },
    { key: "version", label: m.admin_outposts_version(), cell: ({ version }) => version ?? "–" },
    {
      key: "revoke",
      label: m.admin_outposts_revoke(),
      kind: "action",
      cell: ({ outpost_id, name }) => (
        <ButtonLink
          to={`/admin/settings/outposts/${outpost_id}/revoke`}
          variant="tonal"
          size="s"
          aria-label={m.admin_outposts_revoke_of({ name })}
        >
          {m.admin_outposts_revoke()}
        </ButtonLink>
      ),
    },
  ];
  return (
    <DataTable
      caption={m.admin_outposts()}
      columns={columns}
      rows={outposts}
      rowKey={({ outpost_id }) => outpost_id}
      empty={<p>{m.admin_outposts_empty()}</p>}
    />
  );
}

/** Explains an empty list: outposts agree only if one is observing something. */
function whyNone(outposts: Outpost[]): string {
  if (outposts.every(({ last_seen_at }) => last_seen_at === null)) return m.admin_outposts_none_asked();
  const reporting = outposts.filter(({ reports }) => reports);
  if (reporting.length === 0) return m.admin_outposts_all_silent();
  return reporting.some(({ looks_at }) => looks_at > 0)
    ? m.admin_outposts_no_differences()
    : m.admin_outposts_look_at_none();
}

export function DifferenceTable({ differences, outposts }: { differences: Difference[]; outposts: Outpost[] }) {
  const columns: Column<Difference>[] = [
    {
      key: "server",
      names: true,
      label: m.admin_outposts_server(),
      cell: ({ server_id, server_name }) => <Link to={`/admin/gameservers/${server_id}/edit`}>{server_name}</Link>,
    },
    { key: "place", label: m.admin_outposts_place(), cell: ({ place }) => <bdi>{place}</bdi> },
    {
      key: "sees",
      label: m.admin_outposts_sees(),
      cell: ({ ok, failure }) =>
        ok ? m.admin_outposts_sees_up() : m.admin_outposts_sees_down({ failure: failure ?? "–" }),
    },
  ];
  return (
    <DataTable
      caption={m.admin_outposts_differences()}
      columns={columns}
      rows={differences}
      rowKey={({ server_id, place }) => `${server_id} ${place}`}
      empty={<p>{whyNone(outposts)}</p>}
    />
  );
}
