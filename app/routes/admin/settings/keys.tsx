// Manages API keys for programs that write: create, show once, list, delete.
import { useNavigation } from "react-router";
import {
  apiKeyShape,
  createApiKey,
  KEY_DAYS_MAX,
  KEY_NOTE_MAX,
  KEY_SCOPES,
  type KeyScope,
  listApiKeys,
  removeApiKey,
} from "#domain/accounts/api-keys.ts";
import { appContext } from "#web/context.ts";
import {
  done,
  handleForm,
  permitted,
  type Refusals,
  refuse,
  refuseFor,
  textOf,
  textsOf,
} from "#web/forms/handle-form.ts";
import { type Typed, typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { CopyButton } from "../../../ui/copy-button/copy-button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { CheckField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { readId } from "../asked-id.ts";
import { checkFields } from "../field-errors.ts";
import { RemoveButton } from "../row-acts.tsx";
import { StillThere } from "../still-there.tsx";
import type { Route } from "./+types/keys";
import css from "./keys.module.css";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const keys = await listApiKeys(context.get(appContext).db);
  return {
    keys: keys.map((key) => ({
      ...key,
      expires_at: key.expires_at.toISOString(),
      last_used_at: key.last_used_at?.toISOString() ?? null,
    })),
    typed: typedOf(findTyped({ context, request, url })),
    most: { days: KEY_DAYS_MAX, note: KEY_NOTE_MAX },
    scopes: [...KEY_SCOPES],
  };
}

const typedOf = (typed: Typed | null) =>
  typed && { note: typedText(typed, "note"), days: typedText(typed, "days"), scopes: [typed.scopes ?? []].flat() };

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: (form) => ({ ...textsOf(form, ["note", "days"]), scopes: form.getAll("scope").map(String) }),
    async act({ given, form, intent, app, actor }) {
      if (intent === "remove") {
        const id = readId(textOf(form, "key_id"));
        const removed = id !== null && (await removeApiKey(app.db, actor, id));
        return removed ? done({ made: null }) : refuse(410, m.admin_keys_gone());
      }
      // A key outlasts the session, so creating one needs re-authentication.
      requireFreshSession(asked, { typed: given });
      const problem = given.scopes.length === 0 ? m.admin_keys_no_scope() : m.admin_check_fields();
      const checked = checkFields(apiKeyShape, given, problem);
      if (!checked.ok) return checked;
      const made = await createApiKey(app.db, actor, checked.data);
      return made.ok ? done({ made: made.key }) : refuseFor(KEY_REFUSALS, made.reason);
    },
    away: () => `${m.failed_key()} ${m.admin_try_again()}`,
  });
}

const KEY_REFUSALS: Refusals<"role" | "too_many"> = {
  role: [403, m.admin_keys_role],
  too_many: [409, m.admin_keys_too_many],
};

const SCOPE_LABELS: Record<KeyScope, () => string> = {
  "admin:read": m.admin_keys_scope_read,
  "games:write": m.admin_keys_scope_games,
  "gameservers:write": m.admin_keys_scope_servers,
};

type Key = Route.ComponentProps["loaderData"]["keys"][number];

export default function Keys({ loaderData: { keys, most, scopes, ...loaded }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const made = actionData?.done?.made;
  // Ignores refusals of the page's other form.
  const ending = actionData?.intent === "remove" ? actionData : undefined;
  const refused = actionData?.done === null && !ending ? actionData : undefined;
  const typed = actionData ? null : loaded.typed;
  const given = refused?.given ?? typed;
  return (
    <>
      <AdminHeading
        title={m.admin_settings_keys()}
        up={{ to: "/admin/settings", label: m.admin_settings() }}
        note={m.admin_keys_note()}
      />
      <p className={css.more}>
        <Link to="/developers">{m.developers_title()}</Link>
      </p>
      {ending?.problem && <AnswerNotice answer={ending} />}
      <Form failed={m.failed_key()} className={css.block} key={refused ? "refused" : keys.length}>
        {typed && <StillThere />}
        {!ending?.problem && (
          <AnswerNotice answer={actionData} done={ending ? m.admin_keys_ended() : m.admin_keys_once()} />
        )}
        {made && (
          <p className={css.made}>
            <code className={css.key}>{made}</code>
            <CopyButton text={made} accessibleName={m.admin_keys_copy()} />
          </p>
        )}
        <FormRow>
          <TextField
            name="note"
            label={m.admin_keys_for()}
            required
            maxLength={most.note}
            autoComplete="off"
            defaultValue={given?.note}
            error={refused?.fieldErrors.note}
          />
          <TextField
            name="days"
            label={m.admin_keys_days()}
            type="number"
            required
            min={1}
            max={most.days}
            defaultValue={given?.days ?? "90"}
            error={refused?.fieldErrors.days}
          />
        </FormRow>
        <fieldset className={css.scopes}>
          <legend>{m.admin_keys_scopes()}</legend>
          {scopes.map((scope) => (
            <CheckField
              key={scope}
              name="scope"
              value={scope}
              label={SCOPE_LABELS[scope]()}
              hint={<code>{scope}</code>}
              defaultChecked={given ? given.scopes.includes(scope) : scope === "admin:read"}
            />
          ))}
        </fieldset>
        <div>
          <Button type="submit" loading={busy}>
            {m.admin_keys_make()}
          </Button>
        </div>
      </Form>
      <KeyTable keys={keys} />
    </>
  );
}

function KeyTable({ keys }: { keys: Key[] }) {
  const now = useNow();
  const columns: Column<Key>[] = [
    { key: "note", label: m.admin_keys_for(), cell: (key) => key.note },
    { key: "owner", label: m.admin_keys_owner(), cell: (key) => key.owner },
    {
      key: "scopes",
      label: m.admin_keys_scopes(),
      cell: (key) => key.scopes.map((scope) => SCOPE_LABELS[scope]()).join(", "),
    },
    {
      key: "used",
      label: m.admin_keys_used(),
      cell: (key) => (key.last_used_at === null ? "–" : <RelativeTime at={key.last_used_at} now={now} />),
    },
    { key: "end", label: m.admin_invitations_end(), cell: (key) => <RelativeTime at={key.expires_at} now={now} /> },
    {
      key: "remove",
      label: m.admin_keys_end(),
      kind: "action",
      cell: (key) => (
        <RemoveButton
          name="key_id"
          id={key.key_id}
          act={m.admin_keys_end()}
          of={m.admin_keys_end_of({ note: key.note })}
          failed={m.failed_key()}
        />
      ),
    },
  ];
  return (
    <DataTable
      caption={m.admin_settings_keys()}
      columns={columns}
      rows={keys}
      rowKey={(key) => key.key_id}
      empty={<p>{m.admin_keys_empty()}</p>}
    />
  );
}
