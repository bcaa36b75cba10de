// Lists pending, failing and abandoned notifications, and sends them again.
import { z } from "zod";
import {
  countOutbox,
  listOutbox,
  OUTBOX_PARTS,
  type OutboxPart,
  type OutboxRow,
  sendAgainByHand,
} from "#domain/notifications/outbox.ts";
import { readListQuery } from "#domain/paging.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { formatNumber } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { Tile, Tiles } from "../../../ui/admin-tiles/admin-tiles.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { FilterTabs } from "../../../ui/tabs/filter-tabs.tsx";
import type { Route } from "./+types/overview";
import css from "./channels.module.css";
import { NoMail } from "./no-mail.tsx";
import { NotificationTabs } from "./tabs.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const { db, mailsGoOut } = context.get(appContext);
  const part = OUTBOX_PARTS.find((known) => known === url.searchParams.get("part")) ?? "failing";
  const query = readListQuery(url, ["created_at"], "-created_at");
  const [counts, list] = await Promise.all([countOutbox(db), listOutbox(db, { ...query, q: "" }, part)]);
  return { counts, list, part, parts: OUTBOX_PARTS, mails_go_out: mailsGoOut };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: () => ({}),
    async act({ form, app, actor }) {
      const id = z.uuid().safeParse(textOf(form, "delivery_id"));
      const sent = id.success && (await sendAgainByHand(app.db, actor, id.data));
      return sent ? done(true) : refuse(410, m.admin_notify_again_gone());
    },
    away: () => `${m.failed_notification()} ${m.admin_try_again()}`,
  });
}

const PARTS: Record<OutboxPart, { label: () => string; empty: () => string }> = {
  failing: { label: m.admin_notify_failing, empty: m.admin_notify_none_failing },
  dead: { label: m.admin_notify_dead, empty: m.admin_notify_none_dead },
  waiting: { label: m.admin_notify_waiting, empty: m.admin_notify_none_waiting },
};

export default function Overview({ loaderData, ...props }: Route.ComponentProps) {
  const { counts, list, part, parts, mails_go_out } = loaderData;
  const answer = useAnswer(props.actionData);
  const columns = useColumns(part);
  return (
    <>
      <NotificationTabs />
      {!mails_go_out && <NoMail />}
      <AnswerNotice answer={answer} done={m.admin_notify_again_done()} />
      <Tiles>
        {parts.map((each) => (
          <Tile
            key={each}
            label={PARTS[each].label()}
            figure={formatNumber(counts[each])}
            act={each !== "waiting" && counts[each] > 0}
          />
        ))}
      </Tiles>
      <div className={css.parts}>
        <FilterTabs
          label={m.admin_notify_parts()}
          name="part"
          value={part}
          tabs={parts.map((value) => ({ value, label: PARTS[value].label() }))}
        />
      </div>
      <DataTable
        caption={PARTS[part].label()}
        columns={columns}
        rows={list.rows}
        rowKey={(row) => row.delivery_id}
        list={list}
        empty={<p>{PARTS[part].empty()}</p>}
      />
    </>
  );
}

const whatText = ({ kind, server_name }: OutboxRow): string =>
  kind === null
    ? m.admin_notify_account_mail()
    : [m.admin_notify_kind({ kind }), server_name].filter(Boolean).join(" · ");

function whyText({ state, last_error, answer, attempts }: OutboxRow): string {
  if (state === "doubtful") return m.admin_notify_doubtful();
  const why = last_error ? m.admin_notify_failure({ reason: last_error }) : "–";
  const tries = attempts > 0 ? ` (${m.admin_notify_tries({ count: attempts })})` : "";
  return `${why}${answer ? ` ${m.admin_notify_answer({ answer })}` : ""}${tries}`;
}

function useColumns(part: OutboxPart): Column<OutboxRow>[] {
  const now = useNow();
  const columns: Column<OutboxRow>[] = [
    { key: "what", names: true, label: m.admin_notify_what(), cell: (row) => <bdi>{whatText(row)}</bdi> },
    {
      key: "to",
      label: m.admin_notify_to(),
      cell: (row) => <bdi>{row.channel_name ?? m.admin_notify_own_way({ way: row.channel })}</bdi>,
    },
    {
      key: "written",
      label: m.admin_notify_written(),
      kind: "word",
      cell: (row) => <RelativeTime at={row.created_at} now={now} />,
    },
  ];
  if (part !== "waiting")
    columns.push({ key: "why", label: m.admin_notify_why(), cell: (row) => <bdi>{whyText(row)}</bdi> });
  if (part !== "dead") {
    columns.push({
      key: "next",
      label: m.admin_notify_next(),
      cell: (row) => (row.next_attempt_at === null ? "–" : <RelativeTime at={row.next_attempt_at} now={now} />),
    });
    return columns;
  }
  columns.push({
    key: "again",
    label: m.admin_notify_act(),
    cell: (row) =>
      row.again && (
        <Form failed={m.failed_notification()}>
          <input type="hidden" name="delivery_id" value={row.delivery_id} />
          <Button type="submit" variant="tonal" size="s" aria-label={m.admin_notify_again_of({ what: whatText(row) })}>
            {m.admin_notify_again()}
          </Button>
        </Form>
      ),
  });
  return columns;
}
