// Texts for the ways of polling and their outcomes; the names are those of the record and the samples.
import type { AskedAdapterId } from "#shared/adapters.ts";
import type { Failure } from "#shared/statuses.ts";
import { m } from "../../paraglide/messages.js";
import { adapterName } from "../adapter-text/adapter-text.ts";

const OUTCOMES: Record<Failure | "answered", () => string> = {
  answered: m.doctor_outcome_answered,
  timeout: m.doctor_outcome_timeout,
  refused: m.doctor_outcome_refused,
  no_reply: m.doctor_outcome_no_reply,
  malformed: m.doctor_outcome_malformed,
  unauthorized: m.doctor_outcome_unauthorized,
  network: m.doctor_outcome_network,
  dns: m.doctor_outcome_dns,
  blocked: m.doctor_outcome_blocked,
  no_address: m.doctor_outcome_no_address,
  sealed: m.doctor_outcome_sealed,
  silent: m.doctor_outcome_silent,
};

/** Returns the text of a failure (or `answered`); a newer version's is shown as it is. */
export function outcomeText(outcome: string): string {
  const known: Record<string, (() => string) | undefined> = OUTCOMES;
  return known[outcome]?.() ?? outcome;
}

/** Names an adapter; adds the game it was polled as, if the adapter needs one. */
export const adapterText = (adapter: AskedAdapterId, type: string | null): string =>
  type === null ? adapterName(adapter) : `${adapterName(adapter)} (${type})`;
