// Creates a game server: from an address that the doctor examined, as a copy, or from scratch.
import { redirect, useNavigation } from "react-router";
import { givenSecrets } from "#domain/game-servers/adapter-secrets.ts";
import { createGameServer, findGameServerToEdit } from "#domain/game-servers/edits.ts";
import { gameServerShape } from "#domain/game-servers/fields.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormBeside, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { readId } from "../asked-id.ts";
import { checkFields, fieldErrorText, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/create";
import { listChoices } from "./asked-game-server.ts";
import { DoctorBeside } from "./doctor-beside.tsx";
import { joinLinkOf, readFields, takenFromAddress, withTaken } from "./fields.ts";
import { GameServerFormFields } from "./form.tsx";
import { fromForm, NEW_GAME_SERVER, toForm } from "./form-texts.ts";
import { useTaken } from "./use-taken.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const app = context.get(appContext);
  const { db } = app;
  const { searchParams } = url;
  const choices = await listChoices(app);
  const copied = readId(searchParams.get("copy") ?? undefined);
  const original = copied === null ? null : await findGameServerToEdit(db, copied);
  const taken = takenFromAddress(searchParams);
  const game_id = String(readId(searchParams.get("game") ?? undefined) ?? "");
  const start = { ...NEW_GAME_SERVER, game_id, join_link: joinLinkOf(game_id, choices.games) };
  const values = original
    ? {
        ...toForm(original.form),
        server_name: m.admin_copy_of({ name: original.form.server_name }).slice(0, 80),
        visibility: "hidden",
      }
    : taken
      ? withTaken(start, taken, choices.games)
      : start;
  return { values, choices };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: (form) => readFields(form, NEW_GAME_SERVER),
    async act({ given, form, app, actor }) {
      const checked = checkFields(gameServerShape(app.addressRule), fromForm(given));
      if (!checked.ok) return checked;
      const made = await createGameServer(app.db, actor, checked.data, {
        given: givenSecrets(form),
        siteSecret: app.secret,
      });
      if (!made.ok) return refuseField("game_id", fieldErrorText("no_game"));
      // A server that reports itself next needs the command for its machine.
      const next = checked.data.adapter === "heartbeat" ? "heartbeat" : "edit";
      return redirect(here(`/admin/gameservers/${made.server_id}/${next}?done=created`));
    },
    away: m.admin_try_again,
  });
}

export default function GameServerCreate({ loaderData: { choices, ...loaded }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const values = useStill(loaded.values);
  const navigation = useNavigation();
  const busy = navigation.state === "submitting" && navigation.formAction?.includes("/gameservers/create");
  const { form, shown, round, taken, take } = useTaken(
    actionData?.given ?? values,
    choices.games,
    actionData ?? values,
  );
  return (
    <>
      <AdminHeading title={m.admin_server_create()} up={{ to: "/admin/gameservers", label: m.admin_gameservers() }}>
        <ButtonLink to="/admin/gameservers/paste" variant="outlined" size="s">
          {m.admin_paste_several()}
        </ButtonLink>
      </AdminHeading>
      <FormBeside
        aside={
          <DoctorBeside title={m.admin_server_doctor_new()} address={shown.host} types={choices.types} onTake={take} />
        }
      >
        <Form
          failed={m.admin_server_create_failed()}
          action={here("/admin/gameservers/create")}
          ref={form}
          key={round}
          preventScrollReset={false}
        >
          <FormSheet>
            <AnswerNotice answer={actionData} failed={m.admin_server_create_failed()} />
            <GameServerFormFields values={shown} fieldErrors={actionData?.fieldErrors ?? {}} choices={choices} />
            <FormActs cancel="/admin/gameservers" unsaved={taken || actionData !== undefined}>
              <Button type="submit" loading={busy}>
                {m.admin_create()}
              </Button>
            </FormActs>
          </FormSheet>
        </Form>
      </FormBeside>
    </>
  );
}
