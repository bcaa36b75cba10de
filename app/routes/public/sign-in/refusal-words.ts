// Why a form was refused, in words.

import type { Spoken } from "#shared/spoken.ts";
import type { Refusal } from "#web/accounts/auth-actions.ts";
import { m } from "../../../paraglide/messages.js";

const WORDS = {
  away: m.refused_away,
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
} satisfies Record<Exclude<Refusal["reason"], "limit">, unknown>;

function pause(spoken: Spoken, seconds: number): string {
  const [unit, length] =
    seconds < 90 ? (["second", 1] as const) : seconds <= 7200 ? (["minute", 60] as const) : (["hour", 3600] as const);
  const value = Math.ceil(seconds / length);
  return new Intl.NumberFormat(spoken, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** The sentence for a refusal. */
export function refusalWords(spoken: Spoken, refusal: Refusal): string {
  if (refusal.reason === "banned" && refusal.ban) return banWords(spoken, refusal.ban);
  if (refusal.reason !== "limit") return WORDS[refusal.reason]({}, { locale: spoken });
  return m.refused_limit({ wait: pause(spoken, refusal.wait_s) }, { locale: spoken });
}

function banWords(spoken: Spoken, { reason, until }: { reason: string; until: string | null }): string {
  if (until === null) return m.refused_banned_for_good({ reason }, { locale: spoken });
  const end = new Intl.DateTimeFormat(spoken, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return m.refused_banned_until({ reason, end: `${end.format(new Date(until))} UTC` }, { locale: spoken });
}

/** What an answer to a refused form carries besides the words. */
export function refusalInit(refusal: Refusal): { status: number; headers?: Record<string, string> } {
  if (refusal.reason === "limit") return { status: 429, headers: { "Retry-After": String(refusal.wait_s) } };
  return refusal.reason === "away" ? { status: 503, headers: { "Retry-After": "5" } } : { status: refusal.status };
}
