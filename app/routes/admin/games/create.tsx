// A new game: its name and acronym; everything else is asked on the page that follows.
import { data, redirect, useNavigation } from "react-router";
import { readTexts } from "#domain/form-text.ts";
import { createGame } from "#domain/games/edits.ts";
import { GAME_LIMITS, newGameFields } from "#domain/games/fields.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormActs, FormRow, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { faultsOf, nameTakenWords } from "../faults.ts";
import type { Route } from "./+types/create";

export function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  return { limits: GAME_LIMITS };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "games:write");
  const { db, log } = context.get(appContext);
  const given = readTexts(newGameFields, await readForm(request));
  const checked = newGameFields.safeParse(given);
  if (!checked.success) return data({ given, faults: faultsOf(checked.error.issues) }, { status: 422 });
  try {
    const actor = { user_id: member.user_id, origin: context.get(visitContext) };
    const made = await createGame(db, actor, checked.data);
    if (made.ok) return redirect(here(`/admin/games/${made.game_id}/edit?done=created`));
    return data({ given, faults: { game_name: nameTakenWords(made.by) } as Record<string, string> }, { status: 422 });
  } catch (error) {
    log.error({ err: error }, "a game could not be created");
    return data({ given, faults: {} as Record<string, string> }, { status: 503, headers: { "Retry-After": "5" } });
  }
}

export default function GameCreate({ loaderData: { limits }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  return (
    <>
      <AdminHeading title={m.admin_game_create()} up={{ to: "/admin/games", words: m.admin_games() }} />
      <Form failed={m.admin_game_create_failed()}>
        <FormSheet>
          {actionData && (
            <Notice tone="error" of={actionData}>
              {m.admin_game_create_failed()}{" "}
              {Object.keys(actionData.faults).length > 0 ? m.admin_check_fields() : m.admin_try_again()}
            </Notice>
          )}
          <FormRow>
            <TextField
              label={m.admin_games_name()}
              name="game_name"
              required
              maxLength={limits.name}
              autoComplete="off"
              defaultValue={actionData?.given.game_name}
              error={actionData?.faults.game_name}
            />
            <TextField
              label={m.admin_games_acronym()}
              name="game_acronym"
              required
              maxLength={limits.acronym}
              autoComplete="off"
              defaultValue={actionData?.given.game_acronym}
              error={actionData?.faults.game_acronym}
            />
          </FormRow>
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
