// Edits "How to get started": steps and boxes, added, removed and sorted by buttons that also work without script.
import { useState } from "react";
import { data, useNavigation } from "react-router";
import { updateGuide } from "#domain/games/edits.ts";
import { GUIDE_LIMITS, type GuideForm, guideShape } from "#domain/games/guide.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, refuseConflict, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { requireId } from "../asked-id.ts";
import { checkFields, differences } from "../field-errors.ts";
import type { Route } from "./+types/guide";
import { requireGame } from "./asked-game.ts";
import { GUIDE_PLACEHOLDERS } from "./examples.ts";
import css from "./guide.module.css";
import { changeGuide, type GuideItem, type GuideList, readGuide } from "./guide-form.ts";
import { GuideListFields } from "./guide-list-fields.tsx";
import { GUIDE_TEXTS } from "./guide-text.ts";
import { GameTabs } from "./tabs.tsx";

/** Fits all texts at full length, with characters of nine bytes in a form. */
export const handle: RouteFacts = { maxBody: 512 * 1024 };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "games:write");
  const { game_id, revision, form, guide } = await requireGame(context.get(appContext).db, params.gameId);
  return { game: { game_id, form }, revision, guide, limits: GUIDE_LIMITS };
}

const LISTS: readonly GuideList[] = ["steps", "boxes"];

/** "changed": steps or boxes were rearranged but not saved; `focus`: the field by name, or button by value, to focus next. */
type Outcome = { kind: "changed"; focus: string } | { kind: "saved"; focus?: undefined };

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    read: readGuide,
    async act({ given, form, app, actor }) {
      // A page opened before the form had boxes sends none: that must not remove them.
      if (form.get("lists") !== LISTS.join()) throw data(null, { status: 400 });
      const change = changeGuide(given, textOf(form, "change"));
      if (change) return done<Outcome, GuideForm>({ kind: "changed", focus: change.focus }, { given: change.guide });
      const gameId = requireId(asked.params.gameId);
      const checked = checkFields(guideShape, given);
      if (!checked.ok) return checked;
      const saved = await updateGuide(app.db, actor, gameId, textOf(form, "revision"), checked.data);
      if (saved.ok)
        return done<Outcome, GuideForm>({ kind: "saved" }, { given: checked.data, revision: saved.revision });
      if (saved.reason === "gone") return refuse(410, m.admin_game_gone());
      const rows = [asRows(saved.theirs, checked.data), asRows(checked.data, saved.theirs)] as const;
      return refuseConflict(saved.revision, differences(...rows, {}));
    },
    away: m.admin_try_again,
  });
}

/** Lists steps and boxes by number, for people to compare: only the texts in which the guides differ. */
function asRows(guide: GuideForm, other: GuideForm): Record<string, string> {
  const rows = LISTS.flatMap((list) =>
    Array.from({ length: Math.max(guide[list].length, other[list].length) }, (_, place) => {
      const [own, theirs] = [textsOf(guide[list][place]), textsOf(other[list][place])];
      const differing = Object.keys(own).filter((name) => own[name] !== "" && own[name] !== theirs[name]);
      return [GUIDE_TEXTS[list].item({ number: place + 1 }), differing.map((name) => own[name]).join("\n")] as const;
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
  const outcome = actionData?.done;
  const changes = useCount(outcome?.kind === "changed" ? actionData : undefined);
  const busy = useNavigation().state === "submitting";
  const guide = actionData?.given ?? still.guide;
  return (
    <>
      <GameTabs game={game} />
      {actionData?.conflict && <Conflict rows={actionData.conflict} to={`/admin/games/${game.game_id}/guide`} />}
      <Form failed={m.admin_game_update_failed()} preventScrollReset>
        {/* Default button for Enter in a field: saves, instead of pressing the first button of a step. */}
        <button type="submit" hidden />
        <input type="hidden" name="revision" value={actionData?.revision ?? still.revision} />
        <input type="hidden" name="lists" value={LISTS.join()} />
        <FormSheet>
          <AnswerNotice
            answer={actionData}
            failed={m.admin_game_update_failed()}
            done={outcome?.kind === "saved" ? m.admin_game_updated() : undefined}
          />
          <p className={css.note}>{m.admin_guide_note({ placeholders: GUIDE_PLACEHOLDERS })}</p>
          {LISTS.map((list) => (
            <GuideListFields
              // Recreated after each change: fields keep their initial values.
              key={`${list} ${game.game_id} ${changes}`}
              of={{ list, limits, fieldErrors: actionData?.fieldErrors ?? {}, focus: outcome?.focus }}
              items={guide[list]}
            />
          ))}
          <FormActs
            cancel="/admin/games"
            saved={outcome?.kind === "saved" && actionData}
            unsaved={actionData?.done === null || outcome?.kind === "changed"}
          >
            <Button type="submit" loading={busy}>
              {m.admin_save()}
            </Button>
          </FormActs>
        </FormSheet>
      </Form>
    </>
  );
}

/** Counts the changes of a value. */
function useCount(value: unknown): number {
  const [counted, setCounted] = useState({ value, times: 0 });
  if (value === undefined || value === counted.value) return counted.times;
  setCounted({ value, times: counted.times + 1 });
  return counted.times + 1;
}
