// Lists operators' channels and the kinds that can be added.
import { useSearchParams } from "react-router";
import { listChannels, OPERATOR_KINDS, serviceName } from "#domain/notifications/operator-channels.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { formatNumber } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import type { Route } from "./+types/channels";
import { kindText, stateText } from "./channel-text.ts";
import css from "./channels.module.css";
import { NotificationTabs } from "./tabs.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const channels = await listChannels(context.get(appContext).db);
  return {
    channels: channels
      // Discord channels have their own page.
      .filter(({ kind }) => kind !== "discord")
      .map(({ failing_since, dead_at, last_sent_at, ...channel }) => ({
        ...channel,
        service: serviceName(channel.kind),
        failing: failing_since !== null,
        dead: dead_at !== null,
        last_sent_at: last_sent_at?.toISOString() ?? null,
      })),
    kinds: OPERATOR_KINDS.map((kind) => ({ kind, service: serviceName(kind) })),
  };
}

type Channel = Route.ComponentProps["loaderData"]["channels"][number];

export default function Channels({ loaderData: { channels, kinds } }: Route.ComponentProps) {
  const removed = useSearchParams()[0].get("done") === "removed";
  return (
    <>
      <NotificationTabs />
      {removed && (
        <Notice tone="good" of={removed}>
          {m.admin_notify_channel_removed()}
        </Notice>
      )}
      <p className={css.intro}>{m.admin_notify_channels_note()}</p>
      <ChannelTable channels={channels} />
      <section className={css.kinds}>
        <h2>{m.admin_notify_channel_add()}</h2>
        <ul>
          {kinds.map(({ kind, service }) => (
            <li key={kind}>
              <ButtonLink to={`/admin/notifications/channels/add/${kind}`} variant="outlined" size="s">
                {kindText(kind, service)}
              </ButtonLink>
            </li>
          ))}
          <li>
            <ButtonLink to="/admin/notifications/discord" variant="outlined" size="s">
              {m.admin_discord()}
            </ButtonLink>
          </li>
        </ul>
      </section>
    </>
  );
}

function ChannelTable({ channels }: { channels: Channel[] }) {
  const now = useNow();
  const columns: Column<Channel>[] = [
    { key: "name", names: true, label: m.admin_notify_channel_name(), cell: ({ name }) => <bdi>{name}</bdi> },
    {
      key: "kind",
      label: m.admin_notify_channel_kind(),
      kind: "word",
      cell: ({ kind, service }) => kindText(kind, service),
    },
    {
      key: "where",
      label: m.admin_notify_channel_where(),
      cell: ({ last4 }) => <bdi className={css.where}>{last4}</bdi>,
    },
    { key: "state", label: m.admin_notify_channel_state(), kind: "word", cell: (channel) => stateText(channel) },
    {
      key: "sent",
      label: m.admin_notify_last_sent(),
      kind: "word",
      cell: ({ last_sent_at }) => (last_sent_at === null ? "–" : <RelativeTime at={last_sent_at} now={now} />),
    },
    { key: "rules", label: m.admin_notify_channel_rules(), kind: "number", cell: ({ rules }) => formatNumber(rules) },
    {
      key: "open",
      label: m.admin_notify_channel_open(),
      kind: "action",
      cell: ({ target_id, name }) => (
        <ButtonLink
          to={`/admin/notifications/channels/${target_id}`}
          variant="tonal"
          size="s"
          aria-label={m.admin_notify_channel_open_of({ name })}
        >
          {m.admin_notify_channel_open()}
        </ButtonLink>
      ),
    },
  ];
  return (
    <DataTable
      caption={m.admin_notify_channels()}
      columns={columns}
      rows={channels}
      rowKey={({ target_id }) => target_id}
      empty={<p>{m.admin_notify_channels_empty()}</p>}
    />
  );
}
