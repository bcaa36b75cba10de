// Which lines of a batch can be asked once more.
import type { LineState } from "#domain/game-servers/batch-view.ts";

/** Those without an answer; also one that may not be asked, because a setting may have allowed it since. */
export const UNANSWERED: ReadonlySet<LineState["is"]> = new Set(["accepts", "silent", "closed"]);
