// A new game: its name and acronym; everything else is asked on the page that follows.
import { redirect, useNavigation } from "react-router";
import { readTexts } from "#domain/form-text.ts";
import { createGame } from "#domain/games/edits.ts";
import { GAME_LIMITS, newGameFields } from "#domain/games/fields.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormRow, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { checkFields, nameTakenText, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/create";

export function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  return { limits: GAME_LIMITS };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    read: (form) => readTexts(newGameFields, form),
    async act({ given, app, actor }) {
      const checked = checkFields(newGameFields, given);
      if (!checked.ok) return checked;
      const made = await createGame(app.db, actor, checked.data);
      if (!made.ok) return refuseField("game_name", nameTakenText(made.by));
      return redirect(here(`/admin/games/${made.game_id}/edit?done=created`));
    },
    away: m.admin_try_again,
  });
}

export default function GameCreate({ loaderData: { limits }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  return (
    <>
      <AdminHeading title={m.admin_game_create()} up={{ to: "/admin/games", label: m.admin_games() }} />
      <Form failed={m.admin_game_create_failed()}>
        <FormSheet>
          <AnswerNotice answer={actionData} failed={m.admin_game_create_failed()} />
          <FormRow>
            <TextField
              label={m.admin_games_name()}
              name="game_name"
              required
              maxLength={limits.name}
              autoComplete="off"
              defaultValue={actionData?.given.game_name}
              error={actionData?.fieldErrors.game_name}
            />
            <TextField
              label={m.admin_games_acronym()}
              name="game_acronym"
              required
              maxLength={limits.acronym}
              autoComplete="off"
              defaultValue={actionData?.given.game_acronym}
              error={actionData?.fieldErrors.game_acronym}
            />
          </FormRow>
          <FormActs cancel="/admin/games" unsaved={actionData !== undefined}>
            <Button type="submit" loading={busy}>
              {m.admin_create()}
            </Button>
          </FormActs>
        </FormSheet>
      </Form>
    </>
  );
}
