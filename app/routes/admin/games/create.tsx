// Creates a game: from the catalogue, or by hand from name and acronym; everything else is on the next page.
import { redirect, useNavigation } from "react-router";
import { readTexts } from "#domain/form-text.ts";
import { FIRST_EIGHT_IDS, type TakenGames, takeCatalogueGames } from "#domain/games/catalogue.ts";
import { createGame } from "#domain/games/edits.ts";
import { GAME_LIMITS, newGameFields } from "#domain/games/fields.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted, refuse } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { GamePicker } from "../../../ui/game-picker/game-picker.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { checkFields, nameTakenText, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/create";
import css from "./create.module.css";
import { listPickerGames, listTaken } from "./picker-games.ts";
import { refusedGamesText } from "./refused-games.ts";

/** More than the catalogue has; the site's own forms never send more. */
const MOST_TAKEN = 1000;

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "games:write");
  const { searchParams } = url;
  return {
    limits: GAME_LIMITS,
    games: await listPickerGames(context.get(appContext).db),
    taken: await listTaken(context.get(appContext).db),
    asked: { q: (searchParams.get("q") ?? "").slice(0, 80), all: searchParams.has("all") },
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    read: (form) => readTexts(newGameFields, form),
    async act({ given, form, app, actor }) {
      if (!form.has("game_name")) {
        const ticked = form.getAll("catalogue_id").map(String).slice(0, MOST_TAKEN);
        const ids = form.has("all_eight") ? [...FIRST_EIGHT_IDS, ...ticked] : ticked;
        return ids.length === 0
          ? refuse(422, m.admin_catalogue_nothing())
          : afterTaking(await takeCatalogueGames(app.db, actor, ids));
      }
      const checked = checkFields(newGameFields, given);
      if (!checked.ok) return checked;
      const made = await createGame(app.db, actor, checked.data);
      if (!made.ok) return refuseField("game_name", nameTakenText(made.by));
      return redirect(here(`/admin/games/${made.game_id}/edit?done=created`));
    },
    away: m.admin_try_again,
  });
}

/** Redirects to the one game, or to the list; games that could not be added are listed beside the choice. */
function afterTaking({ taken, refused }: TakenGames) {
  if (refused.length === 0) {
    const [only, ...others] = taken;
    return redirect(
      here(only && others.length === 0 ? `/admin/games/${only.game_id}/edit?done=created` : "/admin/games?done=taken"),
    );
  }
  return refuse(422, refusedGamesText({ taken, refused }));
}

export default function GameCreate({ loaderData: { limits, games, taken, asked }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const { state, formData } = useNavigation();
  const busy = state === "submitting";
  const writes = formData?.has("game_name") === true;
  const failed = actionData?.given.game_name === "" && actionData.fieldErrors.game_name === undefined;
  return (
    <>
      <AdminHeading title={m.admin_game_create()} up={{ to: "/admin/games", label: m.admin_games() }} />
      <div className={css.ways}>
        <section className={css.way} aria-labelledby="own">
          <h2 id="own" className={css.title}>
            {m.admin_catalogue_own()}
          </h2>
          <p className={css.note}>{m.admin_catalogue_own_note()}</p>
          <Form failed={m.admin_game_create_failed()} className={css.form}>
            {!failed && <AnswerNotice answer={actionData} failed={m.admin_game_create_failed()} />}
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
            <FormActs cancel="/admin/games" unsaved={actionData !== undefined && !failed}>
              <Button type="submit" loading={busy && writes}>
                {m.admin_create()}
              </Button>
            </FormActs>
          </Form>
        </section>
        <section className={css.catalogue} aria-labelledby="catalogue">
          <h2 id="catalogue" className={css.title}>
            {m.admin_catalogue_title()}
          </h2>
          <p className={css.note}>{m.admin_catalogue_note()}</p>
          {failed && <AnswerNotice answer={actionData} failed={m.admin_catalogue_failed()} />}
          <GamePicker
            games={games}
            taken={taken}
            asked={asked}
            failed={m.admin_catalogue_failed()}
            busy={busy && !writes}
          />
        </section>
      </div>
    </>
  );
}
