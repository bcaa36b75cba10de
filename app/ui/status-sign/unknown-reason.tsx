// Why the status of a server is unknown although it was checked.
import type { UnknownReason as Reason } from "#shared/statuses.ts";
import { m } from "../../paraglide/messages.js";
import css from "./reachable-from.module.css";

const TEXTS: Record<Reason, () => string> = {
  unreadable: m.status_unknown_unreadable,
  no_answer: m.status_unknown_no_answer,
};

/** Renders nothing where no reason is known. */
export function UnknownReason({ reason }: { reason: Reason | undefined }) {
  return reason && <p className={css.elsewhere}>{TEXTS[reason]()}</p>;
}
