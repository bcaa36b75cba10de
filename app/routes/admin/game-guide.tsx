// The steps of "How to get started": added, removed and put in order by buttons that also work without script.
import { useEffect, useRef } from "react";
import { data, Form, useNavigation } from "react-router";
import { updateGuide } from "#domain/game-edits.ts";
import { GUIDE_LIMITS, type GuideForm, guideShape } from "#domain/game-shape.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/read-form.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../../ui/button/button.tsx";
import { FormActs, FormSheet } from "../../ui/form-sheet/form-sheet.tsx";
import { Conflict } from "../../ui/notice/conflict.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import type { Route } from "./+types/game-guide";
import { readId, requireGame } from "./asked-game.ts";
import { differences, faultsOf } from "./faults.ts";
import css from "./game-guide.module.css";
import { GameTabs } from "./game-tabs.tsx";
import { GuideStepFields } from "./guide-step-fields.tsx";
import { changeSteps, readSteps } from "./guide-steps.ts";
import { useAnswer, useStill } from "./use-answer.ts";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  const { game_id, revision, form, guide } = await requireGame(context.get(appContext).db, params.gameId);
  return { game: { game_id, form }, revision, guide, limits: GUIDE_LIMITS };
}

type Answer = {
  steps: GuideForm;
  faults: Record<string, string>;
  /** "changed": the steps were rearranged, nothing is saved yet. */
  kind: "changed" | "saved" | "refused";
  problem?: string;
  revision?: string;
  conflict?: ReturnType<typeof differences>;
  /** Where the focus belongs: a step by its place. */
  focus?: number;
};

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "games:write");
  const { db, log } = context.get(appContext);
  const form = await readForm(request);
  const revision = String(form.get("revision") ?? "");
  const given = readSteps(form);
  const change = changeSteps(given, String(form.get("change") ?? ""));
  if (change) return data<Answer>({ ...change, faults: {}, kind: "changed", revision });
  const refuse = (status: number, answer: Omit<Answer, "steps" | "kind">) =>
    data<Answer>({ steps: given, kind: "refused", ...answer }, { status });
  const gameId = readId(params.gameId);
  if (gameId === null) throw data(null, { status: 404 });
  const checked = guideShape.safeParse(given);
  if (!checked.success)
    return refuse(422, { faults: faultsOf(checked.error.issues), problem: m.admin_check_fields(), revision });
  try {
    const actor = { user_id: member.user_id, origin: context.get(visitContext) };
    const saved = await updateGuide(db, actor, gameId, revision, checked.data);
    if (saved.ok) return data<Answer>({ steps: checked.data, faults: {}, kind: "saved", revision: saved.revision });
    if (saved.reason === "gone") return refuse(410, { faults: {}, problem: m.admin_game_gone(), revision });
    const conflict = differences(
      asRows(saved.theirs.guide, checked.data),
      asRows(checked.data, saved.theirs.guide),
      {},
    );
    return refuse(409, { faults: {}, revision: saved.revision, conflict });
  } catch (error) {
    log.error({ err: error }, "a guide could not be saved");
    return refuse(503, { faults: {}, problem: m.admin_try_again(), revision });
  }
}

/** Each step as one text under its number, for people to compare; as many as the longer guide has. */
function asRows(steps: GuideForm, other: GuideForm): Record<string, string> {
  const places = Array.from({ length: Math.max(steps.length, other.length) }, (_, place) => place);
  return Object.fromEntries(
    places.map((place) => [
      m.admin_guide_step({ number: place + 1 }),
      Object.values(steps[place] ?? {})
        .filter((text) => text !== "")
        .join("\n"),
    ]),
  );
}

export default function GameGuide({ loaderData, ...props }: Route.ComponentProps) {
  const { game, limits } = loaderData;
  const actionData = useAnswer(props.actionData);
  const { revision, guide } = useStill(loaderData);
  const busy = useNavigation().state === "submitting";
  const list = useRef<HTMLOListElement>(null);
  const kept = actionData && actionData.kind !== "saved" ? actionData : null;
  const steps = actionData?.steps ?? guide;
  useEffect(() => {
    if (actionData?.focus === undefined) return;
    list.current?.querySelectorAll<HTMLInputElement>("[data-first]")[actionData.focus]?.querySelector("input")?.focus();
  }, [actionData]);
  return (
    <>
      <GameTabs game={game} />
      {kept?.conflict && <Conflict rows={kept.conflict} to={`/admin/games/${game.game_id}/guide`} />}
      <Form method="post" preventScrollReset>
        {/* Enter in a field saves; without this one it would press the first button of a step. */}
        <button type="submit" hidden />
        <input type="hidden" name="revision" value={actionData?.revision ?? revision} />
        <FormSheet>
          {kept?.problem && (
            <Notice tone="error" of={actionData}>
              {m.admin_game_update_failed()} {kept.problem}
            </Notice>
          )}
          {actionData?.kind === "saved" && (
            <Notice tone="good" of={actionData}>
              {m.admin_game_updated()}
            </Notice>
          )}
          <p className={css.note}>
            {m.admin_guide_note({ placeholders: "{address} {host} {port} {version} {name} {max} {download}" })}
          </p>
          {steps.length === 0 && <p className={css.empty}>{m.admin_guide_empty()}</p>}
          <ol
            className={css.steps}
            ref={list}
            key={actionData ? steps.map((step) => step.title_en).join("\n") + steps.length : revision}
          >
            {steps.map((step, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name of their own, and the list is made anew after each change
              <li key={place} data-first>
                <GuideStepFields
                  step={step}
                  place={place}
                  last={place === steps.length - 1}
                  faults={kept?.faults ?? {}}
                  limits={limits}
                />
              </li>
            ))}
          </ol>
          {steps.length < limits.steps && (
            <p>
              <Button type="submit" name="change" value="add" variant="outlined" size="s" formNoValidate>
                {m.admin_guide_add()}
              </Button>
            </p>
          )}
          <FormActs>
            <Button type="submit" loading={busy}>
              {m.admin_save()}
            </Button>
            {kept?.kind === "changed" && <span className={css.unsaved}>{m.admin_not_saved_yet()}</span>}
          </FormActs>
        </FormSheet>
      </Form>
    </>
  );
}
