// Why a request is refused in place of its page: each reason with its status and its texts.
import type { RefusalReason } from "#shared/refusal-reasons.ts";
import { m } from "../../paraglide/messages.js";

/** `final`: asking once more ends the same. */
type Texts = { title: () => string; text: () => string; final?: true };

/** Also for what never reaches a route; web/pages/refusals.ts knows the status of each. */
const TEXTS = {
  not_allowed: { title: m.error_403, text: m.error_403_text, final: true },
  cross_site: { title: m.error_cross_site, text: m.error_cross_site_text },
  elsewhere: { title: m.error_elsewhere, text: m.error_elsewhere_text },
  blocked: { title: m.error_blocked, text: m.error_blocked_text },
  nothing: { title: m.not_found_title, text: m.not_found_text },
  unreadable: { title: m.error_title, text: m.error_theirs },
  method: { title: m.error_method, text: m.error_method_text, final: true },
  slow: { title: m.error_slow, text: m.error_slow_text },
  too_large: { title: m.error_too_large, text: m.error_too_large_text },
  too_often: { title: m.error_too_often, text: m.error_too_often_text },
  failed: { title: m.error_title, text: m.error_ours },
  busy: { title: m.error_busy, text: m.error_busy_text },
  database: { title: m.error_unreachable, text: m.error_database_text },
  unavailable: { title: m.error_unreachable, text: m.error_unknown },
} satisfies Record<RefusalReason, Texts>;

/** What a status means where no reason is given: by a route of ours, or by something between us and the browser. */
const BY_STATUS: { [status: number]: RefusalReason } = {
  403: "not_allowed",
  405: "method",
  408: "slow",
  413: "too_large",
  421: "elsewhere",
  429: "too_often",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

/**
 * The text for a status and what came with it: `{ reason }` from a route, the bare reason where data was asked for.
 * Undefined: an error that has no text of its own.
 */
export function refusalTexts(status: number, data: unknown): Texts | undefined {
  const named = typeof data === "object" && data !== null && "reason" in data ? data.reason : data;
  const reason =
    typeof named === "string" && Object.hasOwn(TEXTS, named) ? (named as RefusalReason) : BY_STATUS[status];
  return reason && TEXTS[reason];
}
