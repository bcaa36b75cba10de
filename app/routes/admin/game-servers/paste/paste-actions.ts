// Loader and action of the panel for pasted addresses, for every page that has it.
import { redirect } from "react-router";
import { type Added, addFromBatch } from "#domain/game-servers/add-addresses.ts";
import {
  addToBatch,
  type Choice,
  examineAgain,
  hasBatch,
  keepChoices,
  listUnfinishedBatches,
  MOST_LINES,
  MOST_TEXT,
  removeBatch,
  removeLines,
  startBatch,
} from "#domain/game-servers/address-batches.ts";
import { GAME_CHOICE } from "#domain/game-servers/address-suggestion.ts";
import { gameTypeOf, readBatch, readGameType } from "#domain/game-servers/batch-view.ts";
import { isFieldErrorCode } from "#shared/field-error-codes.ts";
import { VISIBILITIES } from "#shared/statuses.ts";
import { appContext } from "#web/context.ts";
import { type Asked, done, handleForm, permitted, refuse, refuseForNow, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { consumeBatch, consumeExamination } from "#web/pages/game-doctor.ts";
import { formatNumber, here } from "../../../../language.ts";
import { m } from "../../../../paraglide/messages.js";
import { readId } from "../../asked-id.ts";
import { fieldErrorText, refuseField } from "../../field-errors.ts";
import { batchAddress } from "./batch-address.ts";
import { UNANSWERED } from "./unanswered.ts";

/** Loads the batch in the address (`?batch=`), or the admin's unfinished ones. */
export async function loadPaste({ context, url }: Asked) {
  const { user_id } = requirePermission({ context, url }, "gameservers:write");
  const { db } = context.get(appContext);
  const id = batchIn(url);
  const batch = id === null ? null : await readBatch(db, id);
  return {
    batch: batch && {
      ...batch,
      lines: batch.lines.map((line) => ({ ...line, refused: line.refused && refusedText(line.refused) })),
    },
    /** The requested batch doesn't exist (any more). */
    gone: id !== null && batch === null,
    unfinished: batch === null ? await listUnfinishedBatches(db, user_id) : [],
    limits: { lines: MOST_LINES, text: MOST_TEXT },
  };
}
export type PasteData = Awaited<ReturnType<typeof loadPaste>>;

const REFUSALS: Record<string, () => string> = {
  on_site: m.admin_paste_refused_on_site,
  closed: m.admin_paste_refused_closed,
  missing: m.admin_paste_refused_name,
  no_game: m.admin_paste_refused_game,
};

/** Returns why a line was not added; by field codes if it has no text of its own. */
function refusedText(code: string): string {
  const own = REFUSALS[code];
  if (own) return own();
  const reason = fieldErrorText(isFieldErrorCode(code) && code !== "name_taken" ? code : "no_choice");
  return m.admin_paste_refused({ reason });
}

const batchIn = (url: URL): number | null => readId(url.searchParams.get("batch") ?? undefined);

/**
 * Runs the action of a panel form. `at`: the address of the panel's page, without a batch; `form`: the sent form, if that page has
 * already read it.
 */
export function handlePaste(asked: Asked, at: string, form?: FormData) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    ...(form && { receive: async () => form }),
    read: (form) => ({ text: textOf(form, "text") }),
    async act({ given, form, intent: whole, url, app, member, actor }) {
      const [intent = "", about, type] = whole.split(":");
      if (intent === "start") {
        const refused = await refuseText(given.text, () => consumeBatch(app, member.user_id));
        if (refused) return refused;
        const started = await startBatch(app.db, member.user_id, given.text);
        return started.ok ? redirect(here(batchAddress(at, started.batch_id))) : refuseLines(started);
      }
      const batchId = batchIn(url);
      if (batchId === null || !(await hasBatch(app.db, batchId))) return refuse(410, m.admin_paste_gone());
      if (intent === "throw") {
        await removeBatch(app.db, batchId);
        return redirect(here(at));
      }
      if (intent === "more") {
        const refused = await refuseText(given.text, () => consumeBatch(app, member.user_id));
        if (refused) return refused;
        const more = await addToBatch(app.db, member.user_id, batchId, given.text);
        return more.ok ? redirect(here(batchAddress(at, batchId))) : refuseLines(more);
      }
      // Saves the typed rows, whatever the action.
      const choices = readChoices(form);
      await keepChoices(app.db, batchId, choices);
      if (intent === "add") {
        const lines = choices.filter(({ chosen }) => chosen);
        if (lines.length === 0) return refuse(422, m.admin_paste_none_ticked());
        const visibility = VISIBILITIES.find((known) => known === form.get("visibility")) ?? "hidden";
        const added = await addFromBatch(app.db, actor, batchId, { lines, visibility, rule: app.addressRule });
        return added ? done<PasteDone>({ added }) : refuse(410, m.admin_paste_gone());
      }
      const batch = await readBatch(app.db, batchId);
      if (!batch) return refuse(410, m.admin_paste_gone());
      if (intent === "again") {
        const line = batch.lines.find(({ line_id }) => line_id === readId(about));
        const wait_s = await consumeExamination(app, member.user_id);
        if (wait_s !== null) return refuseForNow(wait_s, m.doctor_wait({ count: wait_s }));
        if (line) await examineAgain(app.db, batchId, [line.line_id], readGameType(type) ?? gameTypeOf(line.game));
      }
      if (intent === "again-silent") {
        const wait_s = await consumeBatch(app, member.user_id);
        if (wait_s !== null) return refuseWait(wait_s);
        const silent = batch.lines.filter(({ state }) => UNANSWERED.has(state.is));
        await examineAgain(
          app.db,
          batchId,
          silent.map(({ line_id }) => line_id),
        );
      }
      if (intent === "remove") await removeLines(app.db, batchId, readId(about) ?? 0);
      if (intent === "remove-unread") await removeLines(app.db, batchId, null);
      return done<PasteDone>({ added: null });
    },
    away: m.admin_try_again,
  });
}

/** `added`: result of adding; null for other actions. */
type PasteDone = { added: Added | null };

async function refuseText(text: string, consume: () => Promise<number | null>) {
  if (text.length > MOST_TEXT) return refuseField("text", m.admin_paste_too_long());
  const wait_s = text.trim() === "" ? null : await consume();
  return wait_s === null ? null : refuseWait(wait_s);
}

const refuseWait = (wait_s: number) =>
  refuseForNow(wait_s, m.admin_paste_wait({ count: Math.max(1, Math.ceil(wait_s / 60)) }));

function refuseLines(refused: { reason: "empty" } | { reason: "gone" } | { reason: "too_many"; lines: number }) {
  if (refused.reason === "gone") return refuse(410, m.admin_paste_gone());
  const text =
    refused.reason === "empty"
      ? m.admin_paste_empty()
      : m.admin_paste_too_many({ lines: formatNumber(refused.lines), most: MOST_LINES });
  return refuseField("text", text);
}

const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Reads the rows: `name.12`, `game.12`, and `tick` with 12 if the line is ticked. */
function readChoices(form: FormData): Choice[] {
  const ticked = new Set(form.getAll("tick").map(String));
  const ids = [...form.keys()].flatMap((key) => (key.startsWith("name.") ? (readId(key.slice(5)) ?? []) : []));
  return [...new Set(ids)].slice(0, MOST_LINES).map((line_id) => {
    const game = textOf(form, `game.${line_id}`, 80);
    return {
      line_id,
      chosen: ticked.has(String(line_id)),
      game: GAME_CHOICE.test(game) ? game : "",
      name: textOf(form, `name.${line_id}`, 200).replace(UNSEEN, " ").replace(/\s+/g, " ").trim(),
    };
  });
}
