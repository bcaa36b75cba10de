// Rows of a batch in pasted order, with the actions for all of them.
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import type { BatchLine, BatchView, LineState } from "#domain/game-servers/batch-view.ts";
import { VISIBILITIES } from "#shared/statuses.ts";
import { formatNumber, here } from "../../../../language.ts";
import { m } from "../../../../paraglide/messages.js";
import { Announcer } from "../../../../ui/announcer/announcer.tsx";
import { Button, ButtonLink } from "../../../../ui/button/button.tsx";
import { Form } from "../../../../ui/form/form.tsx";
import { Link } from "../../../../ui/link/link.tsx";
import { AnswerNotice } from "../../../../ui/notice/answer-notice.tsx";
import { Notice } from "../../../../ui/notice/notice.tsx";
import { SelectField } from "../../../../ui/select-field/select-field.tsx";
import { visibilityText } from "../fields.ts";
import { BatchRow } from "./batch-row.tsx";
import css from "./panel.module.css";
import type { PasteAnswer } from "./panel.tsx";
import { UNANSWERED } from "./unanswered.ts";
import { useKept } from "./use-kept.ts";

type Props = {
  batch: BatchView;
  /** Target of its forms. */
  address: string;
  answer: PasteAnswer | undefined;
  onward?: ReactNode;
};

const OPEN: ReadonlySet<LineState["is"]> = new Set(["waiting", "answers", "accepts", "silent"]);

export function BatchRows({ batch, address, answer, onward }: Props) {
  const { lines, waiting } = batch;
  const form = useRef<HTMLFormElement>(null);
  const keep = useKept(here(address));
  const [visibility, setVisibility] = useState<string>("public");
  const { ticked, count } = useTicked(form, lines);
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "add";
  const open = lines.filter((line) => OPEN.has(line.state.is)).length;
  const answered = m.admin_paste_progress({
    done: formatNumber(lines.length - waiting),
    all: formatNumber(lines.length),
  });
  const progress = waiting > 0 ? answered : m.admin_paste_progress_done({ count: lines.length });
  return (
    <Form
      failed={m.failed_paste()}
      action={here(address)}
      ref={form}
      className={css.batch}
      onChange={(event) => {
        keep(event.target as Element);
        count();
      }}
    >
      {/* Default button for Enter in a row: saves the input, adds and removes nothing. */}
      <button type="submit" name="intent" value="keep" hidden />
      <Added answer={answer} of={batch} onward={open > 0 && (onward ?? <ToList />)} />
      {open === 0 && (
        <Notice tone="good" of={batch.batch_id}>
          {m.admin_paste_finished()} {onward ?? <ToList />}
        </Notice>
      )}
      <div className={css.progress}>
        <p>{progress}</p>
        <progress
          max={lines.length}
          value={lines.length - waiting}
          aria-label={answered}
          data-done={waiting === 0 || undefined}
        />
        <Announcer text={progress} />
        <Summary lines={lines} />
        <noscript>{waiting > 0 && <a href={here(address)}>{m.admin_paste_look_again()}</a>}</noscript>
      </div>
      <ol className={css.rows}>
        {lines.map((line, place) => (
          <BatchRow key={line.line_id} line={line} number={place + 1} games={batch.games} />
        ))}
      </ol>
      <Rest lines={lines} />
      {open > 0 && (
        <p className={css.missing}>
          {m.admin_paste_game_missing()} <Link to="/admin/games/create">{m.admin_paste_game_add()}</Link>
        </p>
      )}
      {open > 0 && (
        <div className={css.bar}>
          <SelectField
            name="visibility"
            label={m.admin_server_visibility()}
            value={visibility}
            onChange={(event) => setVisibility(event.currentTarget.value)}
            options={VISIBILITIES.map((value) => ({ value, label: visibilityText(value) }))}
          />
          <Button type="submit" name="intent" value="add" variant={ticked > 0 ? "default" : "tonal"} loading={busy}>
            {addText(visibility, ticked)}
          </Button>
        </div>
      )}
    </Form>
  );
}

/** Counts ticked boxes: on the server by default state, then by the form. */
function useTicked(form: { current: HTMLFormElement | null }, lines: BatchLine[]) {
  const [ticked, setTicked] = useState<number | null>(null);
  const count = useCallback(() => {
    if (form.current) setTicked(form.current.querySelectorAll("input[name=tick]:checked").length);
  }, [form]);
  // Rows add and remove boxes.
  useEffect(() => {
    if (lines) count();
  }, [count, lines]);
  return { ticked: ticked ?? lines.filter((line) => line.ticked).length, count };
}

function addText(visibility: string, count: number): string {
  if (count === 0) return m.admin_paste_add_none();
  if (visibility === "public") return m.admin_paste_add_public({ count });
  return visibility === "members" ? m.admin_paste_add_members({ count }) : m.admin_paste_add_hidden({ count });
}

/** Shows what the last action added, with the next step, which is far below while other lines wait. */
function Added({ answer, of, onward }: { answer: PasteAnswer | undefined; of: unknown; onward: ReactNode }) {
  const added = answer?.done?.added;
  if (!added) return <AnswerNotice answer={answer} failed={m.failed_paste()} />;
  return (
    <Notice tone={added.refused > 0 ? "error" : "good"} of={answer ?? of}>
      {m.admin_paste_added({ count: added.added })}{" "}
      {added.refused > 0 && m.admin_paste_not_added({ count: added.refused })} {added.added > 0 && onward}
    </Notice>
  );
}

const ToList = () => (
  <ButtonLink to="/admin/gameservers" variant="tonal" size="s">
    {m.admin_paste_to_list()}
  </ButtonLink>
);

const countOf = (lines: BatchLine[], ...of: LineState["is"][]) =>
  lines.filter(({ state }) => of.includes(state.is)).length;

/** Counts lines by state. */
function Summary({ lines }: { lines: BatchLine[] }) {
  const figures = [
    [countOf(lines, "added"), m.admin_paste_was_added()],
    [countOf(lines, "answers"), m.admin_paste_answers()],
    [countOf(lines, "accepts"), m.admin_paste_accepts()],
    [countOf(lines, "silent"), m.admin_paste_silent()],
    [countOf(lines, "closed"), m.admin_paste_closed()],
    [countOf(lines, "on_site"), m.admin_paste_on_site()],
    [countOf(lines, "same"), m.admin_paste_same_short()],
    [countOf(lines, "unread"), m.admin_paste_unread()],
  ] as const;
  return (
    <dl className={css.summary}>
      {figures.map(
        ([figure, label]) =>
          figure > 0 && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{formatNumber(figure)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Actions for lines without a result. Below the rows, so that its appearance doesn't move them. */
function Rest({ lines }: { lines: BatchLine[] }) {
  return (
    <div className={css.acts}>
      {countOf(lines, ...UNANSWERED) > 0 && (
        <Button type="submit" name="intent" value="again-silent" variant="outlined" size="s" formNoValidate>
          {m.admin_paste_again_silent()}
        </Button>
      )}
      {countOf(lines, "unread") > 0 && (
        <Button type="submit" name="intent" value="remove-unread" variant="outlined" size="s" formNoValidate>
          {m.admin_paste_remove_unread()}
        </Button>
      )}
    </div>
  );
}
