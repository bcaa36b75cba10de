// Maps refused actions on a person to a status and a sentence.
import type { UserActOutcome } from "#domain/members/acts.ts";
import type { Refusals } from "#web/forms/handle-form.ts";
import { m } from "../../../paraglide/messages.js";

export const PERSON_REFUSALS: Refusals<Exclude<UserActOutcome, { ok: true }>["reason"]> = {
  gone: [410, m.admin_person_gone],
  self: [409, m.admin_person_self],
  last_admin: [409, m.admin_person_last_admin],
  not_confirmed: [422, m.admin_confirm_wrong],
};
