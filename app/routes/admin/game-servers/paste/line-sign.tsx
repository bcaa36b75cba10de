// State of a pasted line: a sign and a few words, then the reason in full.
import type { ReactNode } from "react";
import type { LineState } from "#domain/game-servers/batch-view.ts";
import { formatNumber } from "../../../../language.ts";
import { m } from "../../../../paraglide/messages.js";
import { causeText, isNote } from "../../../../ui/doctor-result/cause-text.ts";
import css from "./batch-row.module.css";

const CHECK = <path d="m3 8.6 3.4 3.4L13 4.6" />;
const CROSS = <path d="M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2" />;
const BAR = <path d="M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM4.9 8h6.2" />;
const SHAPES: Record<LineState["is"], ReactNode> = {
  waiting: <path d="M8 1.8a6.2 6.2 0 1 1-6.2 6.2M8 4.6V8l2.2 1.6" />,
  answers: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" opacity=".22" stroke="none" />
      <circle cx="8" cy="8" r="3.6" fill="currentColor" stroke="none" />
    </>
  ),
  accepts: <path d="M8 2.4 14.4 13.4H1.6zM8 6.6v3M8 11.5v.01" />,
  silent: CROSS,
  closed: BAR,
  unread: BAR,
  same: <path d="M2.5 5.6h11M2.5 10.4h11" />,
  on_site: CHECK,
  added: CHECK,
};

const LABELS: Record<Exclude<LineState["is"], "same">, () => string> = {
  waiting: m.admin_paste_waiting,
  answers: m.admin_paste_answers,
  accepts: m.admin_paste_accepts,
  silent: m.admin_paste_silent,
  closed: m.admin_paste_closed,
  unread: m.admin_paste_unread,
  on_site: m.admin_paste_on_site,
  added: m.admin_paste_was_added,
};

export function LineSign({ state }: { state: LineState }) {
  return (
    <span className={css.sign}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {SHAPES[state.is]}
      </svg>
      {state.is === "same" ? m.admin_paste_same({ line: formatNumber(state.as) }) : LABELS[state.is]()}
    </span>
  );
}

const UNREAD: Record<Extract<LineState, { is: "unread" }>["reason"], () => string> = {
  no_address: m.admin_paste_no_address,
  port: m.doctor_cause_bad_port,
  web_page: m.admin_paste_web_page,
  too_long: m.admin_paste_line_too_long,
};

/** Returns causes and fixes, likeliest first; empty if nothing is wrong. */
export function lineText(state: LineState): string[] {
  if (state.is === "unread") return [UNREAD[state.reason]()];
  if (state.is !== "silent" && state.is !== "accepts" && state.is !== "closed") return [];
  const causes = state.causes.filter((cause) => !isNote(cause)).map(causeText);
  const told = causes.length > 0 ? causes : [m.admin_paste_given_up()];
  return state.is === "silent" ? [...told, m.admin_paste_silent_add()] : told;
}
