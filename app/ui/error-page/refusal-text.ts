// Texts for refused requests: each reason with its status.
import type { RefusalReason } from "#shared/refusal-reasons.ts";
import { m } from "../../paraglide/messages.js";

/** `final`: a retry would fail too. */
type Texts = { title: () => string; text: () => string; final?: true };

/** Also for requests that reach no route; web/pages/refusals.ts has each status. */
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

/** Reason of a status without one: from our routes, or from a proxy. */
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
 * Returns the texts for a status and its data: `{ reason }` from a route, the bare reason of a data request.
 * Undefined: no text for this error.
 */
export function refusalTexts(status: number, data: unknown): Texts | undefined {
  const named = typeof data === "object" && data !== null && "reason" in data ? data.reason : data;
  const reason =
    typeof named === "string" && Object.hasOwn(TEXTS, named) ? (named as RefusalReason) : BY_STATUS[status];
  return reason && TEXTS[reason];
}
