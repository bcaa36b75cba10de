// Maps refused account actions to a status and a sentence, beside a field or above the form.
import { zonedMomentText } from "#shared/text/date-text.ts";
import type { Refusal } from "#web/accounts/refusal.ts";
import { refuse, refuseForNow } from "#web/forms/handle-form.ts";
import { language } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";

const TEXTS: Record<Exclude<Refusal["reason"], "limit">, () => string> = {
  missing: m.refused_missing,
  email: m.refused_email,
  taken: m.refused_taken,
  short: m.refused_short,
  long: m.refused_long,
  common: m.refused_common,
  "like-email": m.refused_like_email,
  wrong: m.refused_wrong,
  code: m.refused_code,
  link: m.refused_link,
  unverified: m.refused_unverified,
  closed: m.refused_closed,
  banned: m.refused_banned,
  sign_ups_closed: m.refused_sign_ups_closed,
  invitation: m.refused_invitation,
};

/** Answers a refused form. `field`: where to show the text. `text`: replaces the usual sentence. */
export function refuseSignIn(refusal: Refusal, field?: string, text = textOf(refusal)) {
  const refused = refusal.reason === "limit" ? refuseForNow(refusal.wait_s, text) : refuse(refusal.status, text);
  return field === undefined ? refused : { ...refused, problem: null, fieldErrors: { [field]: text } };
}

function textOf(refusal: Refusal): string {
  if (refusal.reason === "banned" && refusal.ban) return banText(refusal.ban);
  return refusal.reason === "limit" ? m.refused_limit({ wait: waitText(refusal.wait_s) }) : TEXTS[refusal.reason]();
}

function waitText(seconds: number): string {
  const [unit, length] =
    seconds < 90 ? (["second", 1] as const) : seconds <= 7200 ? (["minute", 60] as const) : (["hour", 3600] as const);
  const value = Math.ceil(seconds / length);
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(value);
}

function banText({ reason, until }: { reason: string; until: string | null }): string {
  if (until === null) return m.refused_banned_for_good({ reason });
  return m.refused_banned_until({ reason, end: zonedMomentText(Date.parse(until), language(), "UTC") });
}
