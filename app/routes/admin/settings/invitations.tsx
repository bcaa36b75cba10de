// Manages invitations: codes to register with, for a limited number of accounts and days.
import { useNavigation } from "react-router";
import {
  createInvitation,
  INVITATION_DAYS_MAX,
  INVITATION_USES_MAX,
  invitationShape,
  listInvitations,
  removeInvitation,
} from "#domain/accounts/invitations.ts";
import { readTexts } from "#domain/form-text.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, textOf } from "#web/forms/handle-form.ts";
import { type Typed, typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { formatNumber } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { readId } from "../asked-id.ts";
import { checkFields } from "../field-errors.ts";
import css from "../people/people.module.css";
import { RemoveButton } from "../row-acts.tsx";
import { StillThere } from "../still-there.tsx";
import type { Route } from "./+types/invitations";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const open = await listInvitations(context.get(appContext).db);
  return {
    open: open.map((invitation) => ({ ...invitation, expires_at: invitation.expires_at.toISOString() })),
    typed: typedOf(findTyped({ context, request, url })),
    most: { uses: INVITATION_USES_MAX, days: INVITATION_DAYS_MAX },
  };
}

const typedOf = (typed: Typed | null) =>
  typed && { note: typedText(typed, "note"), uses: typedText(typed, "uses"), days: typedText(typed, "days") };

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: (form) => readTexts(invitationShape, form),
    async act({ given, form, intent, app, actor }) {
      if (intent === "remove") {
        const id = readId(textOf(form, "invitation_id"));
        const removed = id !== null && (await removeInvitation(app.db, actor, id));
        return removed ? done({ code: null }) : refuse(410, m.admin_invitations_gone());
      }
      // A code outlasts the session, so creating one needs re-authentication.
      requireFreshSession(asked, { typed: given });
      const checked = checkFields(invitationShape, given);
      return checked.ok ? done(await createInvitation(app.db, actor, checked.data)) : checked;
    },
    away: () => `${m.failed_invitation()} ${m.admin_try_again()}`,
  });
}

export default function Invitations({ loaderData: { open, most, ...loaded }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const now = useNow();
  const busy = useNavigation().state === "submitting";
  const code = actionData?.done?.code;
  // Ignores refusals of the page's other form.
  const removing = actionData?.intent === "remove" ? actionData : undefined;
  const refused = actionData?.done === null && !removing ? actionData : undefined;
  const typed = actionData ? null : loaded.typed;
  const given = refused?.given ?? typed;
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
        <RemoveButton
          name="invitation_id"
          id={row.invitation_id}
          act={m.admin_invitations_remove()}
          of={m.admin_invitations_remove_of({ note: row.note || "–" })}
          failed={m.failed_invitation()}
        />
      ),
    },
  ];
  return (
    <>
      <AdminHeading
        title={m.admin_settings_invitations()}
        up={{ to: "/admin/settings", label: m.admin_settings() }}
        note={m.admin_invitations_note()}
      />
      <AnswerNotice answer={removing} />
      <Form failed={m.failed_invitation()} className={css.block} key={refused ? "refused" : open.length}>
        {typed && <StillThere />}
        <AnswerNotice answer={refused} />
        {code && (
          <Notice tone="good" of={actionData}>
            {m.admin_invitations_code()} <strong>{code}</strong>
          </Notice>
        )}
        <TextField
          name="note"
          label={m.admin_invitations_for()}
          maxLength={120}
          autoComplete="off"
          defaultValue={given?.note}
          error={refused?.fieldErrors.note}
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
            error={refused?.fieldErrors.uses}
          />
          <TextField
            name="days"
            label={m.admin_invitations_days()}
            type="number"
            required
            min={1}
            max={most.days}
            defaultValue={given?.days ?? "14"}
            error={refused?.fieldErrors.days}
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
        empty={<p>{m.admin_invitations_empty()}</p>}
      />
    </>
  );
}
