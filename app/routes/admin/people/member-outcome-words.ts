// Why an act on a member was refused, in words and as a status; and moments as people read them.
import type { MemberOutcome } from "#domain/members/acts.ts";
import { m } from "../../../paraglide/messages.js";

type Reason = Exclude<MemberOutcome, { ok: true }>["reason"];

const WORDS: Record<Reason, () => string> = {
  gone: m.admin_person_gone,
  self: m.admin_person_self,
  last_admin: m.admin_person_last_admin,
  not_confirmed: m.admin_confirm_wrong,
};

export const outcomeWords = (reason: Reason): string => WORDS[reason]();

const STATUS: Record<Reason, number> = { gone: 410, self: 409, last_admin: 409, not_confirmed: 422 };

export const outcomeStatus = (reason: Reason): number => STATUS[reason];

/** A moment with its zone: the server does not know where the reader is. */
export const momentWords = (iso: string, locale: string): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(new Date(iso))} UTC`;
