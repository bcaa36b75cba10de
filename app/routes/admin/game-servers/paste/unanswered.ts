// Tells which lines of a batch can be polled again.
import type { LineState } from "#domain/game-servers/batch-view.ts";

/** Lines without an answer; also forbidden ones, because a setting may allow them by now. */
export const UNANSWERED: ReadonlySet<LineState["is"]> = new Set(["accepts", "silent", "closed"]);
