// Reads the typed confirmation of an action, and answers refusals.
import { refuse, refuseFields, refuseFor, textOf } from "#web/forms/handle-form.ts";
import { m } from "../../paraglide/messages.js";
import { PERSON_REFUSALS } from "./people/person-refusals.ts";

/** Reads the typed confirmation. */
export const readConfirm = (form: FormData) => ({ confirm: textOf(form, "confirm", 300) });

/** Refuses a deletion: the thing is gone, or the typed name is wrong. */
export const refuseDeletion = (reason: "gone" | "not_confirmed") =>
  reason === "not_confirmed" ? notConfirmed() : refuse(410, m.admin_already_deleted());

/** Refuses an action on a member. */
export const refuseOnPerson = (reason: keyof typeof PERSON_REFUSALS) =>
  reason === "not_confirmed" ? notConfirmed() : refuseFor(PERSON_REFUSALS, reason);

/** Shown beside the field. */
const notConfirmed = () => refuseFields({ confirm: m.admin_confirm_wrong() });
