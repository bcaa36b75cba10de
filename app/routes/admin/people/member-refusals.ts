// Why an act on a member was refused, as a status and a sentence.
import type { MemberOutcome } from "#domain/members/acts.ts";
import type { Refusals } from "#web/forms/handle-form.ts";
import { m } from "../../../paraglide/messages.js";

export const MEMBER_REFUSALS: Refusals<Exclude<MemberOutcome, { ok: true }>["reason"]> = {
  gone: [410, m.admin_person_gone],
  self: [409, m.admin_person_self],
  last_admin: [409, m.admin_person_last_admin],
  not_confirmed: [422, m.admin_confirm_wrong],
};
