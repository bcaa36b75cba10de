// Describes privacy requests: kind, law that sets the deadline, and days left.
import type { PrivacyLaw, RequestKind } from "#domain/inbox/privacy-deadlines.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";

const KINDS: Record<RequestKind, () => string> = {
  access: m.admin_request_kind_access,
  correct: m.admin_request_kind_correct,
  delete: m.admin_request_kind_delete,
  copy: m.admin_request_kind_copy,
  opt_out: m.admin_request_kind_opt_out,
  appeal: m.admin_request_kind_appeal,
};

const LAWS: Record<PrivacyLaw, () => string> = {
  gdpr: m.admin_request_law_gdpr,
  cpa: m.admin_request_law_cpa,
  ctdpa: m.admin_request_law_ctdpa,
  vcdpa: m.admin_request_law_vcdpa,
  us_state: m.admin_request_law_us_state,
  policy: m.admin_request_law_policy,
};

export const kindText = (kind: RequestKind): string => KINDS[kind]();
export const lawText = (law: PrivacyLaw): string => LAWS[law]();

/** Formats the days left; null: answered. */
export function leftText(left: number | null): string {
  if (left === null) return m.admin_request_done();
  if (left > 1) return m.admin_request_left({ days: formatNumber(left) });
  if (left === 1) return m.admin_request_left_one();
  return left === 0 ? m.admin_request_over_today() : m.admin_request_over({ count: -left });
}

/** calm, soon (a week or less), late. */
export const urgencyOf = (left: number | null): "calm" | "soon" | "late" =>
  left === null || left > 7 ? "calm" : left > 0 ? "soon" : "late";
