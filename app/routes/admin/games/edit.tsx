// A game: what it is called, where its page stands, and its texts in both languages.
import { data, useNavigation, useSearchParams } from "react-router";
import { readTexts } from "#domain/form-text.ts";
import { updateGame } from "#domain/games/edits.ts";
import { GAME_LIMITS, type GameFields, gameFields } from "#domain/games/fields.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs, FormRow, FormSection, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { CheckField } from "../../../ui/select-field/select-field.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { differences, faultsOf, faultWords, nameTakenWords } from "../faults.ts";
import type { Route } from "./+types/edit";
import { readId, requireGame } from "./asked-game.ts";
import { GameTabs } from "./tabs.tsx";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  const { banner: _, ...game } = await requireGame(context.get(appContext).db, params.gameId);
  return { game, limits: GAME_LIMITS };
}

type Answer = {
  given: GameFields;
  faults: Record<string, string>;
  /** What went wrong besides the fields, in words. */
  problem?: string;
  revision: string;
  conflict?: ReturnType<typeof differences>;
};

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "games:write");
  const { db, log } = context.get(appContext);
  const form = await readForm(request);
  const given = readTexts(gameFields, form);
  const revision = String(form.get("revision") ?? "");
  const refuse = (status: number, answer: Omit<Answer, "given" | "revision"> & { revision?: string }) =>
    data<Answer>({ given, revision, ...answer }, { status });
  const gameId = readId(params.gameId);
  if (gameId === null) throw data(null, { status: 404 });
  const checked = gameFields.safeParse(given);
  if (!checked.success) return refuse(422, { faults: faultsOf(checked.error.issues), problem: m.admin_check_fields() });
  try {
    const actor = { user_id: member.user_id, origin: context.get(visitContext) };
    const saved = await updateGame(db, actor, gameId, revision, checked.data);
    if (saved.ok) return data<Answer>({ given: checked.data, faults: {}, revision: saved.revision });
    if (saved.reason === "gone") return refuse(410, { faults: {}, problem: m.admin_game_gone() });
    if (saved.reason === "name_taken")
      return refuse(422, { faults: { game_name: nameTakenWords(saved.by) }, problem: m.admin_check_fields() });
    if (saved.reason === "taken")
      return refuse(422, { faults: { game_slug: faultWords("taken") }, problem: m.admin_check_fields() });
    const conflict = differences(saved.theirs, checked.data, labels());
    return refuse(409, { faults: {}, revision: saved.revision, conflict });
  } catch (error) {
    log.error({ err: error }, "a game could not be saved");
    return refuse(503, { faults: {}, problem: m.admin_try_again() });
  }
}

const labels = (): Record<keyof GameFields, string> => ({
  game_name: m.admin_games_name(),
  game_acronym: m.admin_games_acronym(),
  game_slug: m.admin_game_slug(),
  tagline_en: m.admin_game_tagline_en(),
  tagline_de: m.admin_game_tagline_de(),
  description_en: m.admin_game_description_en(),
  description_de: m.admin_game_description_de(),
  published: m.admin_game_published(),
});

export default function GameEdit({ loaderData: { game, limits }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const base = useStill(game);
  const busy = useNavigation().state === "submitting";
  const created = useSearchParams()[0].get("done") === "created";
  const { faults = {}, problem, conflict } = actionData ?? {};
  const failed = problem !== undefined || conflict !== undefined;
  const shown = actionData?.given ?? base.form;
  const t = labels();
  const text = (name: Exclude<keyof GameFields, "published">) => ({
    name,
    label: t[name],
    defaultValue: shown[name],
    error: faults[name],
    autoComplete: "off",
  });
  return (
    <>
      <GameTabs game={game} />
      {conflict && <Conflict rows={conflict} to={`/admin/games/${game.game_id}/edit`} />}
      <Form failed={m.admin_game_update_failed()} action="?" key={game.game_id}>
        <input type="hidden" name="revision" value={actionData?.revision ?? base.revision} />
        <FormSheet>
          {problem !== undefined && (
            <Notice tone="error" of={actionData}>
              {m.admin_game_update_failed()} {problem}
            </Notice>
          )}
          {actionData && !failed && (
            <Notice tone="good" of={actionData}>
              {m.admin_game_updated()}
            </Notice>
          )}
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
            <TextField
              {...text("game_slug")}
              required
              maxLength={limits.slug}
              pattern="[a-z0-9]+(?:-[a-z0-9]+)*"
              mismatch={m.admin_fault_no_slug()}
              hint={m.admin_game_slug_hint({ slug: shown.game_slug })}
              spellCheck={false}
            />
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
