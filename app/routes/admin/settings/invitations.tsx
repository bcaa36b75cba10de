// Invitations: codes with which somebody may register, for so many accounts and so many days.
import { data, useNavigation } from "react-router";
import {
  createInvitation,
  INVITATION_DAYS_MAX,
  INVITATION_USES_MAX,
  invitationShape,
  listInvitations,
  removeInvitation,
} from "#domain/sign-in/invitations.ts";
import { appContext, visitContext } from "#web/context.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { type Typed, typedText } from "#web/request/typed-before.ts";
import { formatNumber } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { faultsOf } from "../faults.ts";
import { readId } from "../games/asked-game.ts";
import css from "../people/people.module.css";
import { StillThere } from "../still-there.tsx";
import type { Route } from "./+types/invitations";

export async function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "settings:write");
  const open = await listInvitations(context.get(appContext).db);
  return {
    open: open.map((invitation) => ({ ...invitation, expires_at: invitation.expires_at.toISOString() })),
    typed: typedOf(findTyped({ context, request })),
    most: { uses: INVITATION_USES_MAX, days: INVITATION_DAYS_MAX },
  };
}

const typedOf = (typed: Typed | null) =>
  typed && { note: typedText(typed, "note"), uses: typedText(typed, "uses"), days: typedText(typed, "days") };

type Answer = {
  code: string | null;
  problem: string | null;
  faults: Record<string, string>;
  /** What was typed for a new one; null: none was asked for. */
  given: Record<string, string> | null;
};

export async function action({ context, request }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "settings:write");
  const { db, log } = context.get(appContext);
  const form = await readForm(request);
  const field = (name: string) => String(form.get(name) ?? "");
  const removes = form.get("intent") === "remove";
  const given = { note: field("note"), uses: field("uses"), days: field("days") };
  const answer = (status: number, rest: Partial<Answer>) =>
    data<Answer>({ code: null, problem: null, faults: {}, given: removes ? null : given, ...rest }, { status });
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  // A code lets people in long after this session, so whoever makes one shows anew who they are.
  if (!removes) requireFreshSession({ context, request }, { typed: given });
  try {
    if (removes) {
      const id = readId(field("invitation_id"));
      const removed = id !== null && (await removeInvitation(db, actor, id));
      return removed ? answer(200, {}) : answer(410, { problem: m.admin_invitations_gone() });
    }
    const checked = invitationShape.safeParse(given);
    if (!checked.success)
      return answer(422, { problem: m.admin_check_fields(), faults: faultsOf(checked.error.issues) });
    return answer(200, await createInvitation(db, actor, checked.data));
  } catch (error) {
    log.error({ err: error }, "an invitation could not be made");
    return answer(503, { problem: `${m.failed_invitation()} ${m.admin_try_again()}` });
  }
}

export default function Invitations({ loaderData: { open, most, ...loaded }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const now = useNow();
  const busy = useNavigation().state === "submitting";
  const problem = actionData?.problem ?? null;
  // What another form of this page was refused leaves this one as it is.
  const refused = problem !== null && actionData?.given ? actionData : undefined;
  const typed = actionData ? null : loaded.typed;
  const given: Record<string, string> | null | undefined = refused?.given ?? typed;
  const columns: Column<(typeof open)[number]>[] = [
    { key: "note", names: true, label: m.admin_invitations_for(), cell: (row) => row.note || "–" },
    {
      key: "uses",
      label: m.admin_invitations_uses_left(),
      kind: "number",
      cell: (row) => formatNumber(row.uses_left),
    },
    { key: "end", label: m.admin_invitations_end(), cell: (row) => <RelativeTime at={row.expires_at} now={now} /> },
    {
      key: "remove",
      label: m.admin_invitations_remove(),
      kind: "action",
      cell: (row) => (
        <Form failed={m.failed_invitation()}>
          <input type="hidden" name="intent" value="remove" />
          <input type="hidden" name="invitation_id" value={row.invitation_id} />
          <Button
            type="submit"
            variant="tonal"
            size="s"
            aria-label={m.admin_invitations_remove_of({ note: row.note || "–" })}
          >
            {m.admin_invitations_remove()}
          </Button>
        </Form>
      ),
    },
  ];
  return (
    <>
      <AdminHeading
        title={m.admin_settings_invitations()}
        up={{ to: "/admin/settings", words: m.admin_settings() }}
        note={m.admin_invitations_note()}
      />
      {problem !== null && !refused && (
        <Notice tone="error" of={actionData}>
          {problem}
        </Notice>
      )}
      <Form failed={m.failed_invitation()} className={css.block} key={refused ? "refused" : open.length}>
        {typed && <StillThere />}
        {refused && (
          <Notice tone="error" of={actionData}>
            {refused.problem}
          </Notice>
        )}
        {actionData?.code && (
          <Notice tone="good" of={actionData}>
            {m.admin_invitations_code()} <strong>{actionData.code}</strong>
          </Notice>
        )}
        <TextField
          name="note"
          label={m.admin_invitations_for()}
          maxLength={120}
          autoComplete="off"
          defaultValue={given?.note}
          error={refused?.faults.note}
        />
        <FormRow>
          <TextField
            name="uses"
            label={m.admin_invitations_uses()}
            type="number"
            required
            min={1}
            max={most.uses}
            defaultValue={given?.uses ?? "1"}
            error={refused?.faults.uses}
          />
          <TextField
            name="days"
            label={m.admin_invitations_days()}
            type="number"
            required
            min={1}
            max={most.days}
            defaultValue={given?.days ?? "14"}
            error={refused?.faults.days}
          />
        </FormRow>
        <div>
          <Button type="submit" loading={busy}>
            {m.admin_invitations_make()}
          </Button>
        </div>
      </Form>
      <DataTable
        caption={m.admin_settings_invitations()}
        columns={columns}
        rows={open}
        rowKey={(row) => row.invitation_id}
        list={{ total: open.length, page: 1, pages: 1, from: 1, q: "", sort: "", descending: false }}
        empty={<p>{m.admin_invitations_empty()}</p>}
      />
    </>
  );
}
