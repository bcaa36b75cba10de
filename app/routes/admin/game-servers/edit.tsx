// A game server: everything that an admin says of it.
import { data, useNavigation, useSearchParams } from "react-router";
import { updateGameServer } from "#domain/game-servers/edits.ts";
import { gameServerShape } from "#domain/game-servers/shape.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { DoctorPanel } from "../../../ui/doctor-result/doctor-panel.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { differences, faultsOf, faultWords } from "../faults.ts";
import { readId } from "../games/asked-game.ts";
import type { Route } from "./+types/edit";
import { headOf, listChoices, requireGameServer } from "./asked-game-server.ts";
import { fieldLabels, fieldsOf, type GameServerFields, readFields, takenFromAddress, withTaken } from "./fields.ts";
import css from "./form.module.css";
import { GameServerFormFields } from "./form.tsx";
import { GameServerTabs } from "./tabs.tsx";
import { useTaken } from "./use-taken.ts";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "gameservers:write");
  const { db } = context.get(appContext);
  const found = await requireGameServer(db, params.serverId);
  const choices = await listChoices(db);
  const taken = takenFromAddress(new URL(request.url).searchParams);
  const stored = fieldsOf(found.form);
  return {
    head: headOf(found),
    revision: found.revision,
    values: taken ? withTaken(stored, taken, choices.games) : stored,
    choices,
  };
}

type Answer = {
  given: GameServerFields;
  faults: Record<string, string>;
  saved: boolean;
  problem?: string;
  revision: string;
  conflict?: ReturnType<typeof differences>;
};

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "gameservers:write");
  const { db, addressRule, log } = context.get(appContext);
  const form = await readForm(request);
  const given = readFields(form);
  const revision = String(form.get("revision") ?? "");
  const refuse = (status: number, answer: Partial<Answer>) =>
    data<Answer>({ given, faults: {}, saved: false, revision, ...answer }, { status });
  const serverId = readId(params.serverId);
  if (serverId === null) throw data(null, { status: 404 });
  const checked = gameServerShape(addressRule).safeParse(given);
  if (!checked.success) return refuse(422, { faults: faultsOf(checked.error.issues), problem: m.admin_check_fields() });
  try {
    const actor = { user_id: member.user_id, origin: context.get(visitContext) };
    const saved = await updateGameServer(db, actor, serverId, revision, checked.data);
    if (saved.ok) return data<Answer>({ given, faults: {}, saved: true, revision: saved.revision });
    if (saved.reason === "gone") return refuse(410, { problem: m.admin_server_gone() });
    if (saved.reason === "no_game")
      return refuse(422, { faults: { game_id: faultWords("no_game") }, problem: m.admin_check_fields() });
    const conflict = differences(fieldsOf(saved.theirs), fieldsOf(checked.data), fieldLabels());
    return refuse(409, { revision: saved.revision, conflict });
  } catch (error) {
    log.error({ err: error }, "a game server could not be saved");
    return refuse(503, { problem: m.admin_try_again() });
  }
}

export default function GameServerEdit({ loaderData, ...props }: Route.ComponentProps) {
  const { head, choices } = loaderData;
  const actionData = useAnswer(props.actionData);
  const { values, revision } = useStill(loaderData);
  const address = here(`/admin/gameservers/${head.server_id}/edit`);
  const navigation = useNavigation();
  const busy = navigation.state === "submitting" && navigation.formAction?.startsWith(address);
  const created = useSearchParams()[0].get("done") === "created";
  const refused = actionData && !actionData.saved ? actionData : null;
  const { form, shown, round, take } = useTaken(actionData?.given ?? values, choices.games, actionData ?? revision);
  return (
    <>
      <GameServerTabs server={head} />
      {refused?.conflict && <Conflict rows={refused.conflict} to={`/admin/gameservers/${head.server_id}/edit`} />}
      <details className={css.doctor}>
        <summary className={css.summary}>{m.admin_server_doctor()}</summary>
        <DoctorPanel
          onTake={take}
          games={choices.types}
          address={shown.host && shown.game_port ? `${shown.host}:${shown.game_port}` : shown.host}
        />
      </details>
      <Form failed={m.admin_server_update_failed()} action={address} ref={form} key={`${head.server_id} ${round}`}>
        <input type="hidden" name="revision" value={actionData?.revision ?? revision} />
        <FormSheet>
          {refused?.problem && (
            <Notice tone="error" of={actionData}>
              {m.admin_server_update_failed()} {refused.problem}
            </Notice>
          )}
          {actionData?.saved && (
            <Notice tone="good" of={actionData}>
              {m.admin_server_updated()}
            </Notice>
          )}
          {!actionData && created && (
            <Notice tone="good" of="created">
              {m.admin_server_created()}
            </Notice>
          )}
          <GameServerFormFields values={shown} faults={refused?.faults ?? {}} choices={choices} />
          <FormActs>
            <Button type="submit" loading={busy}>
              {m.admin_save()}
            </Button>
          </FormActs>
        </FormSheet>
      </Form>
    </>
  );
}
