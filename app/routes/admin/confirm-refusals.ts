// An act that is confirmed by typing a name or an address: what was typed, and how a refusal goes back to its form.
import { refuse, refuseFields, refuseFor, textOf } from "#web/forms/handle-form.ts";
import { m } from "../../paraglide/messages.js";
import { PERSON_REFUSALS } from "./people/person-refusals.ts";

/** What was typed to confirm it. */
export const readConfirm = (form: FormData) => ({ confirm: textOf(form, "confirm", 300) });

/** A thing was not deleted: it is gone already, or what was typed is not its name. */
export const refuseDeletion = (reason: "gone" | "not_confirmed") =>
  reason === "not_confirmed" ? notConfirmed() : refuse(410, m.admin_already_deleted());

/** Nothing was done to a member. */
export const refuseOnPerson = (reason: keyof typeof PERSON_REFUSALS) =>
  reason === "not_confirmed" ? notConfirmed() : refuseFor(PERSON_REFUSALS, reason);

/** Said beside the field. */
const notConfirmed = () => refuseFields({ confirm: m.admin_confirm_wrong() });
