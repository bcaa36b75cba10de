// Blocks addresses and ranges, each with an expiry.
import { useNavigation } from "react-router";
import { readTexts } from "#domain/form-text.ts";
import { BLOCK_DAYS, createIpBlock, ipBlockShape, listIpBlocks, removeIpBlock } from "#domain/site/ip-blocks.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, type Refusals, refuse, refuseFor, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { language } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { readId } from "../asked-id.ts";
import { checkFields } from "../field-errors.ts";
import type { Route } from "./+types/blocked";
import css from "./people.module.css";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "members:write");
  const blocks = await listIpBlocks(context.get(appContext).db);
  return {
    blocks: blocks.map(({ block_id, network, reason, blocked_until }) => ({
      block_id,
      // Shows a range of one address as that address.
      network: network.replace(/\/(?:32|128)$/, (bits) => (network.includes(":") === (bits === "/128") ? "" : bits)),
      reason,
      blocked_until: blocked_until.toISOString(),
    })),
    days: BLOCK_DAYS,
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("members:write"),
    read: (form) => readTexts(ipBlockShape, form),
    async act({ given, form, intent, app, actor }) {
      if (intent === "lift") {
        const id = readId(textOf(form, "block_id"));
        const lifted = id !== null && (await removeIpBlock(app.db, actor, id));
        return lifted ? done(true) : refuse(410, m.admin_blocks_gone());
      }
      const block = checkFields(ipBlockShape, given);
      if (!block.ok) return block;
      const made = await createIpBlock(app.db, actor, block.data);
      return made.ok ? done(true) : refuseFor(BLOCK_REFUSALS, made.reason);
    },
    away: () => `${m.failed_block()} ${m.admin_try_again()}`,
  });
}

const BLOCK_REFUSALS: Refusals<"own" | "taken"> = {
  own: [409, m.admin_blocks_own],
  taken: [409, m.admin_blocks_taken],
};

export default function PeopleBlocked({ loaderData: { blocks, days }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const now = useNow();
  const busy = useNavigation().state === "submitting";
  // Ignores refusals of the page's other form.
  const lifting = actionData?.intent === "lift" && actionData.done === null ? actionData : undefined;
  const refused = actionData?.done === null && !lifting ? actionData : undefined;
  const dayText = new Intl.NumberFormat(language(), { style: "unit", unit: "day", unitDisplay: "long" });
  const columns: Column<(typeof blocks)[number]>[] = [
    { key: "network", names: true, label: m.admin_blocks_network(), cell: (block) => block.network },
    { key: "reason", label: m.admin_request_extend_reason(), cell: (block) => block.reason },
    { key: "end", label: m.admin_blocks_end(), cell: (block) => <RelativeTime at={block.blocked_until} now={now} /> },
    {
      key: "lift",
      label: m.admin_blocks_lift(),
      kind: "action",
      cell: (block) => (
        <Form failed={m.failed_block()}>
          <input type="hidden" name="intent" value="lift" />
          <input type="hidden" name="block_id" value={block.block_id} />
          <Button
            type="submit"
            variant="tonal"
            size="s"
            aria-label={m.admin_blocks_lift_of({ network: block.network })}
          >
            {m.admin_blocks_lift()}
          </Button>
        </Form>
      ),
    },
  ];
  return (
    <>
      <AdminHeading
        title={m.admin_people_blocks()}
        up={{ to: "/admin/people", label: m.admin_people() }}
        note={m.admin_blocks_note()}
      />
      <AnswerNotice answer={lifting} />
      <Form
        failed={m.failed_block()}
        className={css.block}
        key={refused ? "refused" : blocks.map((b) => b.block_id).join()}
      >
        {!lifting && <AnswerNotice answer={actionData} done={m.admin_person_saved()} />}
        <FormRow>
          <TextField
            name="network"
            label={m.admin_blocks_network()}
            hint={m.admin_blocks_network_hint()}
            required
            maxLength={50}
            autoComplete="off"
            spellCheck={false}
            defaultValue={refused?.given.network}
            error={refused?.fieldErrors.network}
          />
          <SelectField
            name="days"
            label={m.admin_blocks_days()}
            defaultValue={refused?.given.days || "7"}
            options={days.map((count) => ({ value: String(count), label: dayText.format(count) }))}
            error={refused?.fieldErrors.days}
          />
        </FormRow>
        <TextField
          name="reason"
          label={m.admin_blocks_reason()}
          required
          maxLength={200}
          autoComplete="off"
          defaultValue={refused?.given.reason}
          error={refused?.fieldErrors.reason}
        />
        <div>
          <Button type="submit" loading={busy}>
            {m.admin_blocks_add()}
          </Button>
        </div>
      </Form>
      <DataTable
        caption={m.admin_people_blocks()}
        columns={columns}
        rows={blocks}
        rowKey={(block) => block.block_id}
        empty={<p>{m.admin_blocks_empty()}</p>}
      />
    </>
  );
}
