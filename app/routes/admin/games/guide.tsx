// "How to get started", its steps and the boxes beside them: added, removed and put in order by buttons that also work
// without script.
import { useState } from "react";
import { data, useNavigation } from "react-router";
import { updateGuide } from "#domain/games/edits.ts";
import { GUIDE_LIMITS, type GuideForm, guideShape } from "#domain/games/guide.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { differences, faultsOf } from "../faults.ts";
import type { Route } from "./+types/guide";
import { readId, requireGame } from "./asked-game.ts";
import { GUIDE_PLACEHOLDERS } from "./examples.ts";
import css from "./guide.module.css";
import { changeGuide, type GuideItem, type GuideList, readGuide } from "./guide-form.ts";
import { GuideListFields } from "./guide-list-fields.tsx";
import { GUIDE_WORDS } from "./guide-words.ts";
import { GameTabs } from "./tabs.tsx";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  const { game_id, revision, form, guide } = await requireGame(context.get(appContext).db, params.gameId);
  return { game: { game_id, form }, revision, guide, limits: GUIDE_LIMITS };
}

const LISTS: readonly GuideList[] = ["steps", "boxes"];

type Answer = {
  guide: GuideForm;
  faults: Record<string, string>;
  /** "changed": steps or boxes were rearranged, nothing is saved yet. */
  kind: "changed" | "saved" | "refused";
  problem?: string;
  revision?: string;
  conflict?: ReturnType<typeof differences>;
  /** Where one goes on after a change: a field by its name, or a button by its value. */
  focus?: string;
};

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "games:write");
  const { db, log } = context.get(appContext);
  const form = await readForm(request);
  const revision = String(form.get("revision") ?? "");
  // A page that was opened before the form had boxes sends none: that must not remove them.
  if (form.get("lists") !== LISTS.join()) throw data(null, { status: 400 });
  const given = readGuide(form);
  const change = changeGuide(given, String(form.get("change") ?? ""));
  if (change) return data<Answer>({ ...change, faults: {}, kind: "changed", revision });
  const refuse = (status: number, answer: Omit<Answer, "guide" | "kind">) =>
    data<Answer>({ guide: given, kind: "refused", ...answer }, { status });
  const gameId = readId(params.gameId);
  if (gameId === null) throw data(null, { status: 404 });
  const checked = guideShape.safeParse(given);
  if (!checked.success)
    return refuse(422, { faults: faultsOf(checked.error.issues), problem: m.admin_check_fields(), revision });
  try {
    const actor = { user_id: member.user_id, origin: context.get(visitContext) };
    const saved = await updateGuide(db, actor, gameId, revision, checked.data);
    if (saved.ok) return data<Answer>({ guide: checked.data, faults: {}, kind: "saved", revision: saved.revision });
    if (saved.reason === "gone") return refuse(410, { faults: {}, problem: m.admin_game_gone(), revision });
    const conflict = differences(asRows(saved.theirs, checked.data), asRows(checked.data, saved.theirs), {});
    return refuse(409, { faults: {}, revision: saved.revision, conflict });
  } catch (error) {
    log.error({ err: error }, "a guide could not be saved");
    return refuse(503, { faults: {}, problem: m.admin_try_again(), revision });
  }
}

/** Each step and box under its number, for people to compare: of its texts those that the other guide has not there. */
function asRows(guide: GuideForm, other: GuideForm): Record<string, string> {
  const rows = LISTS.flatMap((list) =>
    Array.from({ length: Math.max(guide[list].length, other[list].length) }, (_, place) => {
      const [own, theirs] = [textsOf(guide[list][place]), textsOf(other[list][place])];
      const differing = Object.keys(own).filter((name) => own[name] !== "" && own[name] !== theirs[name]);
      return [GUIDE_WORDS[list].item({ number: place + 1 }), differing.map((name) => own[name]).join("\n")] as const;
    }),
  );
  return Object.fromEntries(rows);
}

function textsOf(item: GuideItem | undefined): Record<string, string> {
  if (!item) return {};
  const { links, ...texts } = item;
  const named = links.flatMap((link, place) =>
    Object.entries(link).map(([name, text]) => [`${place}.${name}`, text] as const),
  );
  return { ...texts, ...Object.fromEntries(named) };
}

export default function GameGuide({ loaderData, ...props }: Route.ComponentProps) {
  const { game, limits } = loaderData;
  const actionData = useAnswer(props.actionData);
  const still = useStill(loaderData);
  const changes = useCount(actionData?.kind === "changed" ? actionData : undefined);
  const busy = useNavigation().state === "submitting";
  const kept = actionData && actionData.kind !== "saved" ? actionData : null;
  const guide = actionData?.guide ?? still.guide;
  return (
    <>
      <GameTabs game={game} />
      {kept?.conflict && <Conflict rows={kept.conflict} to={`/admin/games/${game.game_id}/guide`} />}
      <Form failed={m.admin_game_update_failed()} preventScrollReset>
        {/* Enter in a field saves; without this one it would press the first button of a step. */}
        <button type="submit" hidden />
        <input type="hidden" name="revision" value={actionData?.revision ?? still.revision} />
        <input type="hidden" name="lists" value={LISTS.join()} />
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
          <p className={css.note}>{m.admin_guide_note({ placeholders: GUIDE_PLACEHOLDERS })}</p>
          {LISTS.map((list) => (
            <GuideListFields
              // Made anew after each change: fields show what they were made with.
              key={`${list} ${game.game_id} ${changes}`}
              of={{ list, limits, faults: kept?.faults ?? {}, focus: kept?.focus }}
              items={guide[list]}
            />
          ))}
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

/** How many values there were. */
function useCount(value: unknown): number {
  const [counted, setCounted] = useState({ value, times: 0 });
  if (value === undefined || value === counted.value) return counted.times;
  setCounted({ value, times: counted.times + 1 });
  return counted.times + 1;
}
