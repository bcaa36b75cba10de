// Keys with which programs write by way of the public API: made, told once, listed, ended.
import { data, useNavigation } from "react-router";
import {
  apiKeyShape,
  createApiKey,
  KEY_DAYS_MAX,
  KEY_NOTE_MAX,
  KEY_SCOPES,
  type KeyScope,
  listApiKeys,
  removeApiKey,
} from "#domain/sign-in/api-keys.ts";
import { appContext, visitContext } from "#web/context.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { type Typed, typedText } from "#web/request/typed-before.ts";
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
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { CheckField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { faultsOf } from "../faults.ts";
import { readId } from "../games/asked-game.ts";
import { StillThere } from "../still-there.tsx";
import type { Route } from "./+types/keys";
import css from "./keys.module.css";

export async function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "settings:write");
  const keys = await listApiKeys(context.get(appContext).db);
  return {
    keys: keys.map((key) => ({
      ...key,
      expires_at: key.expires_at.toISOString(),
      last_used_at: key.last_used_at?.toISOString() ?? null,
    })),
    typed: typedOf(findTyped({ context, request })),
    most: { days: KEY_DAYS_MAX, note: KEY_NOTE_MAX },
    scopes: [...KEY_SCOPES],
  };
}

const typedOf = (typed: Typed | null) =>
  typed && { note: typedText(typed, "note"), days: typedText(typed, "days"), scopes: [typed.scopes ?? []].flat() };

type Answer = {
  made: string | null;
  ended: boolean;
  problem: string | null;
  faults: Record<string, string>;
  /** What was typed for a new one; null: none was asked for. */
  given: { note: string; days: string; scopes: string[] } | null;
};

export async function action({ context, request }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "settings:write");
  const { db, log } = context.get(appContext);
  const form = await readForm(request);
  const field = (name: string) => String(form.get(name) ?? "");
  const removes = form.get("intent") === "remove";
  const given = { note: field("note"), days: field("days"), scopes: form.getAll("scope").map(String) };
  const answer = (status: number, rest: Partial<Answer>) =>
    data<Answer>(
      { made: null, ended: false, problem: null, faults: {}, given: removes ? null : given, ...rest },
      { status },
    );
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  // What a key may outlasts the session, so whoever makes one shows anew who they are.
  if (!removes) requireFreshSession({ context, request }, { typed: given });
  try {
    if (removes) {
      const id = readId(field("key_id"));
      const removed = id !== null && (await removeApiKey(db, actor, id));
      return removed ? answer(200, { ended: true }) : answer(410, { problem: m.admin_keys_gone() });
    }
    const checked = apiKeyShape.safeParse(given);
    if (!checked.success) {
      const faults = faultsOf(checked.error.issues);
      return answer(422, { problem: faults.scopes ? m.admin_keys_no_scope() : m.admin_check_fields(), faults });
    }
    const made = await createApiKey(db, actor, checked.data);
    if (made.ok) return answer(200, { made: made.key });
    return made.reason === "role"
      ? answer(403, { problem: m.admin_keys_role() })
      : answer(409, { problem: m.admin_keys_too_many() });
  } catch (error) {
    log.error({ err: error }, "an API key could not be made or ended");
    return answer(503, { problem: `${m.failed_key()} ${m.admin_try_again()}` });
  }
}

const SCOPE_WORDS: Record<KeyScope, () => string> = {
  "admin:read": m.admin_keys_scope_read,
  "games:write": m.admin_keys_scope_games,
  "gameservers:write": m.admin_keys_scope_servers,
};

type Key = Route.ComponentProps["loaderData"]["keys"][number];

export default function Keys({ loaderData: { keys, most, scopes, ...loaded }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const problem = actionData?.problem ?? null;
  // What another form of this page was refused leaves this one as it is.
  const refused = problem !== null && actionData?.given ? actionData : undefined;
  const typed = actionData ? null : loaded.typed;
  const given = refused?.given ?? typed;
  return (
    <>
      <AdminHeading
        title={m.admin_settings_keys()}
        up={{ to: "/admin/settings", words: m.admin_settings() }}
        note={m.admin_keys_note()}
      />
      <p className={css.more}>
        <Link to="/developers">{m.developers_title()}</Link>
      </p>
      {problem !== null && !refused && (
        <Notice tone="error" of={actionData}>
          {problem}
        </Notice>
      )}
      <Form failed={m.failed_key()} className={css.block} key={refused ? "refused" : keys.length}>
        {typed && <StillThere />}
        {refused && (
          <Notice tone="error" of={actionData}>
            {refused.problem}
          </Notice>
        )}
        {actionData?.ended && (
          <Notice tone="good" of={actionData}>
            {m.admin_keys_ended()}
          </Notice>
        )}
        {actionData?.made && (
          <>
            <Notice tone="good" of={actionData}>
              {m.admin_keys_once()}
            </Notice>
            <p className={css.made}>
              <code className={css.key}>{actionData.made}</code>
              <CopyButton text={actionData.made} label={m.admin_keys_copy()} />
            </p>
          </>
        )}
        <FormRow>
          <TextField
            name="note"
            label={m.admin_keys_for()}
            required
            maxLength={most.note}
            autoComplete="off"
            defaultValue={given?.note}
            error={refused?.faults.note}
          />
          <TextField
            name="days"
            label={m.admin_keys_days()}
            type="number"
            required
            min={1}
            max={most.days}
            defaultValue={given?.days ?? "90"}
            error={refused?.faults.days}
          />
        </FormRow>
        <fieldset className={css.scopes}>
          <legend>{m.admin_keys_scopes()}</legend>
          {scopes.map((scope) => (
            <CheckField
              key={scope}
              name="scope"
              value={scope}
              label={SCOPE_WORDS[scope]()}
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
      cell: (key) => key.scopes.map((scope) => SCOPE_WORDS[scope]()).join(", "),
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
        <Form failed={m.failed_key()}>
          <input type="hidden" name="intent" value="remove" />
          <input type="hidden" name="key_id" value={key.key_id} />
          <Button type="submit" variant="tonal" size="s" aria-label={m.admin_keys_end_of({ note: key.note })}>
            {m.admin_keys_end()}
          </Button>
        </Form>
      ),
    },
  ];
  return (
    <DataTable
      caption={m.admin_settings_keys()}
      columns={columns}
      rows={keys}
      rowKey={(key) => key.key_id}
      list={{ total: keys.length, page: 1, pages: 1, from: 1, q: "", sort: "", descending: false }}
      empty={<p>{m.admin_keys_empty()}</p>}
    />
  );
}
