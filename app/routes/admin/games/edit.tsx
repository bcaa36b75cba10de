// Edits a game: its names, address, and texts in both languages.
import { useNavigation, useSearchParams } from "react-router";
import { readTexts } from "#domain/form-text.ts";
import { updateGame } from "#domain/games/edits.ts";
import { GAME_LIMITS, type GameFields, gameFields } from "#domain/games/fields.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, refuseConflict, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormFold } from "../../../ui/form-sheet/form-fold.tsx";
import { FormRow, FormSection, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { CheckField } from "../../../ui/select-field/select-field.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { requireId } from "../asked-id.ts";
import { checkFields, differences, fieldErrorText, nameTakenText, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/edit";
import { requireGame } from "./asked-game.ts";
import { EXAMPLES, JOIN_LINK_PLACEHOLDERS } from "./examples.ts";
import { GameTabs } from "./tabs.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "games:write");
  const { banner: _, ...game } = await requireGame(context.get(appContext).db, params.gameId);
  return { game, limits: GAME_LIMITS };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    read: (form) => readTexts(gameFields, form),
    async act({ given, form, app, actor }) {
      const gameId = requireId(asked.params.gameId);
      const checked = checkFields(gameFields, given);
      if (!checked.ok) return checked;
      const saved = await updateGame(app.db, actor, gameId, textOf(form, "revision"), checked.data);
      if (saved.ok) return done(true, { revision: saved.revision, given: checked.data });
      if (saved.reason === "gone") return refuse(410, m.admin_game_gone());
      if (saved.reason === "name_taken") return refuseField("game_name", nameTakenText(saved.by));
      if (saved.reason === "taken") return refuseField("game_slug", fieldErrorText("taken"));
      return refuseConflict(saved.revision, differences(saved.theirs, checked.data, labels()));
    },
    away: m.admin_try_again,
  });
}

const labels = (): Record<keyof GameFields, string> => ({
  game_name: m.admin_games_name(),
  game_acronym: m.admin_games_acronym(),
  game_slug: m.admin_game_slug(),
  tagline_en: m.admin_game_tagline_en(),
  tagline_de: m.admin_game_tagline_de(),
  description_en: m.admin_game_description_en(),
  description_de: m.admin_game_description_de(),
  join_link: m.admin_game_join(),
  published: m.admin_game_published(),
});

/** Rarely changed fields. */
const FOLDED = ["game_slug", "join_link"] as const;
const NO_ERRORS = {};

const saidOf = (form: Pick<GameFields, (typeof FOLDED)[number]>, label: Record<(typeof FOLDED)[number], string>) =>
  FOLDED.filter((name) => form[name] !== "")
    .map((name) => m.admin_fold_part({ label: label[name], value: form[name] }))
    .join(" · ");

export default function GameEdit({ loaderData: { game, limits }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const base = useStill(game);
  const busy = useNavigation().state === "submitting";
  const created = useSearchParams()[0].get("done") === "created";
  const shown = actionData?.given ?? base.form;
  const t = labels();
  const text = (name: Exclude<keyof GameFields, "published">) => ({
    name,
    label: t[name],
    defaultValue: shown[name],
    error: actionData?.fieldErrors[name],
    autoComplete: "off",
  });
  return (
    <>
      <GameTabs game={game} />
      {actionData?.conflict && <Conflict rows={actionData.conflict} to={`/admin/games/${game.game_id}/edit`} />}
      <Form failed={m.admin_game_update_failed()} action="?" key={game.game_id}>
        <input type="hidden" name="revision" value={actionData?.revision ?? base.revision} />
        <FormSheet>
          <AnswerNotice answer={actionData} failed={m.admin_game_update_failed()} done={m.admin_game_updated()} />
          {!actionData && created && (
            <Notice tone="good" of="created">
              {m.admin_game_created()}
            </Notice>
          )}
          <FormSection title={m.admin_game_details()}>
            <FormRow of={3}>
              <TextField label={m.admin_game_id()} name="game_id" disabled value={String(game.game_id)} />
              <TextField {...text("game_name")} required maxLength={limits.name} />
              <TextField {...text("game_acronym")} required maxLength={limits.acronym} />
            </FormRow>
            <CheckField
              name="published"
              label={t.published}
              hint={m.admin_game_published_hint()}
              defaultChecked={shown.published}
            />
          </FormSection>
          <FormSection title={m.admin_game_texts()} note={m.admin_game_texts_note()}>
            <FormRow>
              <TextField {...text("tagline_en")} maxLength={limits.tagline} lang="en" />
              <TextField {...text("tagline_de")} maxLength={limits.tagline} lang="de" />
            </FormRow>
            <FormRow>
              <TextArea {...text("description_en")} maxLength={limits.description} rows={6} lang="en" />
              <TextArea {...text("description_de")} maxLength={limits.description} rows={6} lang="de" />
            </FormRow>
          </FormSection>
          <FormFold
            name="address"
            title={m.admin_game_address()}
            said={saidOf(shown, t)}
            fields={FOLDED}
            fieldErrors={actionData?.fieldErrors ?? NO_ERRORS}
          >
            <TextField
              {...text("game_slug")}
              required
              maxLength={limits.slug}
              pattern="[a-z0-9]+(?:-[a-z0-9]+)*"
              mismatch={m.admin_fault_no_slug()}
              hint={m.admin_game_slug_hint({ slug: (actionData?.done ? shown : base.form).game_slug })}
              spellCheck={false}
            />
            <TextField
              {...text("join_link")}
              maxLength={limits.link}
              autoCapitalize="none"
              spellCheck={false}
              placeholder={EXAMPLES.join_link}
              hint={m.admin_game_join_hint({ placeholders: JOIN_LINK_PLACEHOLDERS })}
            />
          </FormFold>
          <FormActs cancel="/admin/games" saved={actionData?.done && actionData} unsaved={actionData?.done === null}>
            <Button type="submit" loading={busy}>
              {m.admin_save()}
            </Button>
          </FormActs>
        </FormSheet>
      </Form>
    </>
  );
}
