// A new game server: from an address that the doctor has examined, from another game server, or from nothing.
import { data, redirect, useNavigation } from "react-router";
import { createGameServer, findGameServerToEdit } from "#domain/game-servers/edits.ts";
import { gameServerShape } from "#domain/game-servers/shape.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DoctorPanel } from "../../../ui/doctor-result/doctor-panel.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { faultsOf, faultWords } from "../faults.ts";
import { readId } from "../games/asked-game.ts";
import type { Route } from "./+types/create";
import { listChoices } from "./asked-game-server.ts";
import { fieldsOf, NEW_GAME_SERVER, readFields, takenFromAddress, withTaken } from "./fields.ts";
import css from "./form.module.css";
import { GameServerFormFields } from "./form.tsx";
import { useTaken } from "./use-taken.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "gameservers:write");
  const { db } = context.get(appContext);
  const { searchParams } = new URL(request.url);
  const choices = await listChoices(db);
  const copied = readId(searchParams.get("copy") ?? undefined);
  const original = copied === null ? null : await findGameServerToEdit(db, copied);
  const taken = takenFromAddress(searchParams);
  const start = { ...NEW_GAME_SERVER, game_id: String(readId(searchParams.get("game") ?? undefined) ?? "") };
  const values = original
    ? {
        ...fieldsOf(original.form),
        server_name: m.admin_copy_of({ name: original.form.server_name }).slice(0, 80),
        visibility: "hidden",
      }
    : taken
      ? withTaken(start, taken, choices.games)
      : start;
  return { values, choices };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "gameservers:write");
  const { db, addressRule, log } = context.get(appContext);
  const given = readFields(await readForm(request));
  const refuse = (status: number, faults: Record<string, string>, problem: string) =>
    data({ given, faults, problem }, { status });
  const checked = gameServerShape(addressRule).safeParse(given);
  if (!checked.success) return refuse(422, faultsOf(checked.error.issues), m.admin_check_fields());
  try {
    const actor = { user_id: member.user_id, origin: context.get(visitContext) };
    const made = await createGameServer(db, actor, checked.data);
    if (!made.ok) return refuse(422, { game_id: faultWords("no_game") }, m.admin_check_fields());
    return redirect(here(`/admin/gameservers/${made.server_id}/edit?done=created`));
  } catch (error) {
    log.error({ err: error }, "a game server could not be created");
    return refuse(503, {}, m.admin_try_again());
  }
}

export default function GameServerCreate({ loaderData: { choices, ...loaded }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const values = useStill(loaded.values);
  const navigation = useNavigation();
  const busy = navigation.state === "submitting" && navigation.formAction?.includes("/gameservers/create");
  const { form, shown, round, take } = useTaken(actionData?.given ?? values, choices.games, actionData ?? values);
  return (
    <>
      <AdminHeading title={m.admin_server_create()} up={{ to: "/admin/gameservers", words: m.admin_gameservers() }} />
      <div className={css.doctor}>
        <DoctorPanel onTake={take} games={choices.types} address={shown.host} />
      </div>
      <Form
        failed={m.admin_server_create_failed()}
        action={here("/admin/gameservers/create")}
        ref={form}
        key={round}
        preventScrollReset={false}
      >
        <FormSheet>
          {actionData && (
            <Notice tone="error" of={actionData}>
              {m.admin_server_create_failed()} {actionData.problem}
            </Notice>
          )}
          <GameServerFormFields values={shown} faults={actionData?.faults ?? {}} choices={choices} />
          <FormActs>
            <Button type="submit" loading={busy}>
              {m.admin_create()}
            </Button>
          </FormActs>
        </FormSheet>
      </Form>
    </>
  );
}
