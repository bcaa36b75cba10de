// Explains an unknown status of a checked server.
import type { UnknownReason as Reason } from "#shared/statuses.ts";
import { m } from "../../paraglide/messages.js";
import css from "./reachable-from.module.css";

const TEXTS: Record<Reason, () => string> = {
  unreadable: m.status_unknown_unreadable,
  no_answer: m.status_unknown_no_answer,
};

/** Renders nothing without a known reason. */
export function UnknownReason({ reason }: { reason: Reason | undefined }) {
  return reason && <p className={css.elsewhere}>{TEXTS[reason]()}</p>;
}
